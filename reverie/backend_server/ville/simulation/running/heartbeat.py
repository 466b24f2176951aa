"""Publishes the engine's status to the pages at least once a second, also while it waits for a command or a model."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Literal

from ville.errors import CannotWrite
from ville.json_types import JsonObject
from ville.simulation.pacing.run_control import RunState
from ville.simulation.services import RunServices
from ville.simulation.simulation import Simulation
from ville.storage.dates import time_text
from ville.storage.exchange.temp_storage import TempStorage
from ville.world.occurrences import LastingState, Occurrence

BEAT = 0.5
"""Seconds between two updates."""

State = RunState | Literal["stopped"]


@contextmanager
def publish_status(simulation: Simulation, temp_storage: TempStorage) -> Iterator[None]:
    """Keep the published status up to date inside this context; afterwards publish that the engine has stopped.

    Uses a thread, because a long computation blocks the event loop. The thread only reads, and the objects that it
    reads are replaced as a whole.
    """
    try:
        with beating(lambda: temp_storage.report(status(simulation, simulation.control.state))):
            yield
    finally:
        with suppress(CannotWrite):
            temp_storage.report(status(simulation, "stopped"))


@contextmanager
def publish_engine(state: Callable[[], JsonObject], temp_storage: TempStorage) -> Iterator[None]:
    """Keep the state of an engine that opens simulations up to date inside this context.

    Afterwards it has left, unless the context ends by an error: the next engine then knows what was open.
    """
    with beating(lambda: temp_storage.report_engine(state())):
        yield
    with suppress(CannotWrite):
        temp_storage.withdraw_engine()


@contextmanager
def beating(report: Callable[[], None]) -> Iterator[None]:
    """Report regularly inside this context. Errors are ignored: pages without a status do not matter, and the run
    itself notices a full disk.
    """
    over = threading.Event()

    def beat() -> None:
        while True:
            with suppress(CannotWrite):
                report()
            if over.wait(BEAT):
                return

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def status(simulation: Simulation, state: State) -> JsonObject:
    """Return the status that pages show: progress, busy personas, browser, fallbacks, and what users have set off."""
    clock, control, busy = simulation.clock, simulation.control, simulation.services.thinking
    waking, occurrences = asleep_until(simulation), simulation.town.occurrences
    return {
        "sim_code": simulation.name,
        "state": state,
        "step": clock.step,
        "until_step": control.until_step,
        "until_talk": control.until_talk,
        "speed": control.speed.as_json(),
        "last_request": control.last_request,
        "busy": [name for name in simulation.town.personas if name in busy],
        "curr_time": time_text(clock.now),
        "asleep_until": time_text(waking) if waking else None,
        "browser": simulation.browser,
        "fallbacks": simulation.services.breaker.fallbacks,
        "waiting_for": simulation.waiting(),
        "said": simulation.said.last(),
        "ended": control.ended,
        "fault": control.fault,
        "cost": cost_of(simulation.services),
        "visit": _visit(simulation),
        "models": simulation.services.models_line,
        "lasting": [_lasting(each) for each in (*occurrences.objects, *occurrences.events)],
    }


def cost_of(services: RunServices) -> JsonObject | None:
    """Return what the simulation has used so far; None under the rules."""
    spend = services.spend
    if spend is None:
        return None
    return {"calls": spend.calls, "tokens": spend.tokens, "dollars": spend.cost, "limit": services.cost_limit}


def _visit(simulation: Simulation) -> JsonObject | None:
    """Return the visitor in town, and whom it talks with; None without one."""
    visit = simulation.visit
    if visit is None:
        return None
    waiting = simulation.control.awaits_visitor
    return {"name": visit.name, "turn": visit.turn, "with": visit.partner, "waiting": waiting}


def _lasting(occurrence: Occurrence) -> JsonObject:
    """Return a state of an object or an event at a place, as pages read it."""
    kind = "object" if isinstance(occurrence, LastingState) else "event"
    return {"kind": kind, "where": occurrence.where, "words": occurrence.words, "until": occurrence.until}


def asleep_until(simulation: Simulation) -> datetime | None:
    """Return when the first persona wakes up if all are asleep; otherwise None."""
    actions = [persona.action for persona in simulation.town.personas.values()]
    sleeping = [action for action in actions if action and action.asleep]
    return min(action.ends for action in sleeping) if sleeping and len(sleeping) == len(actions) else None
