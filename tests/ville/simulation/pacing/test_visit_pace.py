"""The pace of a run while the page of a visitor is open."""

import asyncio
import math
from contextlib import suppress
from random import Random

import pytest

from ville.errors import BadIntervention
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import API
from ville.simulation.pacing import visit_pace
from ville.simulation.pacing.run_control import RunControl, Speed
from ville.simulation.pacing.visit_pace import MOST_TYPING, Visit
from ville.simulation.running.heartbeat import status
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.exchange.temp_storage import TempStorage
from ville.storage.records.intervention_log import LOG

MORNING = 7 * 60 + 30
STEP = 10
"""Seconds of game time."""
MOST_STEPS = 5_000
"""Far more than a visit takes."""
WAITED_FOR = {"with": "Ada Stone", "name": "Nora", "turn": True, "waiting": True}


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is told."""
    now = [1000.0]
    monkeypatch.setattr(visit_pace, "monotonic", lambda: now[0])
    return now


def test_a_run_is_never_slower_without_a_page(clock):  # noqa: ARG001 - time stands still
    """With one it takes two tiles a second at most, whatever the speed; a slower speed stays."""
    control = RunControl()
    assert control.wait(STEP, 0, None) == 0
    assert control.wait(STEP, 0, Visit("Nora", turn=True)) == 0
    assert control.wait(STEP, 0, Visit("Nora", "open")) == 0.5
    assert control.wait(STEP, 0.5, Visit("Nora", "open")) == 0
    control.speed = Speed(1)
    assert control.wait(STEP, 0, Visit("Nora", "open")) == 10
    control.paused = True
    assert control.wait(STEP, 0, Visit("Nora", "open", spoke=True)) == math.inf


def test_on_the_visitors_turn_it_waits_and_while_it_types_longer(clock):
    """At real time, and for twenty seconds in a turn while keys are pressed; what is said is answered at once."""
    control = RunControl()
    thinks = Visit("Nora", "open", partner="Ada Stone", turn=True, turns=1)
    types = Visit("Nora", "typing", partner="Ada Stone", turn=True, turns=1)
    assert control.wait(STEP, 4, thinks) == 6
    assert control.awaits_visitor
    clock[0] += 5
    assert control.wait(STEP, 9, types) == MOST_TYPING
    clock[0] += 5
    assert control.wait(STEP, 14, thinks) <= 0
    assert not control.awaits_visitor
    clock[0] += 5
    assert control.wait(STEP, 2, types) == MOST_TYPING - 10
    clock[0] += MOST_TYPING
    assert control.wait(STEP, 2, types) == 8
    later = Visit("Nora", "typing", partner="Ada Stone", turn=True, turns=3)
    assert control.wait(STEP, 2, later) == MOST_TYPING
    control.speed = Speed(0.1)
    assert control.wait(STEP, 0.5, Visit("Nora", "open", partner="Ada Stone", spoke=True, turns=2)) == 0
    control.speed = Speed()
    assert control.wait(STEP, 0.5, Visit("Nora", "typing", partner="Ada Stone", turn=True, walks=True, turns=3)) == 0


async def test_the_same_rows_with_other_pauses_give_the_same_bytes(opened, run_for, small_town, monkeypatch):
    """A visit at a page that is opened, typed at and left alone, and the same rows again without one."""
    monkeypatch.setattr(visit_pace, "VISIT_SPEED", 12_000)
    monkeypatch.setattr(visit_pace, "TURN_SPEED", 1_200)
    monkeypatch.setattr(visit_pace, "MOST_TYPING", 0.1)
    simulation = opened("new", notice=print)
    await run_for(simulation, MORNING)
    simulation.save()
    paced = opened("paced", "new", notice=print)
    await visited(paced, TempStorage(small_town.root / "temp"))
    await run_for(paced, 1)  # a row may have come after the last step: it takes effect before the next one
    paced.save()
    log = small_town.root / "storage/paced/reverie" / LOG
    again = opened("again", "new", interventions=log)
    await run_for(again, paced.clock.step - MORNING)
    again.save()
    assert files(small_town, "paced") == files(small_town, "again")


async def visited(simulation, temp):
    """Run while a visitor is with Ada, until the town has waited for the visitor's words, and has heard some."""
    lot, stop, waited = Random(3), StopRequest(), False  # noqa: S311 - the same draws in every run
    running = asyncio.create_task(run(simulation, MOST_STEPS, autosave=0, watch=lambda _: None, stop=stop))
    tile = simulation.town.tiles["Ada Stone"]
    await act(simulation, "visitor_in", look="visitor 3", about="a painter", tile=tile)
    while not (waited and sum(row["kind"] == "visitor_say" for row in simulation.intake._log.rows) > 2):
        assert not running.done()
        temp.show_visit("paced", "Nora", typing=lot.random() < 0.5)
        await asyncio.sleep(lot.random() * 0.1)
        waited |= status(simulation, "running")["visit"] == WAITED_FOR
        kind, fields = lot.choice(
            [("visitor_say", {"to": "Ada Stone", "words": "I paint the sea."}), ("visitor_walk", {})]
        )
        if kind == "visitor_walk":
            fields = {"to": simulation.town.tiles["Ada Stone"]}
        with suppress(BadIntervention):  # it is asleep, busy or somewhere else
            await act(simulation, kind, **fields)
    stop.request()
    await running


async def act(simulation, kind, **fields):
    await simulation.intervene(parse_intervention({"kind": kind, "name": "Nora", **fields}), source=API)


def files(small_town, name):
    """Return all files but the log, which has clock times."""
    return {path: content for path, content in small_town.files(name).items() if not path.endswith(LOG)}
