"""Laws of compressing a simulation."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ville.errors import CorruptFile, SimulationExists
from ville.storage.compressed.cast import read_cast, read_compressed_cast
from ville.storage.compressed.compression import (
    ENDS,
    GLIMPSE,
    GLIMPSES,
    compress,
    glimpsed_tiles,
    master_span,
    read_master,
    stays,
)
from ville.storage.compressed.unpacking import unpack
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.steps.frames import FrameRecord, changes
from ville.storage.steps.hour_pack import HOUR
from ville.storage.steps.step_files import MoveRecord
from ville.storage.steps.step_store import StepStore


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


@given(st.lists(st.sets(st.sampled_from("ABC"), min_size=1), min_size=1, max_size=12))
def test_stays_are_the_steps_in_which_somebody_is_there(present):
    """No others, and none twice."""
    frames = [{name: {"movement": [0, 0]} for name in names} for names in present]
    found = stays(changes(frames))
    inside = {name: [step for first, last in times for step in range(first, last + 1)] for name, times in found.items()}
    there = {name: [step for step, names in enumerate(present) if name in names] for name in set.union(*present)}
    assert inside == there


def test_the_cast_goes_with_the_recording(run, tmp_path):
    """Those who come or go, with looks and steps; older readers find the file as ever, and those who moved away."""
    rows = [
        {"kind": "visitor_in", "name": "Ada", "look": "visitor 1", "about": "a <b>reporter</b>", "tile": [1, 2]},
        {"kind": "visitor_in", "name": "../../Eve", "look": "x", "about": "", "tile": [1, 2]},
        {"kind": "whisper", "who": "Ben Reed", "words": '"visitor_in"'},
        {"kind": "resident_out", "who": "Ben Reed"},
        {"kind": "resident_in", "name": 5},
    ]
    log = run.root / "reverie/interventions.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"kind": "visitor_in", "na', "utf-8")
    (run.root / "reverie/former").mkdir()
    (run.root / "personas/Ben Reed").rename(run.root / "reverie/former/Ben Reed")
    for step, (gone, visitor) in {2: (False, True), 3: (True, False)}.items():
        path = run.root / f"movement/{step}.json"
        frame = json.loads(path.read_text("utf-8"))
        if visitor:
            frame["persona"]["Ada"] = frame["persona"]["Ben Reed"]
        if gone:
            del frame["persona"]["Ben Reed"]
        path.write_text(json.dumps(frame), "utf-8")
    compress(run.root, tmp_path / "out")
    assert list(read_cast(run.root)) == ["Ada", "Ben Reed"]
    assert (read_cast(run.root)["Ada"].look, read_cast(run.root)["Ada"].visitor) == ("visitor_1", True)
    assert read_compressed_cast(tmp_path / "out") == (
        read_cast(run.root),
        {"Ada": [(2, 2)], "Ben Reed": [(0, 2)]},
        [],
    )
    master = json.loads((tmp_path / "out/master_movement.json").read_text("utf-8"))
    shown = [record for change in master.values() for record in change.values()]
    assert all({*record} == {*FrameRecord.__annotations__} for record in shown)
    assert (tmp_path / "out/personas/Ben Reed/bootstrap_memory/scratch.json").exists()


def test_a_cast_may_leave_out_when_people_are_here(tmp_path, put):
    """Or say that it does not know."""
    put(tmp_path / "cast.json", '{"Ada": {"here": null}, "Ben": {}, "Cleo": {"here": [[1, 2]]}}')
    cast, stays, flaws = read_compressed_cast(tmp_path)
    assert ([*cast], stays, flaws) == (["Ada", "Ben", "Cleo"], {"Cleo": [(1, 2)]}, [])


def test_a_recording_that_is_made_a_simulation_again_has_its_hours_packed(run, tmp_path):
    """If that is asked for: the same movements and positions, in two files for each complete hour less."""
    record = {"movement": [1, 2], "pronunciatio": "", "description": "rests @ home", "chat": None}
    steps = {str(step): {"Ada Stone": record | {"movement": [step % 7, 2]}} for step in range(HOUR + 5)}
    compress(run.root, tmp_path / "out")
    (tmp_path / "out/master_movement.json").write_text(json.dumps(steps), "utf-8")
    texts, files = [], []
    for name, packs in (("loose", False), ("packed", True)):
        unpack(tmp_path / "out", tmp_path / name, packs=packs)
        store = StepStore(tmp_path / name)
        texts.append([(store.movement_bytes(step), store.environment_bytes(step)) for step in range(len(steps))])
        files.append(sum(1 for _ in (tmp_path / name).rglob("*.json")))
    assert texts[0] == texts[1]
    assert files[0] - files[1] == 2 * HOUR


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


said = st.text() | st.sampled_from(['"9": {"a": {"b"', "\\", "{}}", '"8": {}', '\\"7": {"a": {"'])
records = st.builds(
    lambda x, text: {"movement": [x, 3], "pronunciatio": text, "description": text, "chat": [[text, text]]},
    st.integers(0, 99), said,
)  # fmt: skip
frames = st.dictionaries(st.sampled_from(["Ada", "7", 'A "3": {"']), records, max_size=3)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 30), st.lists(frames, min_size=1, max_size=4), st.sampled_from([2, None]))
def test_both_ends_of_a_recording_tell_its_steps(tmp_path, empty, later, indent):
    """A fork begins with empty steps, and texts may look like steps: reading everything has the last word."""
    master = dict(enumerate([*[{}] * empty, *later]))
    (tmp_path / "master_movement.json").write_text(json.dumps(master, indent=indent), "utf-8")
    found, flaws = read_master(tmp_path)
    filled = [step for step in found if found[step]]
    assert (master_span(tmp_path), flaws) == (range(filled[0], len(master)) if filled else None, [])


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"0": {"Ada": {}}}', '{"0": {"Ada": {"movement": [1, 2]}}'])
def test_ends_of_no_recording_tell_nothing(tmp_path, content):
    """Nor those of half a file: then all of it is read, and what is wrong with it said."""
    assert master_span(tmp_path) is None
    (tmp_path / "master_movement.json").write_text(content, "utf-8")
    assert master_span(tmp_path) is None


def test_of_a_large_recording_only_parts_are_looked_at(tmp_path):
    """Its steps lie beyond what is read of each end, and a broken middle is not noticed; tiles are from all over it."""
    record = {"movement": [0, 3], "pronunciatio": "🙂", "description": "x" * 1000, "chat": None}
    master = {step: {"Ada": record | {"movement": [step, 3]}} for step in range(3 * ENDS // 1000)}
    text = json.dumps(master, indent=2)
    (tmp_path / "master_movement.json").write_text(text, "utf-8")
    assert master_span(tmp_path) == range(len(master))
    tiles = glimpsed_tiles(tmp_path)
    assert {y for _, y in tiles} == {3}
    steps = [step for step, _ in tiles]
    assert GLIMPSES <= len(steps) <= 5 * GLIMPSES
    assert max(steps) - min(steps) > 0.95 * len(master)
    (tmp_path / "master_movement.json").write_text(text[: GLIMPSES * GLIMPSE], "utf-8")
    assert glimpsed_tiles(tmp_path) == []
    middle = len(text) // 2
    (tmp_path / "master_movement.json").write_text(text[:middle] + "?" + text[middle + 1 :], "utf-8")
    assert master_span(tmp_path) == range(len(master))
