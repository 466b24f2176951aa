"""Hosts an open simulation: its pages, its runs, and in an engine without a prompt its requests, until it is closed."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from typing import Protocol

from ville.errors import GivenUp, ReverieError
from ville.service.listener import listening
from ville.settings import Settings
from ville.simulation.running.heartbeat import publish_status
from ville.simulation.running.progress import EventLog, run_line
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.running.run_summary import saved_line
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.step import StepReport
from ville.storage.exchange.temp_storage import TempStorage
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
    """No-op: there is no listener to notify of the end of a run."""


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
        self.given_up = False
        """Whether the last run was given up: the simulation cannot be saved then."""

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

    async def end(self, *, save: bool = True, leaves: bool = False) -> None:
        """End the run after the current step. `leaves`: the simulation is closed then."""
        if self.active and save:
            self.stop.leaves = leaves
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
            self.given_up = isinstance(fault, GivenUp)
            line = error_line(fault, debug=settings.debug)
            simulation.said.add(line)
            self._screen.fault(line)


@asynccontextmanager
async def published(simulation: Simulation, settings: Settings) -> AsyncIterator[None]:
    """Tell the pages of a simulation inside this context, and close it at its end. Raises CannotWrite."""
    with publish_status(simulation, TempStorage(settings.fs_temp_storage)):
        try:
            simulation.announce()
            yield
        finally:
            await simulation.close()


class HostedSimulation:
    """Hosts one simulation in a task."""

    def __init__(
        self, simulation: Simulation, settings: Settings, terminal: Terminal, *, on_end: Callable[[], None]
    ) -> None:
        """`on_end` is called when a run has ended as it should."""
        self.simulation = simulation
        self.settings = settings
        self._terminal = terminal
        screen = QuietScreen(lambda line: terminal.say(f"{simulation.name}: {line}"))
        self._runs = HostedRuns(simulation, settings, screen, on_crash=self.leave, on_end=on_end)
        self._leaving = asyncio.Event()
        self._ready = asyncio.Event()
        self.task = asyncio.create_task(self._host())
        """Ends when the simulation is closed. Its error is one that no request can cause, and not saved."""

    async def ready(self) -> None:
        """Wait until requests are taken. Raises CannotWrite if that is not possible; the simulation is closed then."""
        ready = asyncio.create_task(self._ready.wait())
        await asyncio.wait({ready, self.task}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self.task.done():
            self.task.result()

    async def close(self) -> None:
        """Finish the step, save, and close."""
        self.leave()
        await self.task

    async def save(self) -> None:
        """Save between two steps. Raises CannotWrite."""
        async with self.simulation.between_steps:
            await self.simulation.settle()
            self.simulation.save()

    async def _host(self) -> None:
        async with published(self.simulation, self.settings):
            async with listening(self.simulation, self.settings, self):
                self._ready.set()
                await self._leaving.wait()
            await self._runs.end(leaves=True)
            if not self._runs.given_up:
                await self.save()
                self._terminal.say(saved_line(self.simulation))

    # What requests of other programs do here

    def notice(self, line: str) -> None:
        self.simulation.said.add(line)

    def begin(self, until_step: int, *, until_talk: bool) -> None:
        self._runs.go(until_step, until_talk=until_talk)

    def leave(self) -> None:
        """Let the simulation be saved and closed soon."""
        self._leaving.set()


def error_line(fault: ReverieError, *, debug: bool) -> str:
    return f"{type(fault).__name__}: {fault}" if debug else str(fault)
