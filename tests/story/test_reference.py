"""Classic data: a simulation and a map that were not made by us."""

import json
import os
import shutil
from pathlib import Path

import pytest

BASE = "base_the_ville_isabella_maria_klaus"
STEPS = 200


@pytest.fixture
def classic(tmp_path, storage):
    if not (data := os.environ.get("REFERENCE_DATA")):
        pytest.skip("REFERENCE_DATA is not set")
    shutil.copytree(Path(data) / "matrix", tmp_path / "assets/the_ville/matrix")
    shutil.copytree(Path(data) / "storage" / BASE, storage.folder(BASE))
    return storage


@pytest.mark.reference
def test_a_classic_simulation_runs_and_is_saved_in_its_own_form(classic):
    """200 steps; then every file has the classic keys in the classic order, and a fork saved untouched its bytes."""
    assert classic.run("reverie_offline", "-o", BASE, "-t", "untouched", "-s", 0)[0] == 0
    assert classic.run("reverie_offline", "-o", BASE, "-t", "lived", "-s", STEPS)[0] == 0
    base, untouched, lived = (classic.files(name) for name in (BASE, "untouched", "lived"))
    assert {name: untouched[name] for name in base} == base
    for name in base:
        if name.endswith("scratch.json"):
            assert list(json.loads(lived[name]))[: len(json.loads(base[name]))] == list(json.loads(base[name]))
    for step in range(STEPS):
        moves = json.loads(lived[f"movement/{step}.json"])["persona"]
        places = json.loads(lived[f"environment/{step + 1}.json"])
        assert {n: tuple(m["movement"]) for n, m in moves.items()} == {n: (p["x"], p["y"]) for n, p in places.items()}
