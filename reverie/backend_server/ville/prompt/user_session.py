"""A session of a user with an open simulation, as commands see it."""

from dataclasses import dataclass

from ville.prompt.arguments import NewBranch
from ville.prompt.prompt_past import PromptPast
from ville.service.hosting import HostedRuns
from ville.settings import Settings
from ville.simulation.clock import Span
from ville.simulation.pacing.run_control import Speed
from ville.simulation.pacing.spans import steps_ahead
from ville.simulation.running.run_loop import StopRequest, stop_on_interrupt
from ville.simulation.running.run_summary import saved_line
from ville.simulation.simulation import Simulation
from ville.terminal.line_reader import ReadLine
from ville.terminal.terminal import STOPPING, Terminal


@dataclass
class UserSession:
    """The parts that commands need, and the commands that run, save and leave."""

    simulation: Simulation
    settings: Settings
    terminal: Terminal
    ask: ReadLine
    past: PromptPast
    runs: HostedRuns
    leaving: bool = False
    """Whether the session ends after the current command."""
    code: int = 0
    """Exit code."""

    async def run(self, span: Span) -> None:
        """Run this far; Ctrl-C finishes the step, saves, and returns to the prompt. Raises BadArgument."""
        clock = self.simulation.clock
        self.runs.go(clock.step + steps_ahead(clock, span))
        stop = self.runs.stop
        try:
            with stop_on_interrupt(stop, lambda: self.terminal.say(STOPPING)):
                await self.runs.finished()
        finally:
            self.end_with(stop)

    def end_with(self, stop: StopRequest) -> None:
        """Leave if a signal has asked to."""
        if stop.signal_number:
            self.leaving, self.code = True, stop.code

    async def set_speed(self, speed: Speed) -> None:
        self.simulation.control.speed = speed
        self.terminal.say(f"Speed: {speed}.")

    async def save(self) -> None:
        if self.runs.given_up:
            return
        async with self.simulation.between_steps:
            await self.simulation.settle()
            self.simulation.save()
            self.terminal.say(saved_line(self.simulation))

    async def finish(self) -> None:
        await self.runs.end(leaves=True)
        await self.save()
        self.leaving = True

    async def exit(self) -> None:
        await self.runs.end(save=False)
        async with self.simulation.between_steps:
            kept = self.simulation.revert()
        result = f"is back at its save of step {kept.step:,}" if kept else "was never saved and has been deleted"
        self.terminal.say(f"{self.simulation.name} {result}.")
        self.leaving = True

    async def begin_branch(self, new: NewBranch, at: str | None) -> None:
        """Begin a simulation that goes on from a moment, or from here. Raises a ReverieError."""
        await self.past.branch(new, at)

    async def show_branches(self) -> None:
        """Say how far simulations in the background have come."""
        self.past.show_branches()
