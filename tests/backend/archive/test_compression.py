"""Laws of compressing a simulation and expanding it again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.compression import changes, compress, expand, states
from archive.simulation_folder import SimulationFolder
from archive.step_files import MoveRecord
from errors import CorruptFile, SimulationExists

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


def test_expanding_and_compressing_is_identity(run, tmp_path, files_below):
    """A compressed simulation, expanded and compressed again, has the same files byte for byte."""
    compress(run.root, tmp_path / "once")
    expand(tmp_path / "once", tmp_path / "again")
    compress(tmp_path / "again", tmp_path / "twice")
    assert files_below(tmp_path / "twice") == files_below(tmp_path / "once")


def test_compressing_and_expanding_brings_movement_back(run, tmp_path):
    """Every movement file of the run comes back as it showed people, and people stand where they were led."""
    compress(run.root, tmp_path / "once")
    expand(tmp_path / "once", tmp_path / "again")
    again = SimulationFolder(tmp_path / "again")
    for step in (0, 2, 3):
        original = json.loads((run.root / f"movement/{step}.json").read_text("utf-8"))["persona"]
        assert json.loads((again.root / f"movement/{step}.json").read_text("utf-8"))["persona"] == original
        assert again.read_environment(step + 1) == {name: tuple(move["movement"]) for name, move in original.items()}


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
