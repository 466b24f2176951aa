"""Render a finished map from its map file and tilesets only, which also proves that these are correct."""

import math
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from town_builder.art.canvas import TILE, Canvas, load
from town_builder.problems import town_error
from town_builder.tiled.layers import PICTURE_LAYERS, Pictures
from town_builder.tiled.map_file import Tileset
from town_builder.tiled.reading import LoadedMap, read_map

Numbers = npt.NDArray[np.int64]

LARGEST = 40_000_000
"""Pixels of a picture of a whole map at most; larger maps are drawn at half or a quarter of their size."""
BAND = 5_000_000
"""Pixels whose colours are counted at a time."""
COLOURS = 256
"""Maximum number of colours of a PNG with a palette."""
OVERVIEW_PIXELS = 400_000
OVERVIEW_BYTES = 60_000
QUALITIES = range(90, 0, -5)
"""Qualities of a WebP to try, best first."""
FRONT_QUALITY = 40
"""Of a WebP that lies behind the front page."""


def render(path: Path) -> Canvas:
    """Return the picture layers of a map file as one picture, smaller than the map if that is very large.

    Raises TownError for missing tilesets.
    """
    reading = read_map(path)
    side = _side(reading.map.width * reading.map.height)
    tiles = {number: _shrunk(tile, TILE // side) for number, tile in _tiles(path, reading).items()}
    picture = Canvas(reading.map.width * side, reading.map.height * side)
    for name in PICTURE_LAYERS:
        for place, number in enumerate(reading.map.layers[name.strip()]):
            if number:
                row, column = divmod(place, reading.map.width)
                picture.over(tiles[number], column * side, row * side)
    return picture


def composed(pictures: Pictures, width: int, height: int) -> Canvas:
    """Return picture layers of a map, whose size is in tiles, as one picture, smaller than a very large map."""
    side = _side(width * height)
    picture = Canvas(width * side, height * side)
    for name in PICTURE_LAYERS:
        for (column, row), tile in pictures.get(name, {}).items():
            picture.over(_shrunk(tile, TILE // side), column * side, row * side)
    return picture


def _side(tiles: int) -> int:
    """Return the pixels of a tile's side in the picture of a map of so many tiles."""
    side = TILE
    while tiles * side * side > LARGEST:
        side //= 2
    return side


def _shrunk(tile: Canvas, times: int) -> Canvas:
    """Return a picture so many times smaller: each pixel the mean of a square, weighed by opacity."""
    if times == 1:
        return tile
    height, width = tile.pixels.shape[:2]
    squares = tile.pixels.reshape(height // times, times, width // times, times, 4).astype(np.float64)
    opacity = squares[..., 3:]
    total = opacity.sum((1, 3))
    colour = (squares[..., :3] * opacity).sum((1, 3)) / np.maximum(total, 1)
    return Canvas.of(np.concatenate([colour, total / times**2], -1).round().astype(np.uint8))


def _tiles(path: Path, reading: LoadedMap) -> dict[int, Canvas]:
    """Return the pictures of all tile numbers that the picture layers use."""
    used = {number for name in PICTURE_LAYERS for number in reading.map.layers[name.strip()]}
    tiles: dict[int, Canvas] = {}
    for tileset in reading.map.tilesets:
        wanted = sorted(used & set(range(tileset.first, tileset.first + tileset.count)))
        if wanted:
            sheet = _sheet(path.parent / tileset.image)
            tiles |= {number: _tile(sheet, tileset, number) for number in wanted}
    if missing := sorted(used - {0} - tiles.keys()):
        raise town_error(str(path), f"tile {missing[0]} is not in any tileset", "build the map again")
    return tiles


def _sheet(path: Path) -> Canvas:
    if not path.is_file():
        raise town_error(str(path), "is missing", "build the map again")
    return load(path)


def _tile(sheet: Canvas, tileset: Tileset, number: int) -> Canvas:
    row, column = divmod(number - tileset.first, tileset.columns)
    return sheet.crop(column * TILE, row * TILE, TILE, TILE)


def save_small(picture: Canvas, path: Path) -> None:
    """Write an opaque picture as a PNG with a palette of 256 colours: half the size without a visible difference."""
    path.parent.mkdir(parents=True, exist_ok=True)
    codes = picture.pixels[..., 0].astype(np.uint32)
    for channel in (1, 2):
        codes <<= 8
        codes |= picture.pixels[..., channel]
    counts = np.zeros(1 << 24, np.int64)
    for rows in np.array_split(codes, 1 + codes.size // BAND):  # whole, it would be copied as eight bytes a pixel
        counts += np.bincount(rows.ravel(), minlength=len(counts))
    used = counts.nonzero()[0]
    colours = np.stack([used >> 16, used >> 8 & 255, used & 255], axis=-1)
    palette = _palette(colours, counts[used])
    nearest = np.zeros(len(counts), np.uint8)
    nearest[used] = np.stack([_distances(colours, colour) for colour in palette]).argmin(0)
    small = Image.fromarray(nearest[codes], "P")
    small.putpalette(palette.astype(np.uint8).tobytes())
    small.save(path, optimize=True)


def save_overview(picture: Canvas, path: Path) -> None:
    """Write an opaque picture as a small WebP, which pages show while they load the map."""
    small = _scaled(picture, math.sqrt(OVERVIEW_PIXELS / (picture.width * picture.height)))
    for quality in QUALITIES:
        content = BytesIO()
        small.save(content, "WEBP", quality=quality, method=6)
        if content.tell() <= OVERVIEW_BYTES:
            break
    path.write_bytes(content.getvalue())


def save_front(picture: Canvas, path: Path, width: int) -> None:
    """Write an opaque picture as a WebP of at most a width in pixels, which the front page shows."""
    _scaled(picture, width / picture.width).save(path, "WEBP", quality=FRONT_QUALITY, method=6)


def _scaled(picture: Canvas, scale: float) -> Image.Image:
    """Return an opaque picture, made smaller by a scale below 1."""
    size = round(picture.width * min(1.0, scale)), round(picture.height * min(1.0, scale))
    return Image.fromarray(picture.pixels, "RGBA").convert("RGB").resize(size, Image.Resampling.LANCZOS)


def _palette(colours: Numbers, counts: Numbers) -> Numbers:
    """Return at most COLOURS colours: repeatedly the one whose omission would cause the largest error."""
    chosen = [int(counts.argmax())]
    missed = _distances(colours, colours[chosen[0]])
    while len(chosen) < min(COLOURS, len(colours)):
        chosen.append(int((missed * counts).argmax()))
        missed = np.minimum(missed, _distances(colours, colours[chosen[-1]]))
    return colours[chosen]


def _distances(colours: Numbers, colour: Numbers) -> Numbers:
    """Return the squared distance of each colour from one colour."""
    return np.asarray(((colours - colour) ** 2).sum(-1))
