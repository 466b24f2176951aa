"""Vectors of another make: all are replaced, or none is."""

import json

import numpy as np
import pytest

from ville.errors import Unreachable
from ville.llm.embedders import HashingEmbedder
from ville.persona.memory_structures.vectors import Vectors
from ville.simulation.re_embed import CLASSIC_EMBEDDER, embedder_of, re_embed
from ville.simulation.simulation import RUN_FILE
from ville.storage.simulation_folder import SimulationFolder

STREAM = "bootstrap_memory/associative_memory/embeddings.json"
TEXTS = {"Ada Stone": ["tea is good", "a second\nline", ""], "Ben Reed": ["rain"], "Cleo Adams Moor": []}


@pytest.fixture
def folder(small_town):
    """Its people remember a little, by vectors of 1,536 numbers, as classic data does."""
    root = small_town.root / "storage" / "base"
    for name, texts in TEXTS.items():
        path = root / "personas" / name / STREAM
        path.write_text(json.dumps({text: [1.0] * 1536 for text in texts}), "utf-8")
    return SimulationFolder(root)


def stores(folder):
    return {name: folder.read_persona(name).embeddings for name in TEXTS}


async def test_every_text_has_a_new_vector(folder):
    """Nobody's texts are lost, all vectors are of the new size, and the new make is noted beside what was noted."""
    folder.replace_embeddings({}, {RUN_FILE: {"seed": 7}})
    assert await re_embed(folder, HashingEmbedder(64)) == 4
    assert {name: list(store) for name, store in stores(folder).items()} == TEXTS
    assert {len(vector) for store in stores(folder).values() for vector in store.values()} == {64}
    assert folder.read_side_file(RUN_FILE) == {"seed": 7, "embedder": "hashing-64", "vector_size": 64}


async def test_what_is_of_this_make_already_is_not_paid_for_again(folder):
    """The second time nothing is asked for."""
    await re_embed(folder, HashingEmbedder(64))
    assert await re_embed(folder, HashingEmbedder(64)) == 0


class Failing(HashingEmbedder):
    """The telephone fails at the second person."""

    calls = 0

    async def embed(self, texts):
        self.calls += 1
        if self.calls > 1:
            raise Unreachable("no line")
        return np.ones((len(texts), 3), dtype=np.float32)


async def test_a_telephone_that_fails_leaves_everything_as_it_was(folder):
    """There is no instant at which vectors of two makes lie side by side."""
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
        ({}, 384, "an unknown model, of 384 numbers"),
        ({"embedder": "openai:one"}, 1536, "openai:one"),
        ({"embedder": "openai:one", "vector_size": 1536}, 1536, "openai:one"),
        ({"embedder": "hashing-512"}, 1536, CLASSIC_EMBEDDER),
        ({"embedder": "local:one", "vector_size": 384}, 1536, CLASSIC_EMBEDDER),
        ({"embedder": "local:one", "vector_size": 0}, 768, "an unknown model, of 768 numbers"),
    ],
)
def test_a_make_is_known_by_its_note_unless_the_size_contradicts_it(own, size, make):
    """Classic data was made by one model and keeps our note, however wrong; what has no vectors has no make."""
    assert embedder_of(own, Vectors.load("Ada Stone", {"a": [1.0] * size} if size else {})) == make


@pytest.mark.parametrize("made", [512, 1536])
async def test_what_an_older_engine_has_added_can_be_made_anew(folder, made):
    """In whatever state it comes back: with its own vectors only, or with those beside ours, of either length."""
    ours = {"tea is good": [1.0] * 512 + [0.0] * (made - 512)}
    folder.replace_embeddings({"Ada Stone": ours | {"new": [1.0] * 1536}}, {RUN_FILE: {"embedder": "hashing-512"}})
    await re_embed(folder, HashingEmbedder())
    assert {len(vector) for store in stores(folder).values() for vector in store.values()} == {1536}
    assert {embedder_of({}, Vectors.load(name, store)) for name, store in stores(folder).items()} == {
        "an unknown model, of 512 numbers", None
    }  # fmt: skip
    assert folder.read_side_file(RUN_FILE) == {"embedder": "hashing-512", "vector_size": 512}


async def test_vectors_that_were_stored_short_are_made_anew_in_full_length(folder):
    """So that older engines can go on with them; once."""
    short = {name: {text: [1.0] * 512 for text in texts} for name, texts in TEXTS.items()}
    folder.replace_embeddings(short, {RUN_FILE: {"embedder": "hashing-512"}})
    assert await re_embed(folder, HashingEmbedder()) == 4
    assert {len(vector) for store in stores(folder).values() for vector in store.values()} == {1536}
    assert await re_embed(folder, HashingEmbedder()) == 0
