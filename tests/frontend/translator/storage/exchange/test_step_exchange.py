"""The two letters of a step."""

import json
import os
import threading
import time
from functools import partial

import pytest

from translator.errors import BadRequest, Conflict
from translator.forms import MovementRequest, PositionReport
from translator.storage.exchange import step_exchange
from translator.storage.exchange.step_exchange import movement_of
from translator.storage.runs.saved_simulation import SavedSimulation
from ville.storage.exchange.temp_storage import REPORT, SIGN_OF_LIFE

accept_report = partial(step_exchange.accept_report, trusted=True)


@pytest.fixture
def run(stage):
    """Three steps, and the positions after the last not reported yet."""
    folder = stage.save("run", stage.walk(3))
    (folder / "environment" / "3.json").unlink()
    stage.announce("run")
    return SavedSimulation(folder)


@pytest.fixture
def report(stage):
    """Report of a page after the third step."""
    return {"sim_code": "run", "step": 3, "environment": stage.places(stage.walk(3)[2])}


def test_positions_are_laid_down_as_the_classic_server_did(run, report):
    """Byte for byte."""
    accept_report(run, PositionReport(**report))
    text = (run.root / "environment" / "3.json").read_bytes().decode()
    assert text == json.dumps(report["environment"], indent=2)


def test_people_come_and_go(run, report, stage):
    """A visitor may be reported; a resident who has just moved away need not be; others are still refused or missed."""
    frame = stage.walk(3)[2]
    stage.show("run", 2, {"Ada Stone": frame["Ada Stone"], "Eve": frame["Ada Stone"]})
    positions = {"Ada Stone": report["environment"]["Ada Stone"]}
    for wrong in ({}, positions | {"Zoe": positions["Ada Stone"]}):
        with pytest.raises(BadRequest):
            accept_report(run, PositionReport(**report | {"environment": wrong}))
    shown = positions | {"Eve": positions["Ada Stone"]}
    accept_report(run, PositionReport(**report | {"environment": shown}))
    assert json.loads((run.root / "environment" / "3.json").read_text("utf-8")) == shown


def test_saying_it_again_is_welcome(run, report):
    """A second tab says the same; the file stays as it is."""
    accept_report(run, PositionReport(**report))
    stamp = (run.root / "environment" / "3.json").stat().st_mtime_ns
    accept_report(run, PositionReport(**report))
    assert (run.root / "environment" / "3.json").stat().st_mtime_ns == stamp


def test_a_report_leaves_a_sign_whoever_was_quicker(run, report, stage):
    """The engine may have gone on without this page: by the sign it learns that the page reports again."""
    for _ in range(2):
        accept_report(run, PositionReport(**report))
        assert (stage.temp / REPORT).exists()
        (stage.temp / REPORT).unlink()


def test_another_tab_may_be_quicker(run, report, stage, monkeypatch):
    """It reports, and the engine shows the next step, just when this tab looks whether anybody has reported."""
    look = SavedSimulation.environment

    def interrupted(simulation, step):
        if not simulation.shows(3):
            stage.put("storage/run/environment/3.json", report["environment"])
            stage.show("run", 3, stage.walk(4)[3])
            return None
        return look(simulation, step)

    monkeypatch.setattr(SavedSimulation, "environment", interrupted)
    accept_report(run, PositionReport(**report))
    assert look(run, 3) == report["environment"]


@pytest.mark.parametrize("step", [0, 1, 3])
def test_what_was_said_is_not_changed(run, report, stage, step):
    """Not the past, not the present: who replays a run cannot rewrite it."""
    accept_report(run, PositionReport(**report))
    before = stage.files()
    moved = stage.places(stage.walk(9)[8])
    with pytest.raises(Conflict, match=f"Step {step}"):
        accept_report(run, PositionReport(**report | {"step": step, "environment": moved}))
    assert stage.files() == before


def test_half_a_report_is_written_anew(run, report):
    """A classic server may have died over it."""
    (run.root / "environment" / "3.json").write_text('{"Ada', "utf-8")
    accept_report(run, PositionReport(**report))
    assert run.environment(3) == report["environment"]


@pytest.mark.parametrize("step", [4, 999_999_999])
def test_nobody_waits_for_the_future(run, report, stage, step):
    """Positions before a step that has not come would be taken for an answer later."""
    before = stage.files()
    with pytest.raises(Conflict, match="does not wait"):
        accept_report(run, PositionReport(**report | {"step": step}))
    assert stage.files() == before


def test_the_whole_cast_is_reported(run, report, stage):
    """A missing persona and an unknown one are named."""
    before = stage.files()
    ben = report["environment"].pop("Ben van Reed")
    with pytest.raises(BadRequest, match="Ben van Reed is missing"):
        accept_report(run, PositionReport(**report))
    everybody = report["environment"] | {"Ben van Reed": ben, "😴": ben}
    with pytest.raises(BadRequest, match="called 😴"):
        accept_report(run, PositionReport(**report | {"environment": everybody}))
    assert stage.files() == before


def test_nobody_waits_for_the_past(run, report, stage):
    """A step that was computed without a report, as some engines do: its positions are not made up afterwards."""
    (run.root / "environment" / "2.json").unlink()
    before = stage.files()
    with pytest.raises(Conflict, match="does not wait"):
        accept_report(run, PositionReport(**report | {"step": 2}))
    assert stage.files() == before


def ask(step, wait=0.0):
    return MovementRequest(sim_code="run", step=step, wait=wait)


def test_the_answer_is_the_movement_with_its_number(run):
    """Or -1 as long as there is none, or only half of one."""
    said = json.loads((run.root / "movement" / "1.json").read_text("utf-8"))
    assert movement_of(run, ask(1)) == {**said, "<step>": 1}
    assert movement_of(run, ask(3)) == {"<step>": -1}
    (run.root / "movement" / "3.json").write_text('{"persona": {', "utf-8")
    assert movement_of(run, ask(3)) == {"<step>": -1}


def test_who_waits_is_answered_when_the_step_comes(run, stage):
    """Before the wait is over."""
    later = threading.Timer(0.2, stage.show, ("run", 3, stage.walk(4)[3]))
    later.start()
    assert movement_of(run, ask(3, wait=5.0))["<step>"] == 3
    later.join()


def test_a_wait_ends(run):
    """With -1, if the step does not come."""
    assert movement_of(run, ask(3, wait=0.05)) == {"<step>": -1}


def test_asking_is_a_sign_of_life_as_long_as_it_lasts(run, stage):
    """The engine looks at how old the sign is."""
    movement_of(run, ask(3))
    sign = stage.temp / SIGN_OF_LIFE
    old = time.time() - 60
    os.utime(sign, (old, old))
    movement_of(run, ask(3, wait=0.05))
    assert sign.stat().st_mtime > old + 30


def test_asking_for_what_cannot_come_yet_is_no_sign_of_life(run, stage):
    """A page of an earlier session is ahead of an engine that went back to its last save: it will not report now."""
    movement_of(run, ask(40))
    assert not (stage.temp / SIGN_OF_LIFE).exists()
    movement_of(run, ask(3))
    assert (stage.temp / SIGN_OF_LIFE).exists()
