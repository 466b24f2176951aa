"""Vectors of another embedder: either all are put aside, or none."""

import json

import numpy as np
import pytest

from ville.errors import Unreachable
from ville.llm.embedders import HashingEmbedder
from ville.persona.memory_structures.stream.vectors import Vectors
from ville.simulation.re_embed import CLASSIC_EMBEDDER, embedder_of, missing_vectors, re_embed
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.records.intervention_log import RUN_FILE
from ville.storage.records.kept_vectors import kept_file
from ville.storage.records.vector_rows import Row

STREAM = "bootstrap_memory/associative_memory/embeddings.json"
TEXTS = {"Ada Stone": ["tea is good", "a second\nline", ""], "Ben Reed": ["rain"], "Cleo Adams Moor": []}


@pytest.fixture
def folder(small_town):
    """Return a simulation with some memories and vectors of 1,536 numbers, as in classic data."""
    root = small_town.root / "storage" / "base"
    for name, texts in TEXTS.items():
        path = root / "personas" / name / STREAM
        path.write_text(json.dumps({text: [1.0] * 1536 for text in texts}), "utf-8")
    return SimulationFolder(root)


def stores(folder):
    return {name: folder.read_persona(name).embeddings for name in TEXTS}


def sizes(folder):
    """How many numbers the vectors have, and whether they are rows."""
    found = [vector for store in stores(folder).values() for vector in store.values()]
    return {(len(vector) // 4 if isinstance(vector, Row) else len(vector), isinstance(vector, Row)) for vector in found}


async def test_every_text_has_a_new_vector(folder):
    """All texts are kept, all vectors have the new size, and the new embedder is recorded."""
    folder.replace_embeddings({}, {RUN_FILE: {"seed": 7}})
    assert (await re_embed(folder, HashingEmbedder(64))).count == 4
    assert {name: list(store) for name, store in stores(folder).items()} == TEXTS
    assert sizes(folder) == {(64, True)}
    assert folder.read_side_file(RUN_FILE) == {"seed": 7, "embedder": "hashing-64", "vector_size": 64}


async def test_vectors_of_this_embedder_are_kept(folder):
    """The second time, no vector is requested."""
    await re_embed(folder, HashingEmbedder(64))
    assert await re_embed(folder, HashingEmbedder(64), thorough=True) is None


def test_only_memories_without_a_vector_need_one(folder):
    """If the present vectors are of this embedder, they are kept; a lost file is the same as an empty one."""
    nodes = folder.root / "personas/Ada Stone/bootstrap_memory/associative_memory/nodes.json"
    nodes.write_text(json.dumps({"node_1": {"embedding_key": "tea"}, "node_2": {"embedding_key": "rain"}}), "utf-8")
    ours = {"Ada Stone": {"rain": [1.0] * 512 + [0.0] * 1024}, "Ben Reed": {}, "Cleo Adams Moor": {}}
    folder.replace_embeddings(ours, {RUN_FILE: {"embedder": "hashing-512"}})
    (folder.root / "personas/Ben Reed" / STREAM).unlink()
    missing = missing_vectors(folder, "hashing-512", thorough=True)
    assert (missing.replaced, missing.texts["Ada Stone"], missing.count) == ("", ("tea",), 1)
    (folder.root / "personas/Ada Stone" / STREAM).unlink()
    assert missing_vectors(folder, "hashing-512").texts["Ada Stone"] == ("tea", "rain")


def test_kept_vectors_of_another_size_are_not_used(folder):
    """They could not be compared with those in use; what they were of counts as missing."""
    nodes = folder.root / "personas/Ada Stone/bootstrap_memory/associative_memory/nodes.json"
    nodes.write_text(json.dumps({"node_1": {"embedding_key": "tea"}, "node_2": {"embedding_key": "rain"}}), "utf-8")
    file = kept_file("hashing-64", "Ada Stone")
    ours = {name: {} for name in TEXTS} | {"Ada Stone": {"rain": [1.0] * 64}}
    folder.replace_embeddings(ours, {RUN_FILE: {"embedder": "hashing-64"}}, {file: {"tea": [1.0, 2.0]}})
    missing = missing_vectors(folder, "hashing-64", thorough=True)
    assert (missing.damaged, missing.texts["Ada Stone"], missing.kept) == ((file,), ("tea",), 0)


class Failing(HashingEmbedder):
    """Embedder that fails at the second persona."""

    calls = 0

    async def embed(self, texts, _step=None):
        self.calls += 1
        if self.calls > 1:
            raise Unreachable("no line")
        return np.ones((len(texts), 3), dtype=np.float32)


async def test_a_failed_call_leaves_the_files_unchanged(folder):
    """Vectors of two embedders are never in use side by side."""
    before = stores(folder)
    with pytest.raises(Unreachable):
        await re_embed(folder, Failing(3))
    assert stores(folder) == before
    assert folder.read_side_file(RUN_FILE) is None


@pytest.mark.parametrize(
    ("own", "size", "make"),
    [
        ({}, 0, None),
        ({"embedder": "hashing-512"}, 0, None),
        ({"embedder": "hashing-512"}, 512, "hashing-512"),
        ({}, 1536, CLASSIC_EMBEDDER),
        ({}, 384, "an unknown embedder (384 numbers)"),
        ({"embedder": "openai:one"}, 1536, "openai:one"),
        ({"embedder": "openai:one", "vector_size": 1536}, 1536, "openai:one"),
        ({"embedder": "hashing-512"}, 1536, CLASSIC_EMBEDDER),
        ({"embedder": "local:one", "vector_size": 384}, 1536, CLASSIC_EMBEDDER),
        ({"embedder": "local:one", "vector_size": 0}, 768, "an unknown embedder (768 numbers)"),
    ],
)
def test_the_embedder_is_the_recorded_one_unless_the_size_contradicts_it(own, size, make):
    """The recorded name counts unless the size contradicts it; without vectors there is no embedder."""
    assert embedder_of(own, Vectors.load("Ada Stone", {"a": [1.0] * size} if size else {})) == make


@pytest.mark.parametrize("made", [512, 1536])
async def test_vectors_added_by_an_older_engine_are_put_aside(folder, made):
    """With its own vectors only, or beside ours, of either length. None is lost."""
    ours = {"tea is good": [1.0] * 512 + [0.0] * (made - 512)}
    folder.replace_embeddings({"Ada Stone": ours | {"new": [1.0] * 1536}}, {RUN_FILE: {"embedder": "hashing-512"}})
    await re_embed(folder, HashingEmbedder())
    assert sizes(folder) == ({(512, True), (1536, False)} if made == 1536 else {(512, True)})
    assert {embedder_of({}, Vectors.load(name, store)) for name, store in stores(folder).items()} == {
        "hashing-512", None
    }  # fmt: skip
    assert folder.read_side_file(RUN_FILE) == {"embedder": "hashing-512", "vector_size": 512}
    assert folder.kept_vectors(CLASSIC_EMBEDDER, "Ada Stone") == {"new": [1.0] * 1536}
    assert folder.kept_vectors(CLASSIC_EMBEDDER, "Ben Reed") == {"rain": [1.0] * 1536}


async def test_short_vectors_in_json_are_made_again(folder):
    """Once: JSON of this version has them at the length of older engines."""
    short = {name: {text: [1.0] * 512 for text in texts} for name, texts in TEXTS.items()}
    folder.replace_embeddings(short, {RUN_FILE: {"embedder": "hashing-512"}})
    assert (await re_embed(folder, HashingEmbedder(), thorough=True)).count == 4
    assert sizes(folder) == {(512, True)}
    assert await re_embed(folder, HashingEmbedder(), thorough=True) is None
