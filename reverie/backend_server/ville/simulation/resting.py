"""Who rests and is not looked at in each step, and what wakes them: time, a change in sight, a look into their minds.

What is read of them is always what it would be if they were looked at in each step: a look from outside brings a mind
up to date first. The files do not depend on who is looked at.
"""

from collections.abc import Mapping
from datetime import datetime
from heapq import heappop, heappush

from ville.persona.cognitive_modules.view import TownView
from ville.persona.persona import Persona
from ville.world.maze import Maze


class Resting:
    """A queue of who wakes when."""

    def __init__(self) -> None:
        self._since: dict[str, int] = {}
        """Who rests, and the last step in which each was looked at."""
        self._wakes: list[tuple[datetime, str]] = []
        """A heap of when to look at somebody again, who may have been woken before."""
        self._passed = 0
        self._passed_at: datetime | None = None
        """The last step that those who rest have behind them, and its time."""

    def __len__(self) -> int:
        return len(self._since)

    def awake(self, personas: Mapping[str, Persona]) -> list[Persona]:
        """Return those who have to be looked at, in order."""
        resting = self._since
        return [persona for name, persona in personas.items() if name not in resting]

    def wake_due(self, personas: Mapping[str, Persona], maze: Maze, now: datetime) -> None:
        """Wake those whose time has come, and those in whose sight something has changed."""
        for name in maze.take_woken():
            if name in self._since:
                self.wake(personas[name])
        while self._wakes and self._wakes[0][0] <= now:
            _, name = heappop(self._wakes)
            if name in self._since:
                self.wake(personas[name])

    def add(self, persona: Persona, view: TownView) -> None:
        """Let a persona rest that was looked at in a step, if it has nothing to decide for a while."""
        until, name = persona.rests_until, persona.name
        if until is not None and until > view.now:
            self._since[name] = view.step
            heappush(self._wakes, (until, name))
            view.maze.wake_at_change(name, view.people[name].tile, persona.vision)
            persona.on_look = self.wake

    def passed(self, step: int, now: datetime) -> None:
        """Note that those who rest have a step behind them."""
        self._passed, self._passed_at = step, now

    def wake(self, persona: Persona) -> None:
        """Bring a persona up to date; it is looked at in the next step."""
        since = self._since.pop(persona.name, None)
        persona.on_look = None
        if since is not None and self._passed_at is not None:
            persona.let_pass(self._passed - since, self._passed_at)

    def wake_all(self, personas: Mapping[str, Persona]) -> None:
        """Wake everybody who rests."""
        for name in list(self._since):
            if name in personas:
                self.wake(personas[name])
        self._since.clear()
        self._wakes.clear()
