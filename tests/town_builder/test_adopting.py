"""Laws of `adopt`: a simulation gets the map it was recorded on, as a whole or not at all."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from build_town import main

ROOT = Path(__file__).resolve().parents[2]
HOME = "the Valley:Ann Lee's house:main room"
STEPS = 60


def put(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2), encoding="utf-8")


def record(tile):
    return {"movement": list(tile), "pronunciatio": "🙂", "description": f"walking @ {HOME}:bed", "chat": None}


@pytest.fixture
def assets(tmp_path, built):
    """The cottage, and a map of the same name on which all walls are elsewhere: one tile down and to the right."""
    shutil.copytree(built, tmp_path / "elsewhere" / "cottage")
    shutil.copytree(built, tmp_path / "assets" / "cottage")
    path = tmp_path / "assets/cottage/matrix/maze/collision_maze.csv"
    cells = path.read_text("utf-8").split(", ")
    path.write_text(", ".join(cells[-21:] + cells[:-21]), "utf-8")
    return tmp_path / "assets"


@pytest.fixture
def storage(tmp_path):
    """Ann has walked up and down before her bed, on the cottage as it was; saved and compressed."""
    tiles = [(4, 6), (5, 6), (6, 6), (5, 6)] * (STEPS // 4)
    meta = {
        "fork_sim_code": "run", "start_date": "February 13, 2023", "curr_time": "February 13, 2023, 00:10:00",
        "sec_per_step": 10, "maze_name": "cottage", "persona_names": ["Ann Lee"], "step": STEPS,
    }  # fmt: skip
    saved, compressed = tmp_path / "storage/run", tmp_path / "compressed/run"
    put(saved / "reverie/meta.json", meta)
    put(compressed / "meta.json", meta)
    put(compressed / "master_movement.json", {str(step): {"Ann Lee": record(tile)} for step, tile in enumerate(tiles)})
    for step, tile in enumerate(tiles):
        put(saved / f"movement/{step}.json", {"persona": {"Ann Lee": record(tile)}, "meta": {}})
    for folder in (saved, compressed):
        put(folder / "personas/Ann Lee/bootstrap_memory/scratch.json", {"living_area": HOME})
    return tmp_path / "storage"


@pytest.fixture
def adopt(assets, storage, tmp_path, capsys):
    """Types the command; gives back its exit code and what it said."""

    def run(*words, of=tmp_path / "elsewhere/cottage", simulation="run"):
        places = ["--storage", storage, "--compressed", tmp_path / "compressed", "--out", assets]
        code = main(["adopt", simulation, "--map", str(of), *map(str, places), *words])
        return code, capsys.readouterr().out

    return run


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def maze_names(root):
    metas = (root / "storage/run/reverie/meta.json", root / "compressed/run/meta.json")
    return [json.loads(meta.read_text("utf-8"))["maze_name"] for meta in metas]


def test_folders_are_those_of_the_settings(assets, storage, tmp_path, monkeypatch):
    """Where none is named."""
    places = {"FS_STORAGE": storage, "FS_COMPRESSED_STORAGE": tmp_path / "compressed", "ASSETS": assets}
    for name, place in places.items():
        monkeypatch.setenv(f"VILLE_{name}", str(place))
    assert main(["adopt", "run", "--map", str(tmp_path / "elsewhere/cottage")]) == 0
    assert maze_names(tmp_path) == ["old_cottage", "old_cottage"]
    assert (assets / "old_cottage/matrix").is_dir()


@pytest.mark.slow
def test_a_simulation_plays_on_the_map_it_was_recorded_on(adopt, tmp_path):
    """That map lies beside the other under a name of its own; both metas name it, and no other byte has changed."""
    before = {**files(tmp_path / "storage"), **files(tmp_path / "compressed")}
    other = files(tmp_path / "assets")
    code, said = adopt()
    assert (code, maze_names(tmp_path)) == (0, ["old_cottage", "old_cottage"])
    assert files(tmp_path / "assets/old_cottage") == files(tmp_path / "elsewhere/cottage")
    assert {path: text for path, text in files(tmp_path / "assets").items() if path in other} == other
    after = {**files(tmp_path / "storage"), **files(tmp_path / "compressed")}
    changed = {path for path in after if before.get(path) != after[path]}
    assert changed == {Path("run/reverie/meta.json"), Path("run/meta.json")}
    old, new = (texts[Path("run/reverie/meta.json")] for texts in (before, after))
    assert new == old.replace(b'"cottage"', b'"old_cottage"')
    assert said.count("maze_name cottage → old_cottage") == 2


def test_what_is_done_already_is_done(adopt, tmp_path):
    """A second time nothing changes; another simulation may share the map."""
    adopt()
    before = files(tmp_path)
    assert adopt() == (0, "run already uses the map old_cottage.\n")
    assert files(tmp_path) == before


def test_a_dry_run_changes_nothing(adopt, tmp_path):
    """It says the same as the real one."""
    before = files(tmp_path)
    code, would = adopt("--dry-run")
    assert (code, files(tmp_path)) == (0, before)
    assert would.splitlines()[:-1] == adopt()[1].splitlines()


@pytest.mark.parametrize(
    "given", [".", "matrix", "visuals/cottage.json", "../alone/cottage.json"], ids=["folder", "matrix", "file", "alone"]
)
def test_a_map_is_given_by_its_folder_or_its_file(adopt, tmp_path, read_matrix, given):
    """The folder that holds `matrix`, `matrix` itself, the Tiled file beside it, or a Tiled file that says all."""
    source = tmp_path / "elsewhere/cottage"
    shutil.copytree(source / "visuals", tmp_path / "elsewhere/alone")
    assert adopt("--name", "again", of=source / given)[0] == 0
    assert read_matrix(tmp_path / "assets/again/matrix") == read_matrix(source / "matrix")
    assert list((tmp_path / "assets/again/visuals").glob("*.json"))


def wrong_map(root):
    return root / "assets/cottage", "100% of its steps lead through walls"


def no_home(root):
    put(root / "storage/run/personas/Ann Lee/bootstrap_memory/scratch.json", {"living_area": "the Valley:Inn:bar"})
    return root / "elsewhere/cottage", "has no the Valley:Inn:bar, the home of Ann Lee. Give the map"


def cut_off(root):
    (root / "storage/run/.save").mkdir()
    return root / "elsewhere/cottage", "a save of it was cut off. Open it once"


def taken(root):
    shutil.copytree(root / "assets/cottage", root / "assets/old_cottage")
    return root / "elsewhere/cottage", "is there already, and is another map. Choose another --name"


def torn(root):
    (root / "elsewhere/cottage/matrix/maze/arena_maze.csv").write_text("0, 0", "utf-8")
    return root / "elsewhere/cottage", "has 2 cells, not 20 × 16"


def nameless(root):
    (root / "elsewhere/cottage/matrix/special_blocks/arena_blocks.csv").write_text("", "utf-8")
    return root / "elsewhere/cottage", "unknown id '.*'. Add it to arena_blocks.csv"


def no_map(root):
    return root / "nowhere", "does not exist. Give the folder of a map"


def linked(root):
    (root / "elsewhere/cottage/visuals").mkdir(exist_ok=True)
    (root / "elsewhere/cottage/visuals/notes.txt").symlink_to(root / "storage/run/reverie/meta.json")
    return root / "elsewhere/cottage", r"notes\.txt is a link. Put a copy of what it leads to"


@pytest.mark.parametrize("fault", [wrong_map, no_home, cut_off, taken, torn, nameless, no_map, linked])
def test_what_cannot_be_done_changes_nothing(adopt, tmp_path, fault):
    """A map it was not recorded on, a save that is under way, a taken name, a map that is broken or leads away."""
    given, says = fault(tmp_path)
    before = files(tmp_path)
    code, said = adopt(of=given)
    assert code == 1
    assert re.search(says, said), said
    assert files(tmp_path) == before


def test_an_unknown_simulation_is_told(adopt):
    """With the places that were looked at."""
    code, said = adopt(simulation="rnu")
    assert code == 1
    assert "rnu is no simulation: there is none at" in said


def test_a_simulation_that_is_open_is_left_alone(adopt, tmp_path):
    """A backend that has it would write its own meta file over ours."""
    holds = "import sys, pathlib, ville.storage.records.lock as l\n"
    holds += "held = l.Lock(pathlib.Path(sys.argv[1])); print(1, flush=True); input()"
    house = {**os.environ, "PYTHONPATH": str(ROOT / "reverie/backend_server")}
    command = [sys.executable, "-c", holds, str(tmp_path / "storage/run")]
    process = subprocess.Popen(command, env=house, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "1\n"
        code, said = adopt()
    finally:
        process.communicate("\n")
    assert (code, maze_names(tmp_path)) == (1, ["cottage", "cottage"])
    assert "is open in a backend. Leave it there with 'fin'" in said
    assert adopt()[0] == 0


@pytest.mark.reference
def test_a_classic_simulation_gets_its_classic_map(tmp_path, capsys):
    """The real base and the real matrices: the homes are there, the map has no picture, and that is told."""
    if "REFERENCE_DATA" not in os.environ:
        pytest.skip("REFERENCE_DATA is not set")
    data, name = Path(os.environ["REFERENCE_DATA"]), "base_the_ville_isabella_maria_klaus"
    shutil.copytree(data / "storage" / name, tmp_path / "storage" / name)
    places = ["--storage", str(tmp_path / "storage"), "--out", str(tmp_path / "assets")]
    assert main(["adopt", name, "--map", str(data / "matrix"), *places]) == 0
    assert "Pages cannot draw this map yet" in capsys.readouterr().out
    meta = json.loads((tmp_path / "storage" / name / "reverie/meta.json").read_text("utf-8"))
    assert meta["maze_name"] == "old_the_ville"
