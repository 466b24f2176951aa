"""A session at the prompt, at a terminal: keys are pressed, the screen is read."""

import json
import re

import pytest
from terminal_session import ENTER, INTERRUPT, OPTION, TAB, UP, Session

from ville.storage.exchange.inbox import Inbox
from ville.storage.steps.step_store import StepStore


@pytest.fixture
def session(storage):
    pytest.importorskip("pty", reason="a terminal of one's own needs a Unix")
    with Session(storage) as session:
        yield session


def begin(session, name):
    session.until("forked simulation:")
    session.press("base", ENTER)
    session.until("new simulation:")
    session.press(name, ENTER)
    session.until("Press Tab to complete.")


def saved_step(storage, name):
    return json.loads((storage.folder(name) / "reverie/meta.json").read_text("utf-8"))["step"]


@pytest.mark.slow
def test_an_interrupt_finishes_the_step_saves_and_comes_back(session, storage):
    """While it runs, one line tells the time, the speed and who does what; afterwards the prompt serves on."""
    begin(session, "first")
    session.type("run 100000")
    session.until("No browser connected")
    session.until("steps/s")
    session.until("Ada ")
    session.press(INTERRUPT)
    session.until("Finishing this step, then saving.")
    session.type("print current time")
    step = int(re.search(r"steps: (\d+)", session.until("\n" + OPTION))[1])
    assert 0 < step == saved_step(storage, "first")
    session.press("exit", ENTER)
    session.until(f"first is back at its save of step {step:,}.")
    assert session.left() == 0
    assert json.loads((storage.root / "temp/backend_status.json").read_text("utf-8"))["state"] == "stopped"
    assert len(StepStore(storage.folder("first")).shown()) == step


@pytest.mark.slow
def test_an_interrupt_at_the_questions_leaves(session):
    """With the exit code of an interrupt; there is nothing to lose yet."""
    session.until("forked simulation:")
    session.press(INTERRUPT)
    assert session.left() == 130


def test_tab_completes_and_up_repeats(session):
    """Commands first, then people; what was typed comes back with the arrow key."""
    begin(session, "first")
    session.until(OPTION)
    session.press("print cur", TAB)
    session.until("rent time")
    session.press(ENTER)
    session.until("steps: 0")
    session.until(OPTION)
    session.press("print persona current tile Cl", TAB)
    session.until("eo Adams Moor")
    session.press(ENTER)
    session.until("(11, 2)")
    session.until(OPTION)
    session.press(UP, ENTER)
    session.until("(11, 2)")


@pytest.mark.slow
def test_wrong_names_are_asked_for_again(session):
    """And an interrupt at the prompt tells how to leave."""
    session.until("forked simulation:")
    session.press("nowhere", ENTER)
    session.until("new simulation:")
    session.press("first", ENTER)
    session.until("There is no simulation 'nowhere'")
    begin(session, "first")
    session.until(OPTION)
    session.press(INTERRUPT)
    session.until("Type 'fin' to save and leave, or 'exit' to leave without saving.")
    session.type("fin")
    session.until("Saved first: ")
    assert session.left() == 0


@pytest.mark.slow
def test_requests_do_not_disturb_what_is_typed(session, storage):
    """Their lines and the progress of their run appear above the prompt; Ctrl-C ends that run, and the prompt serves
    on.
    """
    begin(session, "first")
    session.until(OPTION)
    outside = Inbox(storage.root / "temp", "first", fsync=False)
    session.press("print cur")
    outside.send({"id": "slow", "request": "speed", "speed": 600})
    outside.send({"id": "run", "request": "run", "steps": 10**6, "by": "Eve"})
    session.until("[api, Eve] Running until step 1,000,000.")
    session.until("of 1,000,000")
    session.press(TAB, ENTER)
    session.until("steps: ")
    session.until(OPTION)
    session.press(INTERRUPT)
    session.until("Finishing this step, then saving.")
    session.type("print current time")
    session.until("steps: ")
    step = int(re.match(r"\d+", session.until("\n"))[0])
    assert 0 < step == saved_step(storage, "first")
    outside.send({"id": "stop", "request": "stop"})
    session.until("[api] Saving and leaving.")
    assert session.left() == 0
