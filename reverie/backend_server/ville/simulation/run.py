"""Step after step: tell who watches, save every now and then, stop when asked to or when the telephone is dead.

Ctrl-C, and the signals by which a system or a closing terminal ends a program, are wishes to stop: see `Stop`.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from ville.errors import BudgetSpent, ModelError, NotRecorded, Refused
from ville.simulation.simulation import Simulation
from ville.simulation.step import StepReport

TIMES = 5
"""Steps in a row in which telephones fail and none works, after which a run stops."""
FINAL = (Refused, BudgetSpent, NotRecorded)
"""Faults that the next step would meet again."""
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
"""Signals to end, as far as this system has them; SIGBREAK comes when a console of Windows is closed."""
SIGNALLED = 128
"""The exit code that a shell expects of a program ended by a signal, less the signal's number."""


class Ended(BaseException):
    """Somebody wants the program to end. Raised where nothing else is to happen first."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = SIGNALLED + number


class Stop:
    """A wish to stop after the present step."""

    def __init__(self) -> None:
        self.wished = False
        self.ended_by = 0
        """The signal by which the program is to end as well."""

    def wish(self, ended_by: int = 0) -> None:
        self.wished = True
        self.ended_by = ended_by

    @property
    def code(self) -> int:
        """The exit code that tells of it."""
        return SIGNALLED + (self.ended_by or signal.SIGINT) if self.wished else 0


def _unheeded(_signal: int, _frame: FrameType | None) -> None:
    """One came before, and is being heeded."""


def raise_ended(number: int) -> None:
    raise Ended(number)


@contextmanager
def on_ending(act: Callable[[int], None]) -> Iterator[None]:
    """Inside, the first signal to end is handed to `act`; the process ignores all that follow, and saves in peace.

    One that was ignored before, as under nohup, is ignored here. Only for the main thread.
    """
    heeded = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]

    def end(number: int, _frame: FrameType | None) -> None:
        for each in heeded:
            signal.signal(each, _unheeded)
        act(number)

    before = {number: signal.signal(number, end) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is not _unheeded:  # as it is as soon as one has come
                signal.signal(number, handler)


@contextmanager
def stopping_on_interrupt(stop: Stop, notice: Callable[[], None]) -> Iterator[None]:
    """Inside, the first Ctrl-C is a wish to stop, the second a KeyboardInterrupt; a signal to end is a wish as well.

    Only for the main thread.
    """

    def interrupted(_signal: int, _frame: FrameType | None) -> None:
        if stop.wished:
            raise KeyboardInterrupt
        stop.wish()
        notice()

    def ended(number: int) -> None:
        stop.wish(number)
        notice()

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        with on_ending(ended):
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
