"""Still water: an earth bank to the north, foam, shallows and a deep middle with wavelets."""

from functools import cache

import numpy as np

from town_builder.art.autotile import Shape
from town_builder.art.canvas import Canvas, Mask
from town_builder.art.palette import GRASS, SAND, WATER, WOOD, mix
from town_builder.art.paving import PATTERN, blades, checker, clipped, part

DEEP = mix(WATER[1], WATER[2], 0.7)
SHALLOW, CLEAR = mix(WATER[2], WATER[3], 0.3), mix(WATER[3], WATER[2], 0.25)
BANK = 5
"""Height of the northern bank, pixels."""


def paint_water(outline: Shape, variant: int) -> Canvas:
    inside, surface = outline.within(), outline.within() & outline.within(0, -BANK)
    tile = Canvas(inside.shape[1], inside.shape[0]).fill(surface, CLEAR)
    tile.fill(_open(outline, 4, checkered=False), SHALLOW)
    tile.fill(_open(outline, 7, checkered=True), DEEP)
    tile.over(clipped(part(_wave_pattern(), variant), _open(outline, 5, checkered=False)))
    tile.fill(surface & ~outline.around(1) | surface & ~outline.within(0, -BANK - 1), WATER[5])
    _bank(tile, outline)
    tile.fill(outline.beside(), GRASS[1])
    return tile


def _open(outline: Shape, reach: int, *, checkered: bool) -> Mask:
    """The surface at least so far from every shore; with a rim of every other pixel, if wanted."""
    far = outline.around(reach) & outline.within(0, -min(reach + BANK, 10))
    near = outline.around(reach - 1) & outline.within(0, -min(reach + BANK - 1, 9))
    return far | near & checker() if checkered else far


def _bank(tile: Canvas, outline: Shape) -> None:
    """Earth under the northern edge, darker towards the water, grass hanging over it."""
    inside = outline.within()
    steps = ((BANK, WOOD[1]), (BANK - 1, WOOD[2]), (BANK - 2, WOOD[3]), (2, mix(WOOD[3], SAND[2], 0.4)))
    for depth, tone in steps:
        tile.fill(inside & ~outline.within(0, -depth), tone)
    tile.fill(inside & ~outline.within(0, -1), GRASS[1])
    tile.fill(inside & ~outline.within(0, -2) & blades(9, 4), GRASS[2])
    tile.fill(inside & ~outline.within(0, -3) & blades(9, 2), GRASS[1])


@cache
def _wave_pattern() -> Canvas:
    """Short arcs of light and dashes of dark, scattered over four tiles."""
    waves = Canvas(PATTERN, PATTERN)
    random = np.random.RandomState(23)
    for row in range(8):
        x, y = random.randint(2, PATTERN - 12), row * 8 + random.randint(1, 6)
        length = random.randint(5, 10)
        tone = WATER[4] if row % 3 == 0 else WATER[3]
        waves.row(x + 2, y - 1, length - 4, tone).dots(
            [(x, y), (x + 1, y), (x + length - 2, y), (x + length - 1, y)], tone
        )
        x, y = random.randint(2, PATTERN - 10), row * 8 + random.randint(1, 7)
        waves.row(x, y, random.randint(4, 8), mix(WATER[1], DEEP, 0.35))
    return waves
