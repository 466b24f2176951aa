"""Simulations opened from settings, and their errors."""

import json
import os
import shutil
from dataclasses import replace

import pytest
from chat_server import ChatServer

from ville.assembly import run as assembly
from ville.assembly.run import announcement, check_names, open_simulation, re_embed_simulation
from ville.errors import (
    BadEmbedding,
    BadMap,
    BadSetting,
    BadSimulationName,
    CorruptFile,
    MapNotFound,
    ReverieError,
    SimulationExists,
    SimulationNotFound,
    Unreachable,
)
from ville.settings import Settings

ADA = "personas/Ada Stone/bootstrap_memory"
STREAM = f"{ADA}/associative_memory"
NODE = {
    "node_count": 1, "type_count": 1, "type": "thought", "depth": 1, "created": "2023-02-12 08:00:00",
    "expiration": None, "subject": "Ada Stone", "predicate": "likes", "object": "tea", "description": "Ada likes tea",
    "embedding_key": "Ada likes tea", "poignancy": 3, "keywords": ["tea"], "filling": None,
}  # fmt: skip


@pytest.fixture
def base(small_town):
    return small_town.root / "storage" / "base"


def change(path, **values):
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | values), "utf-8")


def unknown_folder(base):
    shutil.copytree(base / "personas" / "Ada Stone", base / "personas" / "Zoe")


def no_json(base):
    (base / ADA / "scratch.json").write_text('{"name": ', "utf-8")


def no_scratch(base):
    (base / ADA / "scratch.json").unlink()


def no_embedding(base):
    change(base / STREAM / "nodes.json", node_1=NODE)


def other_embedding(base):
    change(base / STREAM / "nodes.json", node_1=NODE, node_2=NODE | {"node_count": 2, "embedding_key": "other"})
    change(base / STREAM / "embeddings.json", **{"Ada likes tea": [1.0, 2.0], "other": [1.0]})


def no_home(base):
    change(base / ADA / "scratch.json", living_area="the Town:Ada's castle:tower")


def no_map(base):
    change(base / "reverie/meta.json", maze_name="atlantis")


def off_the_map(base):
    change(base / "environment/0.json", **{"Ada Stone": {"maze": "small", "x": 99, "y": 1}})


def no_place(base):
    (base / "environment/0.json").write_text("{}", "utf-8")


def torn_map(base):
    (base.parents[1] / "assets/small/matrix/maze/arena_maze.csv").write_text("0, 0", "utf-8")


@pytest.mark.parametrize(
    ("fault", "kind", "says"),
    [
        (unknown_folder, CorruptFile, "Zoe is not in persona_names"),
        (no_json, CorruptFile, "scratch.json:1 is not JSON"),
        (no_scratch, CorruptFile, "scratch.json is missing"),
        (no_embedding, BadEmbedding, "Ada Stone: embeddings.json has no vector for 'Ada likes tea'"),
        (other_embedding, BadEmbedding, "Ada Stone: the vector for 'other' has 1 numbers"),
        (no_home, BadMap, "'the Town:Ada's castle:tower' [(]living_area of Ada Stone"),
        (no_map, MapNotFound, "atlantis"),
        (off_the_map, CorruptFile, r"Ada Stone stands at \(99, 1\)"),
        (no_place, CorruptFile, "0.json: Ada Stone"),
        (torn_map, BadMap, "arena_maze.csv has 2 cells"),
    ],
)
def test_a_damaged_base_is_reported_and_leaves_no_fork(small_town, base, fault, kind, says):
    """It can be repaired and forked."""
    before = sorted(path.name for path in base.parent.iterdir())
    fault(base)
    with pytest.raises(kind, match=says) as raised:
        open_simulation(small_town.settings, "base", "new")
    assert "\n" not in str(raised.value)
    assert sorted(path.name for path in base.parent.iterdir()) == before


@pytest.mark.parametrize(
    ("origin", "name", "kind"),
    [
        ("nowhere", "new", SimulationNotFound),
        ("nowhere", "nowhere", SimulationNotFound),
        ("base", "other", SimulationExists),
        ("base", "../new", BadSimulationName),
    ],
)
def test_names_are_checked_first(small_town, base, origin, name, kind):
    """An unknown origin, a taken or an invalid name."""
    shutil.copytree(base, base.parent / "other")
    for do in (check_names, open_simulation):
        with pytest.raises(kind):
            do(small_town.settings, origin, name)
    assert sorted(path.name for path in base.parent.iterdir()) == ["base", "other"]


def remembering(base, size):
    """Give Ada one memory with a vector of some size."""
    change(base / STREAM / "nodes.json", node_1=NODE)
    change(base / STREAM / "embeddings.json", **{"Ada likes tea": [1.0] * size})


