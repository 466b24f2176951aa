"""Simulations opened from settings, and their errors."""

import json
import os
import shutil
from dataclasses import replace

import pytest

from ville.assembly.run import announcement, check_names, open_simulation
from ville.errors import (
    BadMap,
    BadSimulationName,
    CorruptFile,
    MapNotFound,
    ReverieError,
    SimulationExists,
    SimulationNotFound,
)
from ville.settings import Settings

ADA = "personas/Ada Stone/bootstrap_memory"


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


async def test_without_memories_any_embedder_will_do(small_town):
    await open_simulation(small_town.settings, "base", "new").close()
    change(small_town.root / "storage/new/reverie/run.json", embedder="elsewhere")
    open_simulation(small_town.settings, "new", "new").save()
    own = json.loads((small_town.root / "storage/new/reverie/run.json").read_text("utf-8"))
    assert own["embedder"] == "hashing-512"


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
