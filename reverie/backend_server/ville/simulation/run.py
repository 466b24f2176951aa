"""Step after step: tell who watches, save every now and then, stop when asked to or when the telephone is dead.

Ctrl-C, and the signals by which a system or a closing terminal ends a program, are wishes to stop: see `Stop`.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from ville.errors import BudgetSpent, LedgerError, ModelError, Refused
from ville.simulation.simulation import Simulation
from ville.simulation.step import StepReport

MAX_FAILED_STEPS = 5
"""Steps in a row in which telephones fail and none works, after which a run stops."""
FATAL = (Refused, BudgetSpent, LedgerError)
"""Faults that the next step would meet again."""
END_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
"""Signals to end, as far as this system has them; SIGBREAK comes when a console of Windows is closed."""
SIGNAL_EXIT_BASE = 128
"""The exit code that a shell expects of a program ended by a signal, less the signal's number."""


class EndSignal(BaseException):
    """Somebody wants the program to end. Raised where nothing else is to happen first."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = SIGNAL_EXIT_BASE + number


class StopRequest:
    """A wish to stop after the present step."""

    def __init__(self) -> None:
        self.requested = False
        self.signal_number = 0
        """The signal by which the program is to end as well."""

    def request(self, signal_number: int = 0) -> None:
        self.requested = True
        self.signal_number = signal_number

    @property
    def code(self) -> int:
        """The exit code that tells of it."""
        return SIGNAL_EXIT_BASE + (self.signal_number or signal.SIGINT) if self.requested else 0


def _ignore_signal(_signal: int, _frame: FrameType | None) -> None:
    """One came before, and is being heeded."""


def raise_end_signal(number: int) -> None:
    raise EndSignal(number)


@contextmanager
def on_end_signal(act: Callable[[int], None]) -> Iterator[None]:
    """Inside, the first signal to end is handed to `act`; the process ignores all that follow, and saves in peace.

    One that was ignored before, as under nohup, is ignored here. Only for the main thread.
    """
    heeded = [number for number in END_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]

    def end(number: int, _frame: FrameType | None) -> None:
        for each in heeded:
            signal.signal(each, _ignore_signal)
        act(number)

    before = {number: signal.signal(number, end) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is not _ignore_signal:  # as it is as soon as one has come
                signal.signal(number, handler)


@contextmanager
def stop_on_interrupt(stop: StopRequest, notice: Callable[[], None]) -> Iterator[None]:
    """Inside, the first Ctrl-C is a wish to stop, the second a KeyboardInterrupt; a signal to end is a wish as well.

    Only for the main thread.
    """

    def interrupted(_signal: int, _frame: FrameType | None) -> None:
        if stop.requested:
            raise KeyboardInterrupt
        stop.request()
        notice()

    def ended(number: int) -> None:
        stop.request(number)
        notice()

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        with on_end_signal(ended):
            yield
    finally:
        signal.signal(signal.SIGINT, before)


async def run(
    simulation: Simulation, steps: int, *, autosave: int, watch: Callable[[StepReport], None], stop: StopRequest
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
    simulation: Simulation, steps: int, *, autosave: int, watch: Callable[[StepReport], None], stop: StopRequest
) -> None:
    patience = MAX_FAILED_STEPS
    for _ in range(steps):
        report = await simulation.advance()
        watch(report)
        patience = _failures_left(report, patience)
        if fault := _fatal_error(report, patience):
            simulation.save()
            raise fault
        if stop.requested:
            simulation.save()
            return
        if autosave and simulation.clock.step % autosave == 0:
            simulation.save()


def _failures_left(report: StepReport, patience: int) -> int:
    """A step in which nobody had to ask says nothing about the telephone."""
    if any(name not in report.failures and tally.asked for name, tally in report.tallies.items()):
        return MAX_FAILED_STEPS
    return patience - 1 if report.failures else patience


def _fatal_error(report: StepReport, patience: int) -> ModelError | None:
    """The fault that ends the run, if one does."""
    final = [fault for fault in report.failures.values() if isinstance(fault, FATAL)]
    fatal = list(report.failures.values()) if patience <= 0 else []
    return next(iter(final + fatal), report.fatal)
