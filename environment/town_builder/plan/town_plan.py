"""A town as its file describes it: nouns only, resolved as far as one can without looking at the neighbours.

`town_file.load_plan` reads them from YAML. Every part knows its line, so that a fault can name it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from town_builder.plan.shapes import Tile, Tiles

WALL, DOORWAY, FACADE, OUTSIDE = "#", "+", "_", "."
"""The characters of a floor plan that are no room."""
PLANTABLE = frozenset({"meadow", "forest"})
"""The kinds of terrain that things may be scattered on, as on plain grass."""


@dataclass(frozen=True)
class TerrainPatch:
    """A stretch of ground. Where several cover a tile the last one counts, for the picture and for `solid`."""

    kind: str
    tiles: Tiles
    """Map tiles; those outside the map are cut off."""
    solid: bool
    line: int


@dataclass(frozen=True)
class Plant:
    """What may grow at many places: a stamp, in the colour that the file names for it."""

    stamp: str
    colour: str | None
    """Name of a ramp; None for the stamp's own."""
    line: int


@dataclass(frozen=True)
class Scatter:
    """Many stamps at places chosen by seed. `scatter.place_all` makes concrete stamps of it."""

    stamps: tuple[Plant, ...]
    tiles: Tiles
    """Where they may stand, in map tiles."""
    density: float
    """Chance of a stamp on each free tile."""
    seed: int
    clear: int
    """Tiles kept free between their solid tiles and everything else."""
    solid: bool
    """The whole free part of `tiles` becomes impassable: a forest."""
    line: int


@dataclass(frozen=True)
class Thing:
    """One stamp, one object of the world, or both, at one or several places."""

    places: tuple[Tile, ...]
    """Map tiles of the footprint's top left corner, one for each copy."""
    line: int
    stamp: str | None = None
    objects: Mapping[str, tuple[Tile, ...] | None] = field(default_factory=dict)
    """Object name → where one uses it, in tiles from `place`; None stands for the use tiles of the stamp."""
    colour: str | None = None
    """Name of a ramp; None for the stamp's own."""
    variant: str | None = None
    """One of the stamp's looks by name; None lets the place decide."""
    spawn: bool = False
    """Its use tiles are where people wake up."""


@dataclass(frozen=True)
class Room:
    """What a letter of the floor plan means."""

    letter: str
    arena: str
    floor: str
    wall: str
    line: int


@dataclass(frozen=True)
class Building:
    """Rooms between walls, drawn as a floor plan."""

    sector: str
    at: Tile
    """Map tile of the plan's top left character."""
    facade: str
    rooms: Mapping[str, Room]
    rows: tuple[str, ...]
    """The floor plan, one character a tile, all rows equally long."""
    rows_line: int
    """Line of the first row."""
    things: tuple[Thing, ...]
    line: int
    windows: bool = True
    """Whether its facades get windows of their own accord."""

    def character(self, x: int, y: int) -> str:
        """What the plan shows at a map tile; OUTSIDE beyond its edges."""
        column, row = x - self.at[0], y - self.at[1]
        inside = 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row])
        return self.rows[row][column] if inside else OUTSIDE

    @property
    def tiles(self) -> dict[Tile, str]:
        """Map tile → character, for everything that is part of the building."""
        return {
            (self.at[0] + column, self.at[1] + row): character
            for row, text in enumerate(self.rows)
            for column, character in enumerate(text)
            if character != OUTSIDE
        }


@dataclass(frozen=True)
class Plot:
    """A part of an area that is one object as a whole: a garden bed. Its use tiles are all its walkable tiles."""

    name: str
    tiles: Tiles
    ground: str | None
    """Terrain kind painted under it."""
    plants: tuple[Plant, ...]
    """What grows on it here and there, or row by row."""
    density: float
    """Chance of a plant on each of its tiles; 1 for rows."""
    in_rows: bool
    """Each row from west to east is of one plant, the next row of the next, over and over."""
    line: int


@dataclass(frozen=True)
class Area:
    """An open-air arena without walls."""

    sector: str
    arena: str
    tiles: Tiles
    plots: tuple[Plot, ...]
    things: tuple[Thing, ...]
    line: int


@dataclass(frozen=True)
class Plan:
    """A whole town."""

    file: str
    """As it was given, for messages."""
    fingerprint: str
    """SHA-256 of the file's bytes, in hexadecimal."""
    maze_name: str
    """The name of its folder."""
    world: str
    """The first part of every address."""
    width: int
    height: int
    terrain: tuple[TerrainPatch, ...]
    scatter: tuple[Scatter, ...]
    buildings: tuple[Building, ...]
    areas: tuple[Area, ...]
    things: tuple[Thing, ...]
    """What stands in the street."""

    def where(self, line: int) -> str:
        return f"{self.file}:{line}"

    def inside(self, tile: Tile) -> bool:
        return 0 <= tile[0] < self.width and 0 <= tile[1] < self.height

    @property
    def all_things(self) -> tuple[Thing, ...]:
        """Those of buildings, of areas and of the street, in this order."""
        groups = [*(building.things for building in self.buildings), *(area.things for area in self.areas), self.things]
        return tuple(thing for group in groups for thing in group)

    @property
    def ground(self) -> dict[Tile, TerrainPatch]:
        """Map tile → the terrain that counts there."""
        return {tile: terrain for terrain in self.terrain for tile in terrain.tiles if self.inside(tile)}
