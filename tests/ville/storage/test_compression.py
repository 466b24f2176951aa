"""Laws of compressing a simulation."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import CorruptFile, SimulationExists
from ville.storage.compression import changes, compress
from ville.storage.simulation_folder import SimulationFolder
from ville.storage.step_files import MoveRecord

names = st.sampled_from(["Ada Stone", "Ben Reed", "Cy Doe"])
records = st.fixed_dictionaries(
    {
        "movement": st.lists(st.integers(0, 2), min_size=2, max_size=2),
        "pronunciatio": st.sampled_from(["😴", "☕"]),
        "description": st.just("sleeping @ the Town"),
        "chat": st.none() | st.just([["Ada Stone", "Hello"]]),
    }
)
roster = ["Ada Stone", "Ben Reed", "Cy Doe"]
frames = st.lists(st.fixed_dictionaries(dict.fromkeys(roster, records)), min_size=1, max_size=6)


def states(master):
    """The way back, as docs/storage.md words it: of everybody the latest record up to a step."""
    frame = {}
    for changed in master.values():
        frame = frame | changed
        yield frame


@given(frames)
def test_changes_hold_all_and_nothing_twice(frames):
    """The states of the changes are the frames, and no record repeats what its persona did last."""
    master = changes(frames, roster)
    assert list(states(master)) == frames
    assert list(master) == [str(number) for number in range(len(frames))]
    assert list(master["0"]) == roster
    for number, before in enumerate(frames[:-1], start=1):
        assert all(before[name] != record for name, record in master[str(number)].items())


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
    with pytest.raises(CorruptFile, match=r"3.json is no movement file"):
        compress(run.root, tmp_path / "out")
    for path in (run.root / "movement").iterdir():
        path.unlink()
    with pytest.raises(CorruptFile, match="holds no steps"):
        compress(run.root, tmp_path / "out")
    with pytest.raises(SimulationExists, match="already there"):
        compress(run.root, run.root)
    assert not list(tmp_path.glob("*out*"))
