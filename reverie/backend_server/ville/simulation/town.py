"""The town: its map, its people and its clock. The one mutable world; only arrive and commit write it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.action import Action
from ville.persona.persona import Persona
from ville.simulation.clock import Clock
from ville.world.address import Tile
from ville.world.event import Event
from ville.world.maze import Maze
from ville.world.path_finder import PathFinder

VisibleState = tuple[Tile, Action | None, bool]
"""Where somebody stands, what they do, and whether they are still on their way."""


@dataclass
class Town:
    """Everything there is, between two steps."""

    maze: Maze
    paths: PathFinder
    personas: Mapping[str, Persona]
    """In the order in which the simulation names them."""
    clock: Clock
    tiles: dict[str, Tile] = field(default_factory=dict)
    """Where everybody stands."""
    visible_states: list[VisibleState] = field(default_factory=list)
    """All that decides what can be seen of everybody, by roster."""
    events_by_tile: dict[Tile, list[Event]] = field(default_factory=dict)
    """What people do, by the tile they do it on; all else on the map is at rest."""

    def view(self) -> TownView:
        """What all who think in this step see."""
        return TownView(
            maze=self.maze,
            paths=self.paths,
            step=self.clock.step,
            now=self.clock.now,
            seconds_per_step=self.clock.seconds_per_step,
            people={name: persona.as_seen(self.tiles[name]) for name, persona in self.personas.items()},
        )
