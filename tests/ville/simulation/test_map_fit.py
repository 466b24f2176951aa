"""A simulation recorded on another map of the same name is noticed when opened."""

import json
import os
import shutil
from pathlib import Path

import pytest

from ville.assembly.run import open_simulation
from ville.simulation.map_fit import TOLERANCE, map_notice, share_in_walls
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.world.maze_files import load_maze

STEPS = 300
HOUSE = Path(__file__).resolve().parents[3]


@pytest.fixture
def recorded(small_town):
    """Return the base after a walk of which `in_walls` tiles are walls of the map."""

    def make(in_walls, off_the_map=0):
        folder = small_town.root / "storage/base"
        for step in range(STEPS):
            tile = [99, 99] if step % 100 < off_the_map else [0, 0] if step % 100 < in_walls else [1, 2]
            moves = {name: {"movement": tile} for name in ("Ada Stone", "Ben Reed", "Cleo Adams Moor")}
            path = folder / f"movement/{step}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps({"persona": moves, "meta": {}}), "utf-8")
        meta = json.loads((folder / "reverie/meta.json").read_text("utf-8"))
        (folder / "reverie/meta.json").write_text(json.dumps({**meta, "step": STEPS}), "utf-8")
        shutil.copyfile(folder / "environment/0.json", folder / f"environment/{STEPS}.json")
        return folder

    return make


@pytest.mark.parametrize(("walls", "beyond", "said"), [(0, 0, 0), (1, 0, 0), (20, 0, 1), (0, 20, 1)])
async def test_personas_in_walls_are_reported_in_one_line(small_town, recorded, walls, beyond, said):
    """With name, share and command; a few tiles in walls are ignored."""
    recorded(walls, beyond)
    simulation = open_simulation(small_town.settings, "base", "base")
    lines = map_notice(simulation)
    await simulation.close()
    assert len(lines) == said
    for line in lines:
        assert "\n" not in line
        assert "base was recorded on a different map than small: 20% of its positions" in line
        assert "python environment/build_town.py adopt base --map" in line


async def test_broken_steps_are_skipped(small_town, recorded):
    """Missing and unreadable steps are skipped."""
    folder = recorded(20)
    for step, text in ((0, "{"), (1, "[]"), (2, '{"persona": {"Ada Stone": {}}}'), (3, '{"persona": 3}')):
        (folder / f"movement/{step}.json").write_text(text, "utf-8")
    (folder / "movement/4.json").unlink()
    simulation = open_simulation(small_town.settings, "base", "base")
    assert map_notice(simulation)
    await simulation.close()


@pytest.mark.reference
def test_a_walk_on_the_classic_map_is_noticed_on_ours(recorded):
    """Many free tiles of the classic map are walls on ours; on its own map none is."""
    if "REFERENCE_DATA" not in os.environ:
        pytest.skip("REFERENCE_DATA is not set")
    classic = load_maze(Path(os.environ["REFERENCE_DATA"]) / "matrix", "the_ville")
    ours = load_maze(HOUSE / "environment/frontend_server/static_dirs/assets/the_ville/matrix", "the_ville")
    folder = recorded(0)
    indoors = [tile for tile in classic if classic.place(tile).arena and not classic.is_wall(tile)]
    for step, (x, y) in enumerate(indoors[:: len(indoors) // STEPS][:STEPS]):
        moves = {"persona": {"Ada Stone": {"movement": [x, y]}}}
        (folder / f"movement/{step}.json").write_text(json.dumps(moves), "utf-8")
    assert share_in_walls(SimulationFolder(folder), classic) == 0
    assert share_in_walls(SimulationFolder(folder), ours) > TOLERANCE
