"""A simulation in storage."""

import json
import os

import pytest

from translator.storage.runs.saved_simulation import SavedSimulation
from ville.errors import CorruptFile
from ville.storage.steps.frames import decoded


@pytest.fixture
def run(stage):
    """Eight steps."""
    return SavedSimulation(stage.save("run", stage.walk(8)))


def test_frames_begin_whole_and_go_on_in_changes(run, stage):
    """Laid over one another they are the movement files."""
    shown = {}
    for step, text in enumerate(run.frames(2, 7), start=2):
        shown |= decoded(text)
        assert shown == stage.walk(8)[step]


def test_a_step_that_is_missing_is_as_the_one_before(run, stage):
    """Gaps and half-written files are passed over, wherever one begins."""
    (run.root / "movement" / "4.json").unlink()
    (run.root / "movement" / "5.json").write_text('{"persona": {"Ada', "utf-8")
    assert run.state(5) == stage.walk(8)[3]
    assert [decoded(text) for text in run.frames(5, 6)] == [stage.walk(8)[3], stage.walk(8)[6]]
    assert [decoded(text) for text in run.frames(3, 5)] == [stage.walk(8)[3], {}, {}]


def test_people_stand_where_the_last_step_led(run, stage):
    """Whatever the positions say that were reported since."""
    assert run.positions() == {"Ada Stone": (7, 1), "Ben van Reed": (9, 1)}
    assert SavedSimulation(stage.save("new")).positions() == {"Ada Stone": (0, 1), "Ben van Reed": (0, 1)}


def test_a_run_is_as_long_as_its_last_movement(run, stage):
    """And a simulation that was never run has none."""
    assert run.steps == 8
    assert SavedSimulation(stage.save("new")).steps == 0


def test_conversations_are_heard_once_and_go_on(run, stage):
    """A run that grows is heard further; a run that is written anew is heard anew."""
    talk = [(3, 5, ["Ada Stone", "Ben van Reed"])]
    assert [(t.first, t.last, t.names) for t in run.conversations()] == talk
    again = {"Ada Stone": stage.walk(4)[3]["Ada Stone"]}
    stage.show("run", 8, again)
    grown = SavedSimulation(run.root)
    assert [(t.first, t.last, t.names) for t in grown.conversations()] == [*talk, (8, 8, ["Ada Stone", "Ben van Reed"])]
    for step in range(9):
        stage.show("run", step, stage.walk(1)[0])
        os.utime(run.root / "movement" / f"{step}.json", ns=(step, step))
    assert SavedSimulation(run.root).conversations() == []


def test_a_damaged_meta_file_is_named(run):
    """With the folder it lies in."""
    (run.root / "reverie" / "meta.json").write_text(json.dumps({"step": 1}), "utf-8")
    with pytest.raises(CorruptFile, match=r"run/reverie/meta.json: curr_time is missing"):
        _ = run.meta


def test_a_run_that_was_cut_short_is_heard_anew(run):
    """The engine went back to a save: the steps after it are gone, and so is what was said in them."""
    assert len(run.conversations()) == 1
    for step in range(2, 8):
        (run.root / "movement" / f"{step}.json").unlink()
    assert SavedSimulation(run.root).conversations() == []
