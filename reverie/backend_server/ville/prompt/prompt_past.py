"""Commands about earlier moments of the open simulation: show them, interview people, begin branches."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from ville.assembly.at_moment import town_at
from ville.assembly.run import open_at
from ville.command_lines import typed
from ville.jobs.background import BackgroundRuns
from ville.jobs.branch_spec import branch_spec
from ville.prompt.arguments import NewBranch
from ville.settings import Settings
from ville.simulation.past_town import PastTown
from ville.simulation.requests.engine_requests import EngineBranch
from ville.simulation.simulation import Simulation
from ville.simulation.talks.interviews import Interviews
from ville.storage.dates import time_text
from ville.storage.exchange.background_files import BackgroundFiles
from ville.storage.past.moments import AT, END, find_moment
from ville.terminal.terminal import Terminal, returning

if TYPE_CHECKING:
    from ville.storage.past.checkpoints import Stem


class PromptPast:
    """Earlier moments of one open simulation."""

    def __init__(
        self, simulation: Simulation, settings: Settings, terminal: Terminal, *, flags: Mapping[str, object]
    ) -> None:
        """`flags` are those of the command line, for simulations in the background."""
        self._simulation, self._settings, self._terminal = simulation, settings, terminal
        self._flags = flags
        self._background = BackgroundRuns(settings, terminal.say)
        self._shown: tuple[Stem, PastTown] | None = None
        """The last one, because several commands are often about the same."""

    async def show(self, view: Callable[[PastTown], str], at: str) -> str:
        """Return the text of a view as of a moment. Raises BadMoment or TileOffMap."""
        past = await self._past(at)
        heading = f"{self._simulation.name}{AT}{past.clock.step}: {time_text(past.clock.now)}"
        return f"{heading}\n{view(past)}"

    async def interviews(self, at: str, name: str) -> Interviews:
        """Return access to the personas as of a moment. Raises BadMoment, or UnknownPersona if one was not in town."""
        past, simulation = await self._past(at), self._simulation
        past.persona(name)
        return replace(simulation.interviews, town=past.town, between_steps=asyncio.Lock())

    async def branch(self, new: NewBranch, at: str | None) -> None:
        """Begin a simulation that goes on from a moment, or from here: then this one is saved first. Raises a
        ReverieError; there is no new simulation then.
        """
        name = new.name
        if at is None:
            async with self._simulation.between_steps:
                await self._simulation.settle()
                self._simulation.save()
        origin = f"{self._simulation.name}{AT}{END if at is None else at}"
        if new.until:
            self._run_in_background(origin, new)
            return
        with returning(self._terminal) as watch:
            branch = await open_at(self._settings, origin, name, watch=watch)
        clock = branch.clock
        await branch.close()
        self._terminal.say(
            f"{name} begins at {time_text(clock.now)}, step {clock.step:,}. "
            f"To run it: {typed('prompt', '--origin', name, '--name', name)}"
        )

    def _run_in_background(self, origin: str, new: NewBranch) -> None:
        """Begin a simulation in a process of its own. Raises a ReverieError."""
        values = {"id": uuid4().hex, "request": "branch", "from": origin, "name": new.name, "until": new.until}
        spec = branch_spec(EngineBranch.model_validate(values), self._flags)
        self._background.begin(spec)
        self._terminal.say(
            f"{spec.name} runs in the background, from step {spec.first_step:,} to {spec.until_step:,}. "
            "To see how far it has come: print branches"
        )

    def show_branches(self) -> None:
        """Say how far simulations in the background have come."""
        found = BackgroundFiles(self._settings.fs_temp_storage).all()
        for each in found:
            progress = f"{each.sim_code}: {each.state}, step {each.step:,} of {each.until_step:,}. {each.fault}"
            self._terminal.say(progress.rstrip())
        if not found:
            self._terminal.say("No simulation is in the background.")

    async def close(self) -> None:
        """Stop what runs in the background, and wait until it is saved."""
        await self._background.close()

    async def _past(self, at: str) -> PastTown:
        root = self._simulation.folder.root
        moment = find_moment(root, at)
        if self._shown is None or self._shown[0] != moment:
            with returning(self._terminal) as watch:
                self._shown = moment, await town_at(self._settings, root, str(moment), watch=watch)
        return self._shown[1]
