"""Streets and squares: sand, cobbles, flagstones, boards. Patterns are 64 × 64 pixels and wrap around."""

from functools import cache

import numpy as np

from town_builder.art.canvas import TILE, Canvas, Mask, noise
from town_builder.art.ground.autotile import Numbers, Outline
from town_builder.art.palette import GRASS, SAND, SHADE, SHADOW, STONE, WALL, WOOD, Colour, mix

PATTERN = 2 * TILE
PALE, WARM, COOL = mix(STONE[4], WALL[3], 0.65), mix(STONE[3], WALL[2], 0.6), mix(STONE[3], STONE[4], 0.3)
JOINT, UNDER = mix(STONE[1], STONE[2], 0.75), mix(STONE[2], STONE[3], 0.45)
TREAD = mix(SAND[3], SAND[4], 0.4)


def part(pattern: Canvas, variant: int) -> Canvas:
    """Return the quarter of a pattern of two by two tiles that belongs to a variant."""
    return pattern.crop(variant % 2 * TILE, variant // 2 * TILE, TILE, TILE)


def clipped(picture: Canvas, mask: Mask) -> Canvas:
    """Clear the picture outside the mask and return it."""
    return picture.fill(~mask, (0, 0, 0, 0))


def checker(odd: int = 0) -> Mask:
    """Return a mask of every other pixel of a tile."""
    down, right = np.mgrid[0:TILE, 0:TILE]
    return np.asarray((right + down) % 2 == odd)


def dither(mask: Mask, inner: Mask) -> Mask:
    """Return the inner mask plus every other pixel of the rest."""
    return inner | mask & checker()


def blades(step: int, share: int) -> Mask:
    """Return a mask of the columns in which grass hangs over an edge."""
    return np.broadcast_to(np.arange(TILE) * 5 % step < share, (TILE, TILE))


def paint_path(outline: Outline, variant: int) -> Canvas:
    """Paint a sand street, slightly lower than the grass, which hangs over its northern edge."""
    inside = outline.within()
    tile = clipped(part(_sand_pattern("path"), variant), inside)
    tile.fill(inside & ~outline.around(7) & ~checker(), mix(SAND[3], SAND[2], 0.25))
    north, west = inside & ~outline.within(0, -1), inside & ~outline.within(-1, 0)
    tile.fill(inside & ~outline.within(1, 0), mix(SAND[3], SAND[2], 0.8))
    tile.fill(inside & ~outline.within(0, 1), SAND[4])
    tile.fill(inside & ~outline.within(0, -4), mix(SAND[2], SAND[3], 0.55))
    tile.fill(inside & ~outline.within(0, -3), SAND[2]).fill(west, SAND[2]).fill(north, SAND[1])
    tile.fill(north & blades(7, 3), GRASS[1])
    tile.fill(inside & ~outline.within(0, -2) & ~north & blades(7, 1), GRASS[2])
    tile.fill(inside & ~outline.within(0, 1) & blades(9, 2), GRASS[2])
    tile.fill(outline.beside(), GRASS[1])
    return tile.fill(outline.beside() & outline.within(0, -1), GRASS[2])


def paint_sand(outline: Outline, variant: int) -> Canvas:
    """Paint a pale beach with a soft rim."""
    inside = outline.within()
    tile = clipped(part(_sand_pattern("beach"), variant), inside)
    tile.fill(dither(inside & ~outline.around(4), inside & ~outline.around(2)) & inside, SAND[2])
    tile.fill(inside & ~outline.around(1), mix(SAND[2], GRASS[2], 0.35))
    return tile.fill(outline.beside() & checker(), GRASS[2])


@cache
def _sand_pattern(name: str) -> Canvas:
    """Draw sand with grains, a few pebbles and paler trodden patches."""
    sand = Canvas(PATTERN, PATTERN).rect(0, 0, PATTERN, PATTERN, SAND[3])
    random = np.random.RandomState(sum(map(ord, name)))
    for _ in range(11):
        x, y, width = random.randint(PATTERN), random.randint(PATTERN), random.randint(6, 15)
        _wrapped_row(sand, x, y, width, TREAD)
        _wrapped_row(sand, x + 3, y + 1, width - 4, TREAD)
    for _ in range(34):
        x, y, draw = random.randint(PATTERN), random.randint(2, PATTERN), random.rand()
        if draw < 0.42:
            _wrapped_row(sand, x, y, 2, mix(SAND[2], SAND[3], 0.3))
        elif draw < 0.8:
            _wrapped_row(sand, x, y, 2, SAND[4])
        else:
            sand.row(x, y, 2, SAND[1]).row(x, y - 1, 2, SAND[2]).dot(x, y - 1, SAND[4])
    return sand


def _wrapped_row(pattern: Canvas, x: int, y: int, width: int, tone: Colour) -> None:
    for step in range(width):
        pattern.dot((x + step) % pattern.width, y % pattern.height, tone)


def paint_cobble(outline: Outline, variant: int) -> Canvas:
    """Paint rounded cobblestones inside a kerb."""
    return _kerbed(outline, part(_cobble_pattern(), variant), 2)


def paint_plaza(outline: Outline, variant: int) -> Canvas:
    """Paint large flagstones inside a kerb."""
    return _kerbed(outline, part(_flag_pattern(), variant), 4)


def _kerbed(outline: Outline, stones: Canvas, width: int) -> Canvas:
    """Paint stones inside a pale kerb, lit from the upper left, with its shadow to the south."""
    inside, core = outline.within(), outline.around(width)
    tile = clipped(stones, core).fill(inside & ~core, STONE[4] if width > 2 else STONE[3])
    tile.fill(core & ~outline.around(width + 1), JOINT)
    tile.fill(inside & ~core & ~outline.within(0, width - 1), STONE[3])
    tile.fill(inside & ~outline.around(1), STONE[1])
    tile.fill(inside & ~outline.within(0, 1), STONE[0])
    return tile.fill(outline.beside(), SHADOW)


@cache
def _cobble_pattern() -> Canvas:
    """Draw stones as nearest-centre cells in rows, each light at the top and dark at the bottom."""
    random = np.random.RandomState(3)
    centres = [(x * 8 + 4 * (y % 2) + random.randint(-1, 2), y * 8 + 4 + random.randint(-1, 2), y * 8 + x)
               for y in range(8) for x in range(8)]  # fmt: skip
    down, right = np.mgrid[0:PATTERN, 0:PATTERN].astype(float)
    nearest, second = np.full(down.shape, 99.0), np.full(down.shape, 99.0)
    stone, across, along = np.zeros(down.shape, int), np.zeros(down.shape), np.zeros(down.shape)
    for x, y, number in centres:
        dx, dy = _wrapped(right - x), _wrapped(down - y) * 1.12
        distance = np.hypot(dx, dy)
        closer = distance < nearest
        second = np.where(closer, nearest, np.minimum(second, distance))
        nearest = np.minimum(nearest, distance)
        stone, across, along = (np.where(closer, new, old) for new, old in ((number, stone), (dx, across), (dy, along)))
    tone = np.array([noise("stone", number) for number in range(len(centres))])[stone]
    cobbles = Canvas(PATTERN, PATTERN).rect(0, 0, PATTERN, PATTERN, COOL)
    cobbles.fill(tone < 0.4, WARM).fill(tone > 0.82, PALE)
    cobbles.fill((along < -2.4) & (across < 2), STONE[4]).fill(along > 2.8, UNDER)
    return cobbles.fill(second - nearest < 1.2, JOINT)


def _wrapped(distance: Numbers) -> Numbers:
    """Return distances on a pattern that wraps around."""
    return np.asarray((distance + PATTERN / 2) % PATTERN - PATTERN / 2)


FLAGS = ((0, 0, (22, 18, 24)), (1, 16, (16, 26, 22)), (2, 7, (26, 20, 18)), (3, 20, (20, 18, 26)))
"""Four courses of slabs, 16 px high: number, position of the first joint, widths (64 in total)."""


@cache
def _flag_pattern() -> Canvas:
    """Draw slabs of pale stone in courses, each slightly different, with light upper and dark lower edges."""
    flags = Canvas(PATTERN, PATTERN).rect(0, 0, PATTERN, PATTERN, COOL)
    for course, start, widths in FLAGS:
        left = start
        for number, width in enumerate(widths):
            tone = (mix(PALE, WARM, 0.3), mix(WARM, PALE, 0.5), mix(COOL, PALE, 0.5), PALE)[
                int(noise("flag", course, number) * 4)
            ]
            _slab(flags, left, course * 16, width, tone)
            left += width
    return flags


def _slab(flags: Canvas, left: int, top: int, width: int, tone: Colour) -> None:
    joint = mix(JOINT, STONE[3], 0.35)
    for y, shade in [(0, mix(tone, STONE[5], 0.6)), *((row, tone) for row in range(1, 14)), (14, UNDER), (15, joint)]:
        _wrapped_row(flags, left, top + y, width - 1, shade)
        _wrapped_row(flags, left + width - 1, top + y, 1, joint)
    if noise("crack", left, top) < 0.3:
        for step in range(5):
            _wrapped_row(flags, left + 6 + step, top + 4 + step // 2, 1, UNDER)


def paint_deck(outline: Outline, variant: int) -> Canvas:
    """Paint boards across posts (a jetty or a terrace), with visible thickness to the south."""
    inside = outline.within()
    tile = clipped(part(_board_pattern(), variant), inside)
    tile.fill(inside & ~outline.within(0, -1), WOOD[5]).fill(inside & ~outline.within(-1, 0), WOOD[4])
    front = inside & ~outline.within(0, 4)
    tile.fill(front, WOOD[2]).fill(inside & ~outline.within(0, 1), WOOD[0]).fill(front & outline.within(0, 3), WOOD[1])
    tile.fill(inside & ~outline.within(1, 0), WOOD[1])
    return tile.fill(~inside & outline.within(0, -2), SHADOW).fill(outline.beside() & ~outline.within(0, -1), SHADE)


@cache
def _board_pattern() -> Canvas:
    """Draw boards 8 px wide from north to south, with staggered ends."""
    boards = Canvas(PATTERN, PATTERN).rect(0, 0, PATTERN, PATTERN, WOOD[4])
    for number in range(8):
        left, end = number * 8, int(noise("board", number) * 8) * 8
        boards.rect(left, 0, 8, PATTERN, mix(WOOD[4], WOOD[3], 0.2 + 0.5 * noise("tone", number)))
        boards.column(left, 0, PATTERN, mix(WOOD[4], WOOD[5], 0.4)).column(left + 7, 0, PATTERN, WOOD[2])
        boards.row(left, end, 8, WOOD[2]).dots([(left + 2, end + 2), (left + 5, end + 2)], WOOD[1])
        boards.column(left + 4, (end + 20) % 50, 9, mix(WOOD[3], WOOD[4], 0.3))
    return boards
