"""Shapes of a town file as sets of tiles."""

from collections.abc import Callable
from math import pi, sin

from town_builder.art.canvas import noise
from town_builder.yaml_reader import Four, Pair, YamlEntry

Tile = tuple[int, int]
"""Tiles right and tiles down from the top left corner of the map."""
Tiles = frozenset[Tile]

LUMPS = (2, 3, 5)
"""Frequencies of the waves on the outline of a blob, in periods per turn."""
LUMPINESS = 0.12


def rectangle(rect: Four) -> Tiles:
    x, y, width, height = rect
    return frozenset((i, j) for j in range(y, y + height) for i in range(x, x + width))


def line(points: tuple[Pair, ...], width: int) -> Tiles:
    """Return the tiles of a line through the points, drawn with a square brush `width` tiles wide."""
    terrain_brush = range(-(width // 2), width - width // 2)
    tiles: set[Tile] = set()
    for (x0, y0), (x1, y1) in zip(points, points[1:] or points, strict=False):
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        for step in range(steps + 1):
            x, y = x0 + (x1 - x0) * step // steps, y0 + (y1 - y0) * step // steps
            tiles.update((x + i, y + j) for j in terrain_brush for i in terrain_brush)
    return frozenset(tiles)


def blob(middle_and_axes: Four, seed: int) -> Tiles:
    """Return an ellipse with a wavy outline; the numbers are x, y, half width and half height."""
    x, y, across, down = middle_and_axes
    return frozenset(
        (i, j)
        for j in range(y - 2 * down, y + 2 * down + 1)
        for i in range(x - 2 * across, x + 2 * across + 1)
        if _inside_blob((i - x) / (across + 0.5), (j - y) / (down + 0.5), seed)
    )


def _inside_blob(right: float, down: float, seed: int) -> bool:
    # The angle as a position on the diamond |x| + |y| = 1, which needs no arctan.
    length = abs(right) + abs(down)
    if not length:
        return True
    turn = (1 - right / length) * (1 if down >= 0 else -1) / 4
    waves = sum(sin(2 * pi * (turn * lump + noise("blob", seed, lump))) for lump in LUMPS)
    return right * right + down * down <= (1 + LUMPINESS * waves) ** 2


def _read_rectangle(entry: YamlEntry) -> Tiles:
    return rectangle(entry.require("rect").four())


def _read_rows(entry: YamlEntry) -> Tiles:
    tiles: set[Tile] = set()
    for key, row in entry.require("rows").fields().items():
        if not key.isdecimal():
            row.fail(f"row {key!r} is not a number", "write rows as {y: [x, count]}")
        tiles.update((i, int(key)) for x, count in row.pairs() for i in range(x, x + count))
    return frozenset(tiles)


def _read_line(entry: YamlEntry) -> Tiles:
    width = entry.get("width")
    return line(entry.require("line").pairs(), width.tiles() if width else 1)


def _read_blob(entry: YamlEntry) -> Tiles:
    seed = entry.get("seed")
    return blob(entry.require("blob").four("x, y, half width, half height"), seed.integer() if seed else 0)


READERS: dict[str, Callable[[YamlEntry], Tiles]] = {
    "rect": _read_rectangle,
    "rows": _read_rows,
    "line": _read_line,
    "blob": _read_blob,
}
SHAPE_KEYS = (*READERS, "width", "seed")


def read_shape(entry: YamlEntry) -> Tiles:
    """Return the tiles of the shape in an entry. Raises TownError unless there is exactly one, with any tiles."""
    shapes = [key for key in READERS if entry.get(key)]
    if len(shapes) != 1:
        entry.fail(f"{entry.name} has {len(shapes)} shapes", f"give it exactly one of {', '.join(READERS)}")
    tiles = READERS[shapes[0]](entry)
    if not tiles:
        entry.fail("the shape covers no tile", "make it at least one tile wide and high")
    return tiles
