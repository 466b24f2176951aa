"""Put pictures into the layers of a map, cut into tiles."""

from collections.abc import Iterator

from town_builder.art.canvas import TILE, Canvas
from town_builder.plan.shapes import Tile
from town_builder.tiled.layers import FURNITURE, HIGH, ITEMS, LOW, OVER, OVER_ALL, PICTURE_LAYERS

Pair = tuple[str, str]
"""Two layers for things on the same tile: the upper one takes what does not fit into the lower one."""
DECORATION: Pair = LOW, HIGH
INDOORS: Pair = FURNITURE, ITEMS
FOREGROUND: Pair = OVER, OVER_ALL


class Canvases:
    """All picture layers of a map in progress. Anything outside the map is ignored."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.cells: dict[str, dict[Tile, Canvas]] = {name: {} for name in PICTURE_LAYERS}
        """Pictures are shared between cells: never paint on one that lies here."""

    def put(self, layer: str, tile: Tile, picture: Canvas) -> None:
        """Draw the picture of one tile over the current picture of the layer."""
        if 0 <= tile[0] < self.width and 0 <= tile[1] < self.height:
            cells = self.cells[layer]
            cells[tile] = cells[tile].copy().over(picture) if tile in cells else picture

    def paint(self, layer: str, picture: Canvas, at: Tile) -> None:
        """Draw a picture of any size with its top left corner at this pixel of the map."""
        for tile, part in pieces(picture, at):
            self.put(layer, tile, part)

    def stack(self, pair: Pair, tile: Tile, picture: Canvas) -> None:
        """Put a picture into the lower layer if both layers are free there, else into the upper one."""
        lower, upper = pair
        free = tile not in self.cells[lower] and tile not in self.cells[upper]
        self.put(lower if free else upper, tile, picture)


def pieces(picture: Canvas, at: Tile) -> Iterator[tuple[Tile, Canvas]]:
    """Yield the tiles under a picture at this pixel, each with its part of the picture; skip empty parts."""
    x, y = at
    for row in range(y // TILE, -(-(y + picture.height) // TILE)):
        for column in range(x // TILE, -(-(x + picture.width) // TILE)):
            part = picture.crop(column * TILE - x, row * TILE - y, TILE, TILE)
            if part.drawn.any():
                yield (column, row), part
