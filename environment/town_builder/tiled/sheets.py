"""Tile sheets that are part of every map, arranged so that people can paint with them in an editor."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from town_builder.art.buildings.facades import FACADES
from town_builder.art.buildings.floors import FLOORS, floor
from town_builder.art.buildings.floors import VARIANTS as FLOOR_VARIANTS
from town_builder.art.buildings.wallpapers import WALLPAPERS
from town_builder.art.buildings.walls import EAST, NORTH, OPEN, SOUTH, WEST, cap, face, inside, outside, wall
from town_builder.art.canvas import TILE, Canvas
from town_builder.art.catalogue import picture_of, stamps
from town_builder.art.drawing import DRAWINGS
from town_builder.art.ground.autotile import EVERYWHERE, MASKS, wang_id
from town_builder.art.ground.grass import GRASS_TILES
from town_builder.art.ground.ground import TERRAINS
from town_builder.art.ground.ground import VARIANTS as GROUND_VARIANTS
from town_builder.tiled.map_file import TerrainBrush

COLUMNS = 16
TERRAIN_COLUMNS = 12
INDOORS = frozenset({"furniture", "hangings", "rugs"})
"""Modules of `art` whose stamps belong in rooms."""


@dataclass(frozen=True)
class Sheet:
    """Tiles in rows of `columns`; None leaves a place empty."""

    name: str
    columns: int
    tiles: tuple[Canvas | None, ...]
    terrain_brush: TerrainBrush | None = None

    @property
    def places(self) -> int:
        """Number of tile places, in whole rows."""
        return -(-len(self.tiles) // self.columns) * self.columns

    @property
    def picture(self) -> Canvas:
        sheet = Canvas(self.columns * TILE, self.places // self.columns * TILE)
        for place, tile in enumerate(self.tiles):
            if tile:
                row, column = divmod(place, self.columns)
                sheet.over(tile, column * TILE, row * TILE)
        return sheet


@cache
def catalogue() -> tuple[Sheet, ...]:
    """Return all sheets that are common to all towns, in a fixed order."""
    indoors = [name for name in stamps() if INDOORS & {*DRAWINGS[name].__module__.split(".")}]
    return (
        Sheet("grass", COLUMNS, GRASS_TILES),
        *(_terrain(name) for name in TERRAINS),
        Sheet("floors", COLUMNS, tuple(floor(name, variant) for name in FLOORS for variant in range(FLOOR_VARIANTS))),
        Sheet("walls", COLUMNS, tuple(_walls())),
        _stamped("furniture", indoors),
        _stamped("nature", [name for name in stamps() if name not in indoors]),
    )


def _terrain(name: str) -> Sheet:
    """Return the 47 tiles of a ground in the order of MASKS, four rows of twelve for each variant."""
    terrain = TERRAINS[name]
    tiles: list[Canvas | None] = []
    painted: list[tuple[int, tuple[int, ...]]] = []
    for variant in range(GROUND_VARIANTS):
        for mask in MASKS:
            painted.append((len(tiles), wang_id(mask)))
            tiles.append(terrain.tile(mask, variant))
        tiles.append(None)
    colour = "#{:02x}{:02x}{:02x}".format(*terrain.tile(EVERYWHERE).at(TILE // 2, TILE // 2)[:3])
    return Sheet(name, TERRAIN_COLUMNS, tuple(tiles), TerrainBrush(name, colour, tuple(painted)))


def _walls() -> Iterator[Canvas | None]:
    """Yield the sixteen joins of bare caps, then for each style a row of walls with faces and the tiles below them."""
    joins = [sum(side for side, bit in zip((NORTH, EAST, SOUTH, WEST), (1, 2, 4, 8), strict=True) if number & bit)
             for number in range(16)]  # fmt: skip
    yield from (cap(join) for join in joins)
    for style in (*map(inside, WALLPAPERS), *map(outside, FACADES)):
        full = (style, style, style)
        for join in (EAST | WEST, EAST, WEST, 0):
            for south in (0, SOUTH):
                yield wall(join | south, 0, full, OPEN)
        for zones in (full, (None, style, style), (style, style, None), (None, style, None)):
            yield face(zones)
        yield from [None] * 4


def _stamped(name: str, names: Iterable[str]) -> Sheet:
    """Return a sheet with stamps side by side, each as a block of tiles, covers next to the pictures below them."""
    places: dict[tuple[int, int], Canvas] = {}
    left = top = height = 0
    for picture in (layer for stamp in names for layer in _layers(stamp)):
        width, rows = picture.width // TILE, picture.height // TILE
        if left + width > COLUMNS:
            left, top, height = 0, top + height, 0
        for row in range(rows):
            for column in range(width):
                part = picture.crop(column * TILE, row * TILE, TILE, TILE)
                places[left + column, top + row] = part
        left, height = left + width, max(height, rows)
    count = (top + height) * COLUMNS
    return Sheet(name, COLUMNS, tuple(places.get((place % COLUMNS, place // COLUMNS)) for place in range(count)))


def _layers(stamp: str) -> Iterator[Canvas]:
    picture = picture_of(stamp)
    yield picture.below
    if picture.cover:
        yield picture.cover