@pytest.mark.parametrize(
    ("size", "make"), [(1536, "openai:text-embedding-ada-002"), (384, "an unknown embedder [(]384 numbers[)]")]
)
def test_vectors_of_another_embedder_are_refused(small_town, base, size, make):
    """With both embedders and what to do; no fork is left."""
    remembering(base, size)
    with pytest.raises(BadSetting, match=make) as raised:
        open_simulation(small_town.settings, "base", "new")
    for word in ("hashing-512", "Set embedder", "--re-embed"):
        assert word in str(raised.value)
    assert not (base.parent / "new").exists()


def test_a_stored_embedder_that_does_not_fit_its_vectors_is_ignored(small_town, base, monkeypatch):
    """An older engine keeps our file and adds vectors of its own; their size tells, before any file is copied."""
    remembering(base, 1536)
    (base / "reverie/run.json").write_text(json.dumps({"embedder": "hashing-512"}), "utf-8")
    monkeypatch.setattr(assembly, "fork", lambda *_: pytest.fail("it was copied first"))
    with pytest.raises(BadSetting, match="text-embedding-ada-002"):
        open_simulation(small_town.settings, "base", "new")
    with pytest.raises(BadSetting, match="text-embedding-ada-002"):
        open_simulation(small_town.settings, "base", "base")


def test_vectors_of_several_embedders_can_only_be_replaced(small_town, base):
    change(base / STREAM / "nodes.json", node_1=NODE)
    change(base / STREAM / "embeddings.json", **{"Ada likes tea": [1.0] * 512 + [0.0] * 1024, "b": [1.0] * 1536})
    with pytest.raises(BadSetting, match=r"of several embedders, but the embedder is hashing-512. Use --re-embed"):
        open_simulation(small_town.settings, "base", "new")


def test_vectors_of_the_same_size_but_another_embedder_are_refused(small_town, base):
    remembering(base, 512)
    (base / "reverie/run.json").write_text(json.dumps({"embedder": "elsewhere"}), "utf-8")
    with pytest.raises(BadSetting, match="elsewhere"):
        open_simulation(small_town.settings, "base", "new")


async def test_without_memories_any_embedder_will_do(small_town):
    await open_simulation(small_town.settings, "base", "new").close()
    change(small_town.root / "storage/new/reverie/run.json", embedder="elsewhere")
    open_simulation(small_town.settings, "new", "new").save()
    own = json.loads((small_town.root / "storage/new/reverie/run.json").read_text("utf-8"))
    assert own["embedder"] == "hashing-512"


async def test_all_vectors_of_a_fork_can_be_replaced(small_town, base):
    """The origin keeps its own; the fork opens."""
    remembering(base, 1536)
    assert await re_embed_simulation(small_town.settings, "base", "new") == 1
    assert open_simulation(small_town.settings, "new", "new").persona("Ada Stone").mind.stream.vectors.size == 512
    stored = json.loads((base.parent / "new" / STREAM / "embeddings.json").read_text("utf-8"))
    assert {len(vector) for vector in stored.values()} == {1536}
    assert len(json.loads((base / STREAM / "embeddings.json").read_text("utf-8"))["Ada likes tea"]) == 1536


async def test_a_fork_whose_vectors_cannot_be_replaced_is_deleted(small_town, base):
    remembering(base, 1536)
    with ChatServer() as gone:
        dead = replace(
            small_town.settings, embedder="ollama", embedding_model="m", embedding_base_url=gone.url, retry_for=0.0
        )
    with pytest.raises(Unreachable, match="cannot be reached"):
        await re_embed_simulation(dead, "base", "new")
    assert not (base.parent / "new").exists()


async def test_an_invalid_seed_is_reported(small_town):
    await open_simulation(small_town.settings, "base", "new").close()
    change(small_town.root / "storage/new/reverie/run.json", seed="x")
    with pytest.raises(ReverieError, match="run.json"):
        open_simulation(replace(small_town.settings, seed=None), "new", "new")


def test_offline_rules_are_announced():
    assert "follow offline rules" in announcement(Settings())


@pytest.mark.parametrize("fsync", [True, False])
async def test_a_save_is_flushed_to_disk_if_set(small_town, monkeypatch, fsync):
    simulation = open_simulation(replace(small_town.settings, fsync=fsync), "base", "new")
    await simulation.advance()
    synced, sync = set(), os.fsync

    def noted(descriptor):
        synced.add(os.fstat(descriptor).st_ino)
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    simulation.save()
    steps = {simulation.folder.root / "movement/0.json", simulation.folder.root / "environment/1.json"}
    there = {path.stat().st_ino for path in steps if path.exists()}
    assert there
    assert (there <= synced) is fsync
    assert bool(synced) is fsync
    await simulation.close()
