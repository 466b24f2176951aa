"""Turn pictures into tile numbers: find each distinct tile on a sheet, or add it to the sheet of this town."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from town_builder.art.canvas import Canvas
from town_builder.tiled.layers import PICTURE_LAYERS, Pictures
from town_builder.tiled.map_file import FIRST_BLOCK, Gids, Tileset
from town_builder.tiled.sheets import COLUMNS, Sheet

COMPOSED = "composed"
"""Sheet of the tiles that are unique to this town, where several pictures overlap."""
FOLDER = "tilesets"


@dataclass
class Packing:
    """Consecutive sheets and the numbers of their tiles."""

    sheets: list[tuple[int, Sheet]] = field(default_factory=list)
    """Pairs of first number and sheet."""
    numbers: dict[bytes, int] = field(default_factory=dict)
    """Pixels → number of the first tile with these pixels."""

    @property
    def next(self) -> int:
        return self.sheets[-1][0] + self.sheets[-1][1].places if self.sheets else 1

    def add(self, sheet: Sheet) -> None:
        first = self.next
        self.sheets.append((first, sheet))
        for place, tile in enumerate(sheet.tiles):
            if tile and tile.drawn.any():
                self.numbers.setdefault(pixels(tile), first + place)

    def tilesets(self) -> Iterator[Tileset]:
        for first, sheet in self.sheets:
            image = f"{FOLDER}/{sheet.name}.png"
            yield Tileset(sheet.name, first, sheet.columns, sheet.places, image, terrain_brush=sheet.terrain_brush)


def pixels(tile: Canvas) -> bytes:
    """Return the visible pixels of a tile as bytes; all transparent pixels are equal."""
    seen = tile.pixels.copy()
    seen[~tile.drawn] = 0
    return seen.tobytes()


def pack(pictures: Pictures, width: int, height: int, catalogue: Iterable[Sheet]) -> tuple[Packing, dict[str, Gids]]:
    """Return all sheets, and the tile numbers of each picture layer, row by row."""
    packing = Packing()
    for sheet in catalogue:
        packing.add(sheet)
    # Many cells share one picture, so its pixels are computed only once.
    seen = {id(tile): pixels(tile) for cells in pictures.values() for tile in cells.values() if tile.drawn.any()}
    by_pixels = {
        seen[id(tile)]: tile
        for name in PICTURE_LAYERS
        for _, tile in sorted(pictures[name].items())
        if id(tile) in seen
    }
    own = [tile for key, tile in by_pixels.items() if key not in packing.numbers]
    if own:
        packing.add(Sheet(COMPOSED, COLUMNS, tuple(own)))
    if packing.next > FIRST_BLOCK:
        raise ValueError(f"{packing.next} tiles do not fit below {FIRST_BLOCK}, where the markers begin")
    places = [(x, y) for y in range(height) for x in range(width)]
    layers = {}
    for name in PICTURE_LAYERS:
        cells = pictures[name]
        keys = (seen.get(id(cells[place])) if place in cells else None for place in places)
        layers[name] = tuple(packing.numbers[key] if key else 0 for key in keys)
    return packing, layers
