"""The map: the place and the current events of every tile."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Literal, NamedTuple

from ville.errors import TileOffMap
from ville.world.address import Address, Tile
from ville.world.tile_event import Event

Level = Literal["world", "sector", "arena", "game_object"]
SPAWN = "<spawn_loc>"


class Place(NamedTuple):
    """Sector, arena and object that a tile belongs to; parts are empty if it belongs to none."""

    world: str
    sector: str = ""
    arena: str = ""
    game_object: str = ""

    def path(self, level: Level) -> str:
        """Return the address down to a level. Empty parts keep their colon: outdoors, the arena is `the Ville::`."""
        return ":".join(self[: _DEPTH[level]])


_DEPTH: dict[Level, int] = {"world": 1, "sector": 2, "arena": 3, "game_object": 4}
_WITH_TILES: tuple[Level, ...] = ("sector", "arena", "game_object")


@dataclass(frozen=True)
class Layers:
    """Content of the map files: one entry per tile, row by row from the north-west."""

    name: str
    width: int
    height: int
    places: Sequence[Place]
    walls: Sequence[bool]
    spawns: Sequence[str]
    """Name of the starting point, such as `sp-A`, or empty."""
    tile_size: int = 32
    """In pixels."""

    @cached_property
    def tiles(self) -> Sequence[Tile]:
        """All tiles, in this order."""
        return [Tile(x, y) for y in range(self.height) for x in range(self.width)]

    @cached_property
    def arenas(self) -> tuple[Sequence[str], Sequence[int]]:
        """The addresses of all arenas, and for each tile the number of its own."""
        numbers: dict[str, int] = {}
        of_tiles = [numbers.setdefault(place.path("arena"), len(numbers)) for place in self.places]
        return list(numbers), of_tiles

    @cached_property
    def address_tiles(self) -> Mapping[str, tuple[Tile, ...]]:
        """Tiles of every address, row by row; starting points are `<spawn_loc>sp-A` and so on."""
        tiles: dict[str, list[Tile]] = {}
        for tile, place, spawn in zip(self.tiles, self.places, self.spawns, strict=True):
            for level in _WITH_TILES:
                if getattr(place, level):
                    tiles.setdefault(place.path(level), []).append(tile)
            if spawn:
                tiles.setdefault(f"{SPAWN}{spawn}", []).append(tile)
        return {address: tuple(where) for address, where in tiles.items()}

    @cached_property
    def places_within(self) -> Mapping[str, Sequence[Address]]:
        """The places within each sector and arena, and within the world, in the order of their first tiles."""
        within: dict[str, list[Address]] = {}
        for text in self.address_tiles:
            if not text.startswith(SPAWN):
                address, parts = Address.parse(text), text.split(":")
                for depth in range(1, len(parts)):
                    within.setdefault(":".join(parts[:depth]), []).append(address)
        return within

    @cached_property
    def objects(self) -> Sequence[tuple[Tile, Event]]:
        """The tiles that belong to an object, each with the event of this object when nothing happens."""
        pairs = zip(self.tiles, self.places, strict=True)
        return [(tile, Event(place.path("game_object"))) for tile, place in pairs if place.game_object]


CELL = 16
"""Tiles of a side of a cell."""


@dataclass(eq=False)
class _Cell:
    """Events of the part of one arena that lies in one square: personas perceive only events in their own arena, and
    outdoors, which is one arena, only those near them.
    """

    arena: str
    events: dict[Tile, dict[Event, None]] = field(default_factory=dict)
    everywhere: tuple[Event, ...] = ()
    """Events on no tile, which are perceived on all tiles of the arena."""
    changes: int = 0
    watched_by: set[str] = field(default_factory=set)
    """Who is to be woken when something changes."""


class Maze:
    """Tiles of a town and the events on them.

    Events keep the order in which they were added, so that runs are reproducible. Methods raise TileOffMap for a tile
    outside the map.
    """

    def __init__(self, layers: Layers) -> None:
        self._layers = layers
        self.name = layers.name
        self.width = layers.width
        self.height = layers.height
        self.tile_size = layers.tile_size
        self.world = layers.places[0].world
        self._places = layers.places
        self._walls = layers.walls
        self._spawns = layers.spawns
        arenas, self._arenas = layers.arenas
        self._cells: dict[tuple[int, int, int], _Cell] = {}
        """By number of the arena, column and row."""
        for tile, number in zip(layers.tiles, self._arenas, strict=True):
            self._cells.setdefault((number, tile.x // CELL, tile.y // CELL), _Cell(arenas[number]))
        self._cells_near: dict[tuple[Tile, int], tuple[_Cell, ...]] = {}
        self._places_near: dict[tuple[Tile, int], tuple[Place, ...]] = {}
        self._woken: set[str] = set()
        """Who was to be woken by what has changed."""
        self.address_tiles = layers.address_tiles
        """Tiles of every address, row by row; starting points are `<spawn_loc>sp-A` and so on."""
        for tile, event in layers.objects:
            self.add_event(tile, event)

    def __iter__(self) -> Iterator[Tile]:
        return iter(self._layers.tiles)

    def __contains__(self, tile: Tile) -> bool:
        return 0 <= tile[0] < self.width and 0 <= tile[1] < self.height

    def _index(self, tile: Tile) -> int:
        if tile not in self:
            last = f"{self.width - 1}, {self.height - 1}"
            raise TileOffMap(f"{self.name} has no tile {tile[0]}, {tile[1]}: choose one between 0, 0 and {last}.")
        return tile[1] * self.width + tile[0]

    @property
    def layers(self) -> Layers:
        """The content of the map files, without what was computed from it."""
        return replace(self._layers)

    @property
    def arena_numbers(self) -> Sequence[int]:
        """A number for the arena of each tile, row by row."""
        return self._arenas

    def place(self, tile: Tile) -> Place:
        return self._places[self._index(tile)]

    def is_wall(self, tile: Tile) -> bool:
        return self._walls[self._index(tile)]

    def tile_path(self, tile: Tile, level: Level) -> str:
        return self.place(tile).path(level)

    def details(self, tile: Tile) -> dict[str, object]:
        """Return all facts about a tile, for the command `print tile details`."""
        index = self._index(tile)
        return {
            **self._places[index]._asdict(),
            "spawning_location": self._spawns[index],
            "collision": self._walls[index],
            "events": self.events_at(tile),
        }

    def tile_at_pixel(self, x: float, y: float) -> Tile:
        return Tile(math.ceil(x / self.tile_size), math.ceil(y / self.tile_size))

    def _box(self, tile: Tile, radius: int) -> tuple[range, range]:
        """Return the columns and rows of the square around a tile, within the map."""
        x, y = tile
        columns = range(max(0, x - radius), min(self.width, x + radius + 1))
        return columns, range(max(0, y - radius), min(self.height, y + radius + 1))

    def places_near(self, tile: Tile, radius: int) -> tuple[Place, ...]:
        """Return the distinct places of the square around a tile, column by column. Cached."""
        key = (tile, radius)
        if key not in self._places_near:
            columns, rows = self._box(tile, radius)
            ends = rows.start * self.width, rows.stop * self.width
            seen = dict.fromkeys(chain.from_iterable(self._places[ends[0] + x : ends[1] : self.width] for x in columns))
            self._places_near[key] = tuple(seen)
        return self._places_near[key]

    def _cell(self, tile: Tile) -> _Cell:
        return self._cells[self._arenas[self._index(tile)], tile[0] // CELL, tile[1] // CELL]

    def places_in(self, place: Address) -> list[Address]:
        """Return the places within another one, in the order of their first tiles."""
        return list(self._layers.places_within.get(str(place), ()))

    def events_at(self, tile: Tile) -> tuple[Event, ...]:
        return tuple(self._cell(tile).events.get(tile, ()))

    def events_near(self, tile: Tile, radius: int) -> list[tuple[Tile, Event]]:
        """Return the events visible from a tile: those everywhere in its arena, with the tile itself, then those in its
        arena and its square, the nearest first, and of those equally near column by column.
        """
        (x, y), cells = tile, self._cells_in_sight(tile, radius)
        around = [
            ((near[0] - x) ** 2 + (near[1] - y) ** 2, near, here)
            for cell in cells
            for near, here in cell.events.items()
            if x - radius <= near[0] <= x + radius and y - radius <= near[1] <= y + radius
        ]
        around.sort(key=itemgetter(0, 1))
        everywhere = [(tile, event) for event in self._cell(tile).everywhere]
        return [*everywhere, *((near, event) for _, near, here in around for event in here)]

    def _cells_in_sight(self, tile: Tile, radius: int) -> tuple[_Cell, ...]:
        """Return the cells of the arena of a tile that overlap its square. Cached."""
        key = (tile, radius)
        if (known := self._cells_near.get(key)) is None:
            arena = self._arenas[self._index(tile)]
            columns, rows = ({place // CELL: None for place in side} for side in self._box(tile, radius))
            cells = [self._cells.get((arena, column, row)) for column in columns for row in rows]
            known = self._cells_near[key] = tuple(cell for cell in cells if cell)
        return known

    def changes(self, tile: Tile, radius: int) -> int:
        """Return how often events have changed in all cells in sight, and so a number that changes with what
        `events_near` returns.
        """
        changes = 0
        for cell in self._cells_in_sight(tile, radius):
            changes += cell.changes
        return changes

    def wake_at_change(self, name: str, tile: Tile, radius: int) -> None:
        """Let `take_woken` return a name after the next change of what `events_near` returns."""
        for cell in self._cells_in_sight(tile, radius):
            cell.watched_by.add(name)

    def take_woken(self) -> set[str]:
        """Return the names in whose sight something has changed, once. Some may have asked elsewhere, and before."""
        woken, self._woken = self._woken, set()
        return woken

    def _changed(self, cell: _Cell) -> None:
        cell.changes += 1
        if cell.watched_by:
            self._woken |= cell.watched_by
            cell.watched_by.clear()

    def add_event(self, tile: Tile, event: Event) -> None:
        cell = self._cell(tile)
        here = cell.events.setdefault(tile, {})
        if event not in here:
            here[event] = None
            self._changed(cell)

    def replace_events(self, tile: Tile, events: Sequence[Event]) -> None:
        """Replace the events of a tile."""
        cell = self._cell(tile)
        if tuple(events) == tuple(cell.events.get(tile, ())):
            return
        self._changed(cell)
        if events:
            cell.events[tile] = dict.fromkeys(events)
        else:
            del cell.events[tile]

    def replace_events_of_places(self, events: Sequence[Event]) -> None:
        """Replace the events that are perceived everywhere in the place that is their subject."""
        for cell in self._cells.values():
            here = tuple(event for event in events if f"{cell.arena}:".startswith(f"{event.subject}:"))
            if here != cell.everywhere:
                cell.everywhere = here
                self._changed(cell)
