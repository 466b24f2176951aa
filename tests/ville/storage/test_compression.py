"""Laws of compressing a simulation."""

import json

import pytest

from ville.errors import CorruptFile, SimulationExists
from ville.storage.compression import compress, read_master
from ville.storage.simulation_folder import SimulationFolder
from ville.storage.step_files import MoveRecord


def states(master):
    """The way back, as docs/storage.md words it: of everybody the latest record up to a step."""
    frame = {}
    for changed in master.values():
        frame = frame | changed
        yield frame


@pytest.fixture
def run(storage):
    """A simulation of three steps of which the second was lost."""
    folder = SimulationFolder(storage / "base")
    folder.recover()
    for step, x in ((0, 1), (2, 2), (3, 2)):
        moves = {name: MoveRecord((x, 2), "🙂", f"{name} @ here", None) for name in folder.meta.persona_names[::-1]}
        moves["Ben Reed"] = MoveRecord((5, 5), "☕", "a @ b @ c", (("Ben Reed", "Hi"),))
        folder.write_movement(step, moves, folder.meta.curr_time)
    return folder


def test_the_master_file_is_the_classic_one(run, tmp_path):
    """Indented by two, a key for every step, the roster's order, four fields; meta and memories are byte copies."""
    compress(run.root, tmp_path / "out")
    ben = {"movement": [5, 5], "pronunciatio": "☕", "description": "a @ b @ c", "chat": [["Ben Reed", "Hi"]]}
    ada = {"movement": [1, 2], "pronunciatio": "🙂", "description": "Ada Stone @ here", "chat": None}
    master = {
        "0": {"Ada Stone": ada, "Ben Reed": ben},
        "1": {},
        "2": {"Ada Stone": ada | {"movement": [2, 2]}},
        "3": {},
    }
    assert (tmp_path / "out/master_movement.json").read_text("utf-8") == json.dumps(master, indent=2)
    assert (tmp_path / "out/meta.json").read_bytes() == (run.root / "reverie/meta.json").read_bytes()


def test_every_movement_file_can_be_had_back(run, tmp_path, files_below):
    """The states of the master file are what the movement files show; the memories are byte copies."""
    compress(run.root, tmp_path / "out")
    shown = list(states(json.loads((tmp_path / "out/master_movement.json").read_text("utf-8"))))
    for step in (0, 2, 3):
        original = json.loads((run.root / f"movement/{step}.json").read_text("utf-8"))["persona"]
        assert shown[step] == original
    assert files_below(tmp_path / "out/personas") == files_below(run.root / "personas")


def test_faults_leave_no_folder(run, tmp_path, put):
    """Nothing to compress, a broken step, a taken name: one clear line, and no half replay."""
    put(run.root / "movement/3.json", '{"persona": {"Ada Stone": {}}}')
    with pytest.raises(CorruptFile, match=r"3.json: persona.Ada Stone.* Remove the file"):
        compress(run.root, tmp_path / "out")
    for path in (run.root / "movement").iterdir():
        path.unlink()
    with pytest.raises(CorruptFile, match="holds no steps"):
        compress(run.root, tmp_path / "out")
    with pytest.raises(SimulationExists, match="already there"):
        compress(run.root, run.root)
    assert not list(tmp_path.glob("*out*"))


def test_what_is_compressed_is_read_again(run, tmp_path):
    """Step by step; invalid records are left out and named, and steps without changes may be missing."""
    compress(run.root, tmp_path / "out")
    master = json.loads((tmp_path / "out/master_movement.json").read_text("utf-8"))
    assert read_master(tmp_path / "out") == ({int(step): change for step, change in master.items()}, [])
    wrong = master["0"] | {"Ben Reed": {"movement": 5}}
    (tmp_path / "out/master_movement.json").write_text(json.dumps({"0": wrong, "x": {}}), "utf-8")
    frames, flaws = read_master(tmp_path / "out")
    assert frames == {0: {"Ada Stone": master["0"]["Ada Stone"]}}
    assert "out/master_movement.json: x is not a step." in map(str, flaws)
    assert {flaw.keys[:2] for flaw in flaws} == {("0", "Ben Reed"), ("x",)}
