"""Where the walls of a plan run, how they join, and what each of their faces looks upon. Knows tiles, no pixels."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from town_builder.art.walls import (
    CORNERS,
    EAST,
    NORTH,
    OPEN,
    SIDES,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    TRIM,
    WEST,
    Zones,
    canonical,
    inside,
    outside,
)
from town_builder.plan.shapes import Tile
from town_builder.plan.town_plan import DOORWAY, FACADE, OUTSIDE, WALL, Building, Plan, Room

STRAIGHT = (NORTH, SOUTH, WEST, EAST)
"""The order in which a doorway looks for the room whose floor it has."""


@dataclass(frozen=True)
class Doorway:
    """An opening in a wall that runs from west to east."""

    at: Tile
    """Its westernmost tile."""
    width: int
    """In tiles."""
    building: Building
    leads_out: bool
    """Whether one leaves the house to the south through it."""

    @property
    def end(self) -> Tile:
        """The first tile east of it."""
        return self.at[0] + self.width, self.at[1]


def step_from(tile: Tile, step: Tile) -> Tile:
    return tile[0] + step[0], tile[1] + step[1]


class WallLayout:
    """The walls of all buildings of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.characters: dict[Tile, str] = {}
        self.owners: dict[Tile, Building] = {}
        for building in plan.buildings:
            self.characters |= building.tiles
            self.owners |= dict.fromkeys(building.tiles, building)
        self.walls = frozenset(tile for tile, character in self.characters.items() if character == WALL)
        self.posts = frozenset(filter(self._is_post, self.walls))
        """Ends of walls above a doorway. They are all face, or the way through would look shut."""
        self.caps = self.walls - self.posts
        self.doorways = tuple(self._doorways())
        self.ends: defaultdict[Tile, int] = defaultdict(int)
        """In which directions a wall runs on to the edge of its tile, since a doorway is there."""
        for door in self.doorways:
            self.ends[step_from(door.at, SIDES[WEST])] |= EAST
            self.ends[door.end] |= WEST

    def character(self, tile: Tile) -> str:
        return self.characters.get(tile, OUTSIDE)

    def is_outside(self, tile: Tile) -> bool:
        return self.character(tile) in {OUTSIDE, FACADE}

    def room(self, tile: Tile) -> Room | None:
        """The room whose letter stands there."""
        owner = self.owners.get(tile)
        return owner.rooms.get(self.characters[tile]) if owner else None

    def floor_room(self, tile: Tile) -> Room | None:
        """The room whose floor lies there: its own, or for a doorway the one it belongs to."""
        if self.character(tile) != DOORWAY:
            return self.room(tile)
        for side in STRAIGHT:
            if room := self.room(self._through(tile, SIDES[side])):
                return room
        return None

    def is_passage(self, tile: Tile) -> bool:
        """Whether it is a doorway in a wall that runs from north to south."""
        ends = [self._through(tile, SIDES[side]) for side in (NORTH, SOUTH)]
        return self.character(tile) == DOORWAY and all(end in self.walls for end in ends)

    def is_front(self, tile: Tile) -> bool:
        """Whether a house stands there from one edge of the tile to the other, or lets one in."""
        west, _, east = self.lower(tile)
        doorway = self.character(tile) == DOORWAY and not self.is_passage(tile)
        return doorway or (self.is_outside(tile) and bool(west and east))

    def joins(self, tile: Tile) -> int:
        """Towards which neighbours the cap at this tile runs on, as bits."""
        ends, joined = self.ends[tile], 0
        for side, step in SIDES.items():
            if step_from(tile, step) in self.caps or ends & side:
                joined |= side
        for corner, (sides, step) in CORNERS.items():
            beyond = self.ends[step_from(tile, (0, step[1]))]
            if step_from(tile, step) in self.caps or (ends & beyond & sides):
                joined |= corner
        return canonical(joined)

    def upper(self, tile: Tile) -> Zones:
        """The faces that begin under the cap at this tile."""
        if tile not in self.caps:
            return OPEN
        joins = self.joins(tile)
        if not joins & (SOUTH | WEST | EAST):
            return None, TRIM, None
        west = self._face(tile, -1) if joins & WEST and not joins & SOUTH_WEST else None
        east = self._face(tile, 1) if joins & EAST and not joins & SOUTH_EAST else None
        return west, None if joins & SOUTH else self._face(tile, 0), east

    def feet(self, tile: Tile) -> Iterator[tuple[str, int, Tile]]:
        """Of each face under the cap at this tile: its name, its zone, and the tile from which one looks at it."""
        foot = step_from(tile, (0, 2))
        for zone, name in enumerate(self.upper(tile)):
            if name:
                yield name, zone, step_from(foot, (zone - 1, 0)) if foot in self.walls else foot

    def lower(self, tile: Tile) -> Zones:
        """The faces that come down into this tile from the wall above it."""
        return self.upper(step_from(tile, SIDES[NORTH]))

    def _face(self, tile: Tile, aside: int) -> str:
        """What one sees of the wall here, or a little west (-1) or east (1) of its column."""
        below = step_from(tile, SIDES[SOUTH])
        if self.character(below) in {WALL, DOORWAY}:
            below = step_from(below, (aside, 0))
        if room := self.room(below):
            return inside(room.wall)
        return outside(self.owners[tile].facade) if self.is_outside(below) else TRIM

    def _is_post(self, tile: Tile) -> bool:
        around = {side: step_from(tile, step) for side, step in SIDES.items()}
        across = around[WEST] in self.walls or around[EAST] in self.walls
        return self.character(around[SOUTH]) == DOORWAY and around[NORTH] in self.walls and not across

    def _doorways(self) -> Iterator[Doorway]:
        for tile, character in self.characters.items():
            if character == DOORWAY and step_from(tile, SIDES[WEST]) in self.walls:
                width = 1
                while self.character((tile[0] + width, tile[1])) == DOORWAY:
                    width += 1
                if (tile[0] + width, tile[1]) in self.walls:
                    yield Doorway(tile, width, self.owners[tile], self.is_outside(self._through(tile, SIDES[SOUTH])))

    def _through(self, tile: Tile, step: Tile) -> Tile:
        """Where one comes out of a doorway in this direction."""
        while self.character(tile) == DOORWAY:
            tile = step_from(tile, step)
        return tile
