"""The run of a session at the prompt: begun by a command or by a request, and shown in the same way."""

import asyncio

from ville.errors import ReverieError
from ville.settings import Settings
from ville.simulation.progress import EventLog, run_line
from ville.simulation.run import StopRequest, run
from ville.simulation.simulation import Simulation
from ville.simulation.step import StepReport
from ville.simulation.terminal import Progress, Terminal, show_waiting


class PromptRuns:
    """Runs the simulation in a task, one run at a time."""

    def __init__(self, simulation: Simulation, settings: Settings, terminal: Terminal) -> None:
        self._simulation = simulation
        self._settings = settings
        self._terminal = terminal
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
        """Run, and print what happens. Errors are printed too."""
        simulation, terminal, debug = self._simulation, self._terminal, self._settings.debug
        progress, events = Progress(terminal, run_line), EventLog(debug=debug)

        def watch(report: StepReport) -> None:
            terminal.say(*events.lines(report))
            progress.step(report, simulation.steps_left)

        try:
            with show_waiting(terminal, simulation.waiting):
                autosave = self._settings.autosave
                await run(simulation, simulation.steps_left, autosave=autosave, watch=watch, stop=stop)
        except ReverieError as fault:
            progress.end()
            terminal.say(error_line(fault, debug=debug))
        finally:
            progress.end()


def error_line(fault: ReverieError, *, debug: bool) -> str:
    return f"{type(fault).__name__}: {fault}" if debug else str(fault)
