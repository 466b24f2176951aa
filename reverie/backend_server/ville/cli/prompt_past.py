"""What the prompt does with earlier moments of its simulation: show them, let people be asked, begin branches."""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from ville.assembly.moments import town_at
from ville.assembly.run import open_at
from ville.settings import Settings
from ville.simulation.commands import inspect
from ville.simulation.commands.parse import PromptCommand
from ville.simulation.interviews import Interviews
from ville.simulation.past_town import PastTown
from ville.simulation.simulation import Simulation
from ville.simulation.terminal import Terminal, returning
from ville.storage.dates import time_text
from ville.storage.moments import AT, END, find_moment

if TYPE_CHECKING:
    from ville.storage.checkpoints import Stem


class PromptPast:
    """Earlier moments of one open simulation."""

    def __init__(self, simulation: Simulation, settings: Settings, terminal: Terminal) -> None:
        self._simulation, self._settings, self._terminal = simulation, settings, terminal
        self._shown: tuple[Stem, PastTown] | None = None
        """The last one, because several commands are often about the same."""

    async def show(self, command: PromptCommand, at: str) -> str:
        """Return the answer to a command that only looks, as of a moment. Raises BadMoment or TileOffMap."""
        past = await self._past(at)
        heading = f"{self._simulation.name}{AT}{past.clock.step}: {time_text(past.clock.now)}"
        return f"{heading}\n{inspect.view(past, command)}"

    async def interviews(self, at: str, name: str) -> Interviews:
        """Return access to the personas as of a moment. Raises BadMoment, or UnknownPersona if one was not in town."""
        past, simulation = await self._past(at), self._simulation
        past.persona(name)
        return replace(simulation.interviews, town=past.town, between_steps=asyncio.Lock())

    async def branch(self, name: str, at: str | None) -> None:
        """Begin a simulation that goes on from a moment, or from here: then this one is saved first. Raises a
        ReverieError; there is no new simulation then.
        """
        if at is None:
            async with self._simulation.between_steps:
                self._simulation.save()
        origin = f"{self._simulation.name}{AT}{END if at is None else at}"
        with returning(self._terminal) as watch:
            branch = await open_at(self._settings, origin, name, watch=watch)
        clock = branch.clock
        await branch.close()
        self._terminal.say(
            f"{name} begins at {time_text(clock.now)}, step {clock.step:,}. "
            f"To run it: python reverie.py --origin {name} --name {name}"
        )

    async def _past(self, at: str) -> PastTown:
        root = self._simulation.folder.root
        moment = find_moment(root, at)
        if self._shown is None or self._shown[0] != moment:
            with returning(self._terminal) as watch:
                self._shown = moment, await town_at(self._settings, root, moment, watch=watch)
        return self._shown[1]
