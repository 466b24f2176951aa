"""Layout of the walls of a plan: where they run, how they join, and which room each face belongs to. In tiles only."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from town_builder.art.buildings.walls import (
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
"""Order in which a doorway looks for the room whose floor it shares."""


@dataclass(frozen=True)
class Doorway:
    """An opening in a wall that runs from west to east."""

    at: Tile
    """Its westernmost tile."""
    width: int
    """In tiles."""
    building: Building
    leads_out: bool
    """Whether it leads out of the building to the south."""

    @property
    def end(self) -> Tile:
        """The first tile east of the opening."""
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
        """Ends of walls above a doorway. Drawn as faces only, so that the passage looks open."""
        self.caps = self.walls - self.posts
        self.doorways = tuple(self._doorways())
        self.ends: defaultdict[Tile, int] = defaultdict(int)
        """Directions in which a wall extends to the edge of its tile because of a doorway."""
        for door in self.doorways:
            self.ends[step_from(door.at, SIDES[WEST])] |= EAST
            self.ends[door.end] |= WEST

    def character(self, tile: Tile) -> str:
        return self.characters.get(tile, OUTSIDE)

    def is_outside(self, tile: Tile) -> bool:
        return self.character(tile) in {OUTSIDE, FACADE}

    def room(self, tile: Tile) -> Room | None:
        """Return the room whose letter is on this tile."""
        owner = self.owners.get(tile)
        return owner.rooms.get(self.characters[tile]) if owner else None

    def floor_room(self, tile: Tile) -> Room | None:
        """Return the room whose floor is on this tile; a doorway has the floor of an adjacent room."""
        if self.character(tile) != DOORWAY:
            return self.room(tile)
        for side in STRAIGHT:
            if room := self.room(self._through(tile, SIDES[side])):
                return room
        return None

    def is_passage(self, tile: Tile) -> bool:
        """Return whether the tile is a doorway in a wall that runs from north to south."""
        ends = [self._through(tile, SIDES[side]) for side in (NORTH, SOUTH)]
        return self.character(tile) == DOORWAY and all(end in self.walls for end in ends)

    def is_front(self, tile: Tile) -> bool:
        """Return whether a building covers the full width of the tile, or has its entrance there."""
        west, _, east = self.lower(tile)
        doorway = self.character(tile) == DOORWAY and not self.is_passage(tile)
        return doorway or (self.is_outside(tile) and bool(west and east))

    def joins(self, tile: Tile) -> int:
        """Return the neighbours that the cap at this tile connects to, as bits."""
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
        """Return the faces that start under the cap at this tile."""
        if tile not in self.caps:
            return OPEN
        joins = self.joins(tile)
        if not joins & (SOUTH | WEST | EAST):
            return None, TRIM, None
        west = self._face(tile, -1) if joins & WEST and not joins & SOUTH_WEST else None
        east = self._face(tile, 1) if joins & EAST and not joins & SOUTH_EAST else None
        return west, None if joins & SOUTH else self._face(tile, 0), east

    def feet(self, tile: Tile) -> Iterator[tuple[str, int, Tile]]:
        """Yield name, zone and the tile in front of each face under the cap at this tile."""
        foot = step_from(tile, (0, 2))
        for zone, name in enumerate(self.upper(tile)):
            if name:
                yield name, zone, step_from(foot, (zone - 1, 0)) if foot in self.walls else foot

    def lower(self, tile: Tile) -> Zones:
        """Return the faces that continue into this tile from the wall above it."""
        return self.upper(step_from(tile, SIDES[NORTH]))

    def _face(self, tile: Tile, aside: int) -> str:
        """Return the name of the wall face in this column (0), or just west (-1) or east (1) of it."""
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
        """Return the first tile beyond a doorway in this direction."""
        while self.character(tile) == DOORWAY:
            tile = step_from(tile, step)
        return tile
