"""A visitor as used from Python: it walks, speaks to who is near, listens, and leaves.

Calls that change the town wait for the end of the step that is being computed, and have an awaitable twin.
"""

from collections.abc import Mapping

from ville.api.session_loop import SessionLoop
from ville.errors import BadArgument
from ville.plain_text import one_line
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import API
from ville.simulation.persona_names import find_persona
from ville.simulation.simulation import Simulation
from ville.simulation.town import Town
from ville.world.address import Tile

Where = str | tuple[int, int]
"""A tile, a place such as `the Ville:Hobbs Cafe:cafe` or `hobbs cafe`, or the name of a persona to go up to."""


class TownVisitor:
    """A visitor in an open simulation."""

    def __init__(self, simulation: Simulation, name: str, loop: SessionLoop) -> None:
        self._simulation = simulation
        self._loop = loop
        self.name = name
        visitor = simulation.town.visitors.present.get(name)
        self._heard = len(visitor.heard) if visitor else 0
        """Number of utterances that `hear` has returned, or that were before it."""

    def __repr__(self) -> str:
        return f"<{self.name}: {'at ' + str(self.tile) if self.is_present else 'not in the town'}>"

    @property
    def is_present(self) -> bool:
        """Whether the visitor is in the town."""
        return self.name in self._simulation.town.visitors.present

    @property
    def tile(self) -> tuple[int, int] | None:
        """Column and row on the map; None if it is not in the town."""
        visitor = self._simulation.town.visitors.present.get(self.name)
        return (visitor.tile.x, visitor.tile.y) if visitor else None

    def walk(self, to: Where) -> str:
        """Set out for a tile, a place, or a persona; return what was done. The next runs take the steps.

        Raises BadIntervention if there is no way, or the visitor is not in the town.
        """
        return self._loop.wait(self._walk(to))

    async def awalk(self, to: Where) -> str:
        """Awaitable twin of `walk`."""
        return await self._loop.awaited(self._walk(to))

    def say(self, to: str, words: str) -> str:
        """Speak to a persona nearby, who answers in the next step; return what was said.

        Raises UnknownPersona; BadIntervention if it is not near, is asleep, or is talking with someone else.
        """
        return self._loop.wait(self._say(to, words))

    async def asay(self, to: str, words: str) -> str:
        """Awaitable twin of `say`."""
        return await self._loop.awaited(self._say(to, words))

    def hear(self) -> list[tuple[str, str]]:
        """Return what was said to the visitor since the last call: speaker and words."""
        visitor = self._simulation.town.visitors.present.get(self.name)
        heard = list(visitor.heard[self._heard :]) if visitor else []
        self._heard += len(heard)
        return heard

    def leave(self) -> str:
        """Leave the town; return what was done. Raises BadIntervention if the visitor is not there."""
        return self._loop.wait(self._leave())

    async def aleave(self) -> str:
        """Awaitable twin of `leave`."""
        return await self._loop.awaited(self._leave())

    async def _walk(self, to: Where) -> str:
        where = _where(self._simulation.town, to, self.tile)
        return await self._intervene({"kind": "visitor_walk", "name": self.name, "to": where})

    async def _say(self, to: str, words: str) -> str:
        name = find_persona(to, list(self._simulation.town.personas))
        return await self._intervene({"kind": "visitor_say", "name": self.name, "to": name, "words": words})

    async def _leave(self) -> str:
        return await self._intervene({"kind": "visitor_out", "name": self.name})

    async def _intervene(self, values: Mapping[str, object]) -> str:
        return "\n".join(await self._simulation.intervene(parse_intervention(values), source=API))


async def send(
    simulation: Simulation, loop: SessionLoop, name: str, *, look: str | None, about: str | None, at: Where | None
) -> TownVisitor:  # fmt: skip
    """Let a visitor arrive, or find the one of this name; return it. Raises BadIntervention or BadArgument."""
    town = simulation.town
    if at is not None:
        values = {"kind": "visitor_in", "name": name, "look": look, "about": about, "tile": _where(town, at, None)}
        await simulation.intervene(parse_intervention(values), source=API)
    elif name not in town.visitors.present:
        raise BadArgument(f"No visitor is called '{name}'. Say where one arrives, for example at=(58, 21).")
    return TownVisitor(simulation, one_line(name).strip(), loop)


def _where(town: Town, where: Where, here: tuple[int, int] | None) -> Where:
    """Return a place as an intervention has it: the tile beside a persona that is nearest to `here`, if it is named."""
    if not isinstance(where, str) or where not in town.personas:
        return where
    x, y = town.tiles[where]
    beside = [Tile(x + 1, y), Tile(x - 1, y), Tile(x, y + 1), Tile(x, y - 1)]
    free = [tile for tile in beside if tile in town.maze and not town.maze.is_wall(tile)]
    near = here or (x + 1, y)
    return min(free or beside, key=lambda tile: abs(tile.x - near[0]) + abs(tile.y - near[1]))
