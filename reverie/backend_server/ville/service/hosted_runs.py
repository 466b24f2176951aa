"""The runs of an open simulation, begun by a command or by a request, and shown in the same way."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from ville.errors import ReverieError
from ville.settings import Settings
from ville.simulation.progress import EventLog, run_line
from ville.simulation.run import StopRequest, run
from ville.simulation.simulation import Simulation
from ville.simulation.step import StepReport
from ville.terminal.terminal import Progress, Terminal, show_waiting

ShowStep = Callable[[StepReport], None]
"""Shows how far a run has come."""


class Screen(Protocol):
    """Shows what happens in runs."""

    def event(self, *lines: str) -> None:
        """Show what happens in the town."""
        ...

    def fault(self, line: str) -> None:
        """Show the error that has ended a run."""
        ...

    def progress(self, simulation: Simulation) -> AbstractContextManager[ShowStep]:
        """Return a context for one run, with what shows each of its steps."""
        ...


class TerminalScreen:
    """Shows runs on a terminal, with a progress line."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self.event = self.fault = terminal.say

    @contextmanager
    def progress(self, simulation: Simulation) -> Iterator[ShowStep]:
        progress = Progress(self._terminal, run_line)
        try:
            with show_waiting(self._terminal, simulation.waiting):
                yield lambda report: progress.step(report, simulation.steps_left)
        finally:
            progress.end()


class QuietScreen:
    """Shows faults only; pages show the rest."""

    def __init__(self, fault: Callable[[str], None]) -> None:
        self.fault = fault

    def event(self, *lines: str) -> None:
        """No-op: pages show what happens."""

    @contextmanager
    def progress(self, _simulation: Simulation) -> Iterator[ShowStep]:
        yield lambda _report: None


def ignore_end() -> None:
    """No-op: nobody wants to know that a run has ended."""


class HostedRuns:
    """Runs the simulation in a task, one run at a time. Pages are told the same lines as the screen."""

    def __init__(
        self,
        simulation: Simulation,
        settings: Settings,
        screen: Screen,
        *,
        on_crash: Callable[[], None],
        on_end: Callable[[], None] = ignore_end,
    ) -> None:
        """`on_crash` is called if a run ends by an error that a user cannot fix; `finished` then raises it. Otherwise
        `on_end` is called at its end.
        """
        self._simulation = simulation
        self._settings = settings
        self._screen = screen
        self._on_crash, self._on_end = on_crash, on_end
        self._task: asyncio.Task[None] | None = None
        self.stop = StopRequest()
        """Stops the current run, or the last one."""

    @property
    def active(self) -> bool:
        return self._task is not None and not self._task.done()

    def go(self, until_step: int, *, until_talk: bool = False) -> None:
        """Begin a run, or change the end of the current one."""
        self._simulation.control.go(until_step, until_talk=until_talk)
        if not self.active:
            self.stop = StopRequest()
            self._task = asyncio.create_task(self._run(self.stop))
            self._task.add_done_callback(self._note_end)

    def _note_end(self, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            return
        if task.exception():
            self._on_crash()
        else:
            self._on_end()

    async def finished(self) -> None:
        """Wait for the end of the run, if there is one."""
        if self._task:
            await asyncio.shield(self._task)

    async def end(self, *, save: bool = True) -> None:
        """End the run after the current step."""
        if self.active and save:
            self.stop.request()
        elif self.active:
            self._simulation.control.halt(self._simulation.clock.step)
        await self.finished()

    async def _run(self, stop: StopRequest) -> None:
        """Run, and show what happens. Errors are shown too."""
        simulation, settings = self._simulation, self._settings
        events = EventLog(debug=settings.debug)
        try:
            with self._screen.progress(simulation) as show:

                def watch(report: StepReport) -> None:
                    lines = events.lines(report)
                    simulation.said.add(*lines)
                    self._screen.event(*lines)
                    show(report)

                await run(simulation, simulation.steps_left, autosave=settings.autosave, watch=watch, stop=stop)
        except ReverieError as fault:
            line = error_line(fault, debug=settings.debug)
            simulation.said.add(line)
            self._screen.fault(line)


def error_line(fault: ReverieError, *, debug: bool) -> str:
    return f"{type(fault).__name__}: {fault}" if debug else str(fault)
