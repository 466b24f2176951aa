"""The content of a town file as values.

`town_file.load_plan` reads them from YAML. Every part keeps its line number for error messages.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from town_builder.plan.shapes import Tile, Tiles

WALL, DOORWAY, FACADE, OUTSIDE = "#", "+", "_", "."
"""Characters of a floor plan that do not stand for a room."""
PLANTABLE = frozenset({"meadow", "forest"})
"""Kinds of terrain that accept scatter, like plain grass."""


@dataclass(frozen=True)
class TerrainPatch:
    """A piece of ground of one kind. Where patches overlap, the last one wins, for the picture and for `solid`."""

    kind: str
    tiles: Tiles
    """Map tiles; tiles outside the map are ignored."""
    solid: bool
    line: int


@dataclass(frozen=True)
class Plant:
    """A stamp and its colour, for plots and scatter."""

    stamp: str
    colour: str | None
    """Name of a colour ramp; None for the default of the stamp."""
    line: int


@dataclass(frozen=True)
class Scatter:
    """Random stamps on the tiles of a shape. `placement.place_stamps` chooses their places."""

    stamps: tuple[Plant, ...]
    tiles: Tiles
    """Map tiles that may get a stamp."""
    density: float
    """Probability of a stamp on each free tile."""
    seed: int
    clear: int
    """Free tiles to keep between solid tiles and everything else."""
    solid: bool
    """Makes all free ground in `tiles` impassable (a forest)."""
    line: int


@dataclass(frozen=True)
class Thing:
    """A stamp, an object of the world, or both, on one or more places."""

    places: tuple[Tile, ...]
    """Map tiles of the top left corner of the footprint, one per copy."""
    line: int
    stamp: str | None = None
    objects: Mapping[str, tuple[Tile, ...] | None] = field(default_factory=dict)
    """Object name → use tiles as offsets from the place; None for the use tiles of the stamp."""
    colour: str | None = None
    """Name of a colour ramp; None for the default of the stamp."""
    variant: str | None = None
    """Name of one of the stamp's looks; None to choose by place."""
    spawn: bool = False
    """Whether people may wake up on its use tiles."""


@dataclass(frozen=True)
class Room:
    """The meaning of a letter in a floor plan."""

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
    """Map tile of the top left character of the plan."""
    facade: str
    rooms: Mapping[str, Room]
    rows: tuple[str, ...]
    """Floor plan with one character per tile; all rows have the same length."""
    rows_line: int
    """Line number of the first row."""
    things: tuple[Thing, ...]
    line: int
    windows: bool = True
    """Whether its facades get windows automatically."""

    def character(self, x: int, y: int) -> str:
        """Return the character of the plan at a map tile, or OUTSIDE beyond its edges."""
        column, row = x - self.at[0], y - self.at[1]
        inside = 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row])
        return self.rows[row][column] if inside else OUTSIDE

    @property
    def tiles(self) -> dict[Tile, str]:
        """Map tile → character, for all tiles of the building."""
        return {
            (self.at[0] + column, self.at[1] + row): character
            for row, text in enumerate(self.rows)
            for column, character in enumerate(text)
            if character != OUTSIDE
        }


@dataclass(frozen=True)
class Plot:
    """A part of an area that is a single object, such as a garden bed. All its walkable tiles are use tiles."""

    name: str
    tiles: Tiles
    ground: str | None
    """Kind of terrain painted under it."""
    plants: tuple[Plant, ...]
    """Plants to place at random or row by row."""
    density: float
    """Probability of a plant on each tile; 1 for rows."""
    in_rows: bool
    """Plant whole rows from west to east, using the plants in turn."""
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
    """Path as given by the user, for messages."""
    fingerprint: str
    """SHA-256 of the bytes of the file, in hexadecimal."""
    maze_name: str
    """Name of the maze folder."""
    world: str
    """First part of every address."""
    width: int
    height: int
    terrain: tuple[TerrainPatch, ...]
    scatter: tuple[Scatter, ...]
    buildings: tuple[Building, ...]
    areas: tuple[Area, ...]
    things: tuple[Thing, ...]
    """Things that are in neither a building nor an area."""

    def where(self, line: int) -> str:
        return f"{self.file}:{line}"

    def inside(self, tile: Tile) -> bool:
        return 0 <= tile[0] < self.width and 0 <= tile[1] < self.height

    @property
    def all_things(self) -> tuple[Thing, ...]:
        """Things of buildings, of areas and of the street, in this order."""
        groups = [*(building.things for building in self.buildings), *(area.things for area in self.areas), self.things]
        return tuple(thing for group in groups for thing in group)

    @property
    def ground(self) -> dict[Tile, TerrainPatch]:
        """Map tile → the terrain patch that wins there."""
        return {tile: terrain for terrain in self.terrain for tile in terrain.tiles if self.inside(tile)}
