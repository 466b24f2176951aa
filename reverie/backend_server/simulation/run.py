"""Step after step: tell who watches, save every now and then, stop when asked to or when the telephone is dead."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from errors import BudgetSpent, ModelError, NotRecorded, Refused
from simulation.simulation import Simulation
from simulation.step import StepReport

TIMES = 5
"""Steps in a row in which telephones fail and none works, after which a run stops."""
FINAL = (Refused, BudgetSpent, NotRecorded)
"""Faults that the next step would meet again."""


class Stop:
    """A wish to stop after the present step."""

    def __init__(self) -> None:
        self.wished = False

    def wish(self) -> None:
        self.wished = True


@contextmanager
def stopping_on_interrupt(stop: Stop, notice: Callable[[], None]) -> Iterator[None]:
    """Inside, the first Ctrl-C is a wish to stop, the second a KeyboardInterrupt. Only for the main thread."""

    def interrupted(_signal: int, _frame: FrameType | None) -> None:
        if stop.wished:
            raise KeyboardInterrupt
        stop.wish()
        notice()

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


async def run(
    simulation: Simulation, steps: int, *, autosave: int, watch: Callable[[StepReport], None], stop: Stop
) -> None:
    """Advance by so many steps, or until told to stop; then the simulation is saved.

    `autosave` is the number of steps between two saves, 0 for none. Raises a ModelError, after saving, when the
    telephone will not work again by itself; raises StorageError.
    """
    simulation.until_step = simulation.clock.step + steps
    try:
        await _steps(simulation, steps, autosave=autosave, watch=watch, stop=stop)
    finally:
        simulation.until_step = None


async def _steps(
    simulation: Simulation, steps: int, *, autosave: int, watch: Callable[[StepReport], None], stop: Stop
) -> None:
    patience = TIMES
    for _ in range(steps):
        report = await simulation.advance()
        watch(report)
        patience = _patience_left(report, patience)
        if fault := _verdict(report, patience):
            simulation.save()
            raise fault
        if stop.wished:
            simulation.save()
            return
        if autosave and simulation.clock.step % autosave == 0:
            simulation.save()


def _patience_left(report: StepReport, patience: int) -> int:
    """A step in which nobody had to ask says nothing about the telephone."""
    if any(name not in report.failures and tally.asked for name, tally in report.tallies.items()):
        return TIMES
    return patience - 1 if report.failures else patience


def _verdict(report: StepReport, patience: int) -> ModelError | None:
    """The fault that ends the run, if one does."""
    final = [fault for fault in report.failures.values() if isinstance(fault, FINAL)]
    hopeless = list(report.failures.values()) if patience <= 0 else []
    return next(iter(final + hopeless), report.hopeless)
