"""The run loop: advance, notify the observer, save regularly, and stop on request or when the provider fails.

Ctrl-C and the signals that end a program request a stop: see `StopRequest`.
"""

import asyncio
import math
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from time import monotonic
from types import FrameType

from ville.errors import (
    BadIntervention,
    BudgetSpent,
    GivenUp,
    LedgerError,
    ModelError,
    Refused,
    ReverieError,
    UnknownPersona,
)
from ville.simulation.pacing.run_control import Ended
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.step import StepReport

MAX_FAILED_STEPS = 5
"""Consecutive steps with failed calls and no successful one after which a run stops."""
LONGEST_WAIT = 0.05
"""Seconds between two looks at what holds a run."""
FATAL = (Refused, BudgetSpent, LedgerError)
"""Errors that the next step would meet again."""
END_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
"""Signals that ask a program to end, as far as this system has them; closing a Windows console sends SIGBREAK."""
SIGNAL_EXIT_BASE = 128
"""A program ended by a signal exits with this number plus the number of the signal."""


class EndSignal(BaseException):
    """A signal asks the program to end. Raised where there is nothing to finish first."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = SIGNAL_EXIT_BASE + number


class StopRequest:
    """Flag that asks the run to stop after the current step."""

    def __init__(self, *, leaves: bool = False) -> None:
        self.requested = False
        self.leaves = leaves
        """Whether the simulation is closed after it: then, a step that waits for a model is not waited for."""
        self.signal_number = 0
        """Signal that also ends the program; 0 for Ctrl-C."""

    def request(self, signal_number: int = 0) -> None:
        self.requested = True
        self.signal_number = signal_number

    @property
    def gives_up(self) -> bool:
        """Whether a step that waits for a model is given up."""
        return self.requested and (self.leaves or self.signal_number > 0)

    @property
    def code(self) -> int:
        """The exit code after this request."""
        return SIGNAL_EXIT_BASE + (self.signal_number or signal.SIGINT) if self.requested else 0


def _ignore_signal(_signal: int, _frame: FrameType | None) -> None:
    """Ignore a repeated signal: the first one is being handled."""


def raise_end_signal(number: int) -> None:
    raise EndSignal(number)


@contextmanager
def on_end_signal(act: Callable[[int], None]) -> Iterator[None]:
    """Call `act` on the first end signal inside this context, and ignore all later ones, so that saving is not
    interrupted.

    Signals that were ignored before, as under nohup, stay ignored. Main thread only.
    """
    handled = [number for number in END_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]

    def end(number: int, _frame: FrameType | None) -> None:
        for each in handled:
            signal.signal(each, _ignore_signal)
        act(number)

    before = {number: signal.signal(number, end) for number in handled}
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is not _ignore_signal:  # it is after the first end signal
                signal.signal(number, handler)


@contextmanager
def stop_on_interrupt(stop: StopRequest, notice: Callable[[], None]) -> Iterator[None]:
    """Inside, the first Ctrl-C or end signal requests a stop, and a second Ctrl-C raises KeyboardInterrupt.

    Main thread only.
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
    """Advance until the given number of steps is done or a stop is requested. A stop saves the simulation.

    `simulation.control` can change the end and the speed, and hold the run between two steps.

    Args:
        simulation: the simulation to advance.
        steps: number of steps.
        autosave: steps between two saves; 0 means none.
        watch: called with the report of each step.
        stop: checked between two steps.

    Raises:
        GivenUp: the simulation was not saved, and is to be opened again from its last save.
        ModelError: the provider will not work again by itself. The simulation is saved first.
        StorageError: a file cannot be read or written.
    """
    control, fault = simulation.control, ""
    ended: Ended = "stopped"
    control.begin(simulation.clock.step + steps)
    simulation.town.look_at_all()  # whatever was done to them since the last run
    try:
        async with _giving_up(simulation, stop):
            ended = await _steps(simulation, autosave=autosave, watch=watch, stop=stop)
    except GivenUp:
        raise
    except ReverieError as error:
        ended, fault = "failed", str(error)
        raise
    finally:
        control.end(ended, fault)


