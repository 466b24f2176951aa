"""A picture of a finished map, made of nothing but the map file and its sheets: the proof that the file is right."""

from pathlib import Path

import numpy as np
from PIL import Image

from town_builder.art.canvas import TILE, Canvas, load
from town_builder.faults import fault
from town_builder.layers import PICTURE_LAYERS
from town_builder.tiled import Tileset
from town_builder.tiled_reading import Reading, read_map

COLOURS = 256
"""What a PNG with a palette can hold."""


def render(path: Path) -> Canvas:
    """The picture layers of a map file one over the other, a pixel for a pixel. Raises TownError for missing sheets."""
    reading = read_map(path)
    tiles = _tiles(path, reading)
    picture = Canvas(reading.map.width * TILE, reading.map.height * TILE)
    for name in PICTURE_LAYERS:
        for place, number in enumerate(reading.map.layers[name.strip()]):
            if number:
                row, column = divmod(place, reading.map.width)
                picture.over(tiles[number], column * TILE, row * TILE)
    return picture


def _tiles(path: Path, reading: Reading) -> dict[int, Canvas]:
    """Every number the picture layers use → its tile."""
    used = {number for name in PICTURE_LAYERS for number in reading.map.layers[name.strip()]}
    tiles: dict[int, Canvas] = {}
    for tileset in reading.map.tilesets:
        wanted = sorted(used & set(range(tileset.first, tileset.first + tileset.count)))
        if wanted:
            sheet = _sheet(path.parent / tileset.image)
            tiles |= {number: _tile(sheet, tileset, number) for number in wanted}
    if missing := sorted(used - {0} - tiles.keys()):
        raise fault(str(path), f"tile {missing[0]} is in no tileset", "build the map again")
    return tiles


def _sheet(path: Path) -> Canvas:
    if not path.is_file():
        raise fault(str(path), "is missing", "build the map again")
    return load(path)


def _tile(sheet: Canvas, tileset: Tileset, number: int) -> Canvas:
    row, column = divmod(number - tileset.first, tileset.columns)
    return sheet.crop(column * TILE, row * TILE, TILE, TILE)


def save_small(picture: Canvas, path: Path) -> None:
    """Write an opaque picture as a PNG with a palette of its own: a quarter of the bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    flat = Image.fromarray(np.ascontiguousarray(picture.pixels[..., :3]), "RGB")
    small = flat.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
