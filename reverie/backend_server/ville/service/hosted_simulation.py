"""A simulation that is open in an engine without a prompt: it runs and takes requests until it is closed."""

import asyncio
from collections.abc import Callable

from ville.service.hosted_runs import HostedRuns, QuietScreen
from ville.service.hosting import published, taking_requests
from ville.settings import Settings
from ville.simulation.simulation import Simulation
from ville.simulation.summary import saved_line
from ville.terminal.terminal import Terminal


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
            self.simulation.save()

    async def _host(self) -> None:
        async with published(self.simulation, self.settings):
            async with taking_requests(self.simulation, self.settings, self):
                self._ready.set()
                await self._leaving.wait()
            await self._runs.end()
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