@asynccontextmanager
async def _giving_up(simulation: Simulation, stop: StopRequest) -> AsyncIterator[None]:
    """End the work inside this context if a request to stop gives up what waits for a model. Raises GivenUp.

    A step of which others have done their part cannot be saved. Answers are kept, so nothing is asked again.
    """
    task = asyncio.current_task()
    given_up = False

    async def watch() -> None:
        nonlocal given_up
        while not (stop.gives_up and simulation.services.status()):  # noqa: ASYNC110 - signals set the flag
            await asyncio.sleep(LONGEST_WAIT)
        given_up = task is not None and task.cancel()

    watching = asyncio.create_task(watch())
    try:
        yield
    except asyncio.CancelledError:
        if not given_up or task is None or task.uncancel():
            raise
        raise GivenUp(
            f"{simulation.name} was stopped while it waited for a model. It goes on from its last save, step "
            f"{simulation.folder.meta.step:,}, and what was answered since then is not asked again."
        ) from None
    finally:
        watching.cancel()


async def _steps(
    simulation: Simulation, *, autosave: int, watch: Callable[[StepReport], None], stop: StopRequest
) -> Ended:
    """Advance, and return why the run has ended."""
    failures_left = MAX_FAILED_STEPS
    began = -math.inf
    ended: Ended = "reached"
    while ended == "reached" and await _is_wanted(simulation, stop):
        if (wait := _hold(simulation, monotonic() - began)) > 0:
            await asyncio.sleep(min(wait, LONGEST_WAIT))
            continue
        began = monotonic()
        async with aclosing(_advance(simulation, autosave, stop)) as reports:
            async for report in reports:
                watch(report)
                failures_left = _failures_left(report, failures_left)
                if error := _fatal_error(report, failures_left):
                    await reports.aclose()
                    raise await _saved(simulation, error)
        if autosave and simulation.clock.step % autosave == 0 and not stop.requested:
            await _save(simulation)
        if simulation.control.until_talk and report.talks:
            ended = "talk"
    await simulation.settle()
    if stop.requested:
        simulation.save()
    simulation.folder.write_held()
    return "stopped" if stop.requested or simulation.control.halted else ended


async def _is_wanted(simulation: Simulation, stop: StopRequest) -> bool:
    """Let others act between two steps, and return whether there is another step to compute."""
    await asyncio.sleep(0)  # a step in which everyone sleeps awaits nothing
    async with simulation.between_steps:
        return simulation.steps_left > 0 and not stop.requested


def _hold(simulation: Simulation, passed: float) -> float:
    """Return the seconds until the next step may begin, given those since the last one began."""
    return simulation.control.wait(simulation.clock.seconds_per_step, passed, simulation.visit)


async def _save(simulation: Simulation) -> None:
    """Save, once what people think about while they go on can be saved."""
    await simulation.settle()
    simulation.save()


async def _saved(simulation: Simulation, error: ModelError) -> ModelError:
    """Save, if all are at one step, and return the error that ends the run."""
    if not simulation.is_torn:
        await _save(simulation)
        return error
    return type(error)(f"{error} {simulation.name} goes on from its last save, step {simulation.folder.meta.step:,}.")


async def _advance(simulation: Simulation, autosave: int, stop: StopRequest) -> AsyncGenerator[StepReport, None]:
    """Compute steps up to the next save. If an intervention that is due cannot be applied, save and raise its error."""
    control, step = simulation.control, simulation.clock.step
    until = step + min(simulation.steps_left, autosave - step % autosave if autosave else simulation.steps_left)

    def in_step() -> bool:
        """Return whether the run can be held, or can end, after each step."""
        return control.until_talk or control.paused or not math.isinf(control.speed.factor)

    def is_to_end() -> bool:
        return stop.requested or in_step() or (control.until_step or 0) < until

    try:
        async with aclosing(simulation.own_steps(step + 1 if in_step() else until, is_to_end)) as reports:
            async for report in reports:
                yield report
    except (BadIntervention, UnknownPersona, ModelError):
        await _save(simulation)
        raise


def _failures_left(report: StepReport, before: int) -> int:
    """Return how many more failed steps are accepted. Steps without model calls do not change the number."""
    if any(name not in report.failures and tally.asked for name, tally in report.tallies.items()):
        return MAX_FAILED_STEPS
    return before - 1 if report.failures else before


def _fatal_error(report: StepReport, failures_left: int) -> ModelError | None:
    """Return the error that ends the run, if any."""
    fatal = [error for error in report.failures.values() if failures_left <= 0 or isinstance(error, FATAL)]
    return min(fatal, key=lambda error: not isinstance(error, FATAL), default=report.fatal)
