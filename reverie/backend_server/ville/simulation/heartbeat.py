"""What the pages are told about the engine, at least every second, also while it waits for a command or for a model."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, Literal

from ville.errors import CannotWrite
from ville.simulation.simulation import Simulation
from ville.storage.dates import time_text
from ville.storage.temp_storage import TempStorage

BEAT = 0.5
"""Seconds."""

State = Literal["waiting", "running", "stopped"]


@contextmanager
def publish_status(simulation: Simulation, mailbox: TempStorage) -> Iterator[None]:
    """Inside, the status in the mailbox is never older than a second; afterwards it says that the engine has stopped.

    A thread, because a plain prompt holds up everything else. It only looks, and what it looks at is replaced whole.
    """
    over = threading.Event()

    def beat() -> None:
        while True:
            _report(mailbox, status(simulation, "waiting" if simulation.until_step is None else "running"))
            if over.wait(BEAT):
                return

    heart = threading.Thread(target=beat, name="heartbeat", daemon=True)
    heart.start()
    try:
        yield
    finally:
        over.set()
        heart.join()
        _report(mailbox, status(simulation, "stopped"))


def status(simulation: Simulation, state: State) -> dict[str, Any]:
    """Return how far the simulation is, who thinks, until when everyone sleeps, whether a browser watches, and how many
    questions have ended in a fallback.
    """
    clock, busy = simulation.clock, simulation.services.thinking
    waking = asleep_until(simulation)
    return {
        "sim_code": simulation.name,
        "state": state,
        "step": clock.step,
        "until_step": simulation.until_step,
        "busy": [name for name in simulation.town.personas if name in busy],
        "curr_time": time_text(clock.now),
        "asleep_until": time_text(waking) if waking else None,
        "browser": simulation.browser,
        "fallbacks": simulation.services.breaker.fallbacks,
    }


def asleep_until(simulation: Simulation) -> datetime | None:
    """When the first of them will do something else; None while anybody is awake."""
    actions = [persona.scratch.action for persona in simulation.town.personas.values()]
    sleeping = [action for action in actions if action and action.asleep]
    return min(action.ends for action in sleeping) if sleeping and len(sleeping) == len(actions) else None


def _report(mailbox: TempStorage, told: dict[str, Any]) -> None:
    """A page that is not told is no reason to stop; a full disk is noticed by the run itself."""
    with suppress(CannotWrite):
        mailbox.report(told)
