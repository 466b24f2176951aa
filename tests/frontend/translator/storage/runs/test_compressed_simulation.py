"""A run in compressed storage."""

import json
import os

import pytest

from translator.shown import page_data
from translator.storage.runs.compressed_simulation import WHOLE_EVERY, CompressedSimulation
from translator.storage.runs.saved_simulation import SavedSimulation
from ville.errors import CorruptFile
from ville.storage.compressed.compression import compress
from ville.storage.steps.frames import changed, decoded


@pytest.fixture
def run(stage):
    """Longer than the distance of two whole frames."""
    return CompressedSimulation(stage.compress("run", stage.walk(WHOLE_EVERY + 20)))


def test_every_step_is_as_it_was(run, stage):
    """State by state, before and after a frame that is kept whole."""
    frames = stage.walk(WHOLE_EVERY + 20)
    assert run.steps == len(frames)
    for step, frame in enumerate(frames):
        assert run.state(step) == frame


def test_both_shelves_show_the_same(run, stage):
    """A compressed run is the saved one: the same frames and conversations, byte for byte."""
    saved = SavedSimulation(stage.save("run", stage.walk(WHOLE_EVERY + 20)))
    for first, last in ((0, 7), (4, 4), (WHOLE_EVERY - 1, WHOLE_EVERY + 3), (WHOLE_EVERY, WHOLE_EVERY + 19)):
        assert list(run.frames(first, last)) == list(saved.frames(first, last))
    assert list(run.conversations()) == list(saved.conversations())


@pytest.fixture
def guests(stage):
    """A town in which a visitor comes, leaves and comes again, and Ben moves away; saved and compressed."""
    frames = stage.walk(WHOLE_EVERY + 20)
    for step, frame in enumerate(frames):
        if 5 <= step < 9 or step >= WHOLE_EVERY - 1:
            frame["Eve"] = frame["Ben van Reed"] | {"chat": [["Eve", "Hi"], ["Bob", "Who?"]] if step == 7 else None}
        if step > WHOLE_EVERY + 5:
            del frame["Ben van Reed"]
    saved = stage.save("run", frames, persona_names=["Ada Stone"])
    rows = [{"kind": "visitor_in", "name": "Eve", "look": "Ada_Stone"}, {"kind": "resident_out", "who": "Ben van Reed"}]
    stage.put("storage/run/reverie/interventions.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    compress(saved, stage.compressed / "run")
    return SavedSimulation(saved), CompressedSimulation(stage.compressed / "run"), frames


def test_people_come_and_go(guests):
    """At every step those are shown who are in town, wherever one begins, from both shelves."""
    for run in guests[:2]:
        assert [run.state(step) for step in range(len(guests[2]))] == guests[2]
        for first in (0, 6, WHOLE_EVERY, WHOLE_EVERY + 7):
            shown = {}
            for step, text in enumerate(run.frames(first, len(guests[2]) - 1), start=first):
                shown = changed(shown, decoded(text))
                assert shown == guests[2][step]
    saved, compressed, _ = guests
    assert list(saved.conversations()) == list(compressed.conversations())
    assert page_data.everyone(saved) == page_data.everyone(compressed)
    assert [each["name"] for each in page_data.everyone(saved)] == ["Ada Stone", "Eve", "Ben van Reed"]
    assert [each.get("visitor") for each in page_data.everyone(saved)] == [None, True, None]


def test_a_damaged_record_is_nobody_who_leaves(stage):
    """A persona whose record cannot be read in a step is shown as before."""
    folder = stage.save("run", stage.walk(6))
    damaged = stage.walk(6)[4] | {"Ben van Reed": {"movement": "?"}}
    stage.show("run", 4, damaged)
    last = [decoded(text) for text in SavedSimulation(folder).frames(3, 5)]
    assert None not in [record for change in last for record in change.values()]


def test_a_step_without_changes_may_be_missing(stage):
    """Some tools leave it out."""
    folder = stage.compress("run", stage.walk(8))
    frames = stage.walk(8)
    stage.put("compressed/run/master_movement.json", {"0": frames[0], "3": frames[3]})
    run = CompressedSimulation(folder)
    assert run.steps == 4
    assert run.state(2) == frames[0]
    assert [decoded(text) for text in run.frames(1, 3)] == [frames[0], {}, frames[3]]


def test_a_run_compressed_anew_is_read_anew(run, stage):
    """Though the old one is in memory."""
    assert run.steps == WHOLE_EVERY + 20
    folder = stage.compress("run", stage.walk(5))
    os.utime(folder / "master_movement.json", ns=(1, 1))
    assert CompressedSimulation(folder).steps == 5


@pytest.mark.parametrize("content", ["", "[]", '{"x": {}}', '{"0": {"Ada": {}}}', '{"0": {"Ada": 5}}', '{"0": 5}'])
def test_a_file_that_cannot_be_understood_says_so(stage, content):
    """Which file, where in it, and what to do about it."""
    folder = stage.compress("run", stage.walk(2))
    stage.put("compressed/run/master_movement.json", content)
    with pytest.raises(CorruptFile, match=r"^run/master_movement.json.*Compress the simulation again"):
        _ = CompressedSimulation(folder).steps


def test_a_missing_file_says_so(stage):
    """As above."""
    folder = stage.compress("run", stage.walk(2))
    (folder / "master_movement.json").unlink()
    with pytest.raises(CorruptFile, match=r"^run/master_movement.json.*Compress the simulation again"):
        _ = CompressedSimulation(folder).steps
