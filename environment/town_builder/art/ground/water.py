"""Still water: an earth bank to the north, foam, shallows and a deep middle with wavelets."""

from functools import cache

import numpy as np

from town_builder.art.canvas import Canvas, Mask
from town_builder.art.ground.autotile import Outline
from town_builder.art.ground.paving import PATTERN, blades, checker, clipped, part
from town_builder.art.palette import GRASS, SAND, WATER, WOOD, mix

DEEP, CORE = mix(WATER[2], WATER[1], 0.25), mix(WATER[1], WATER[2], 0.5)
SHALLOW, CLEAR = mix(WATER[2], WATER[3], 0.35), mix(WATER[3], WATER[2], 0.15)
BANK = 5
"""Height of the northern bank, in pixels."""
ARCS = (
    (6, 6, 9, WATER[4]),
    (13, 9, 7, WATER[3]),
    (38, 13, 11, WATER[3]),
    (22, 23, 8, WATER[3]),
    (50, 24, 8, WATER[4]),
    (44, 27, 7, WATER[3]),
    (5, 37, 12, WATER[3]),
    (31, 40, 9, WATER[4]),
    (38, 43, 6, WATER[3]),
    (16, 52, 7, WATER[3]),
    (52, 55, 9, WATER[3]),
)
"""Wavelets: left, top, length, tone."""


def paint_water(outline: Outline, variant: int) -> Canvas:
    inside, surface = outline.within(), outline.within() & outline.within(0, -BANK)
    tile = Canvas(inside.shape[1], inside.shape[0]).fill(surface, CLEAR)
    tile.fill(_open(outline, 5, checkered=True), SHALLOW)
    tile.fill(_open(outline, 9, checkered=True), DEEP)
    tile.over(clipped(part(_wave_pattern(), variant), _open(outline, 8, checkered=False)))
    tile.fill(surface & ~outline.around(1) | surface & ~outline.within(0, -BANK - 1), WATER[5])
    _bank(tile, outline)
    tile.fill(outline.beside(), GRASS[1])
    return tile


def _open(outline: Outline, reach: int, *, checkered: bool) -> Mask:
    """Return the water at least `reach` pixels from every shore, with an optional rim of every other pixel."""
    far = outline.around(reach) & outline.within(0, -min(reach + BANK, 10))
    near = outline.around(reach - 1) & outline.within(0, -min(reach + BANK - 1, 9))
    return far | near & checker() if checkered else far


def _bank(tile: Canvas, outline: Outline) -> None:
    """Draw earth under the northern edge, darker towards the water, with grass hanging over it."""
    inside = outline.within()
    steps = ((BANK, WOOD[1]), (BANK - 1, WOOD[2]), (BANK - 2, WOOD[3]), (2, mix(WOOD[3], SAND[2], 0.4)))
    for depth, tone in steps:
        tile.fill(inside & ~outline.within(0, -depth), tone)
    tile.fill(inside & ~outline.within(0, -1), GRASS[1])
    tile.fill(inside & ~outline.within(0, -2) & blades(9, 4), GRASS[2])
    tile.fill(inside & ~outline.within(0, -3) & blades(9, 2), GRASS[1])


@cache
def _wave_pattern() -> Canvas:
    """Draw calm water over four tiles: darker drifts, arcs of light and a few glints."""
    waves = Canvas(PATTERN, PATTERN)
    random = np.random.RandomState(31)
    for _ in range(9):
        x, y, width = random.randint(PATTERN), random.randint(PATTERN), random.randint(9, 20)
        for step in range(width):
            waves.dot((x + step) % PATTERN, y, CORE).dot((x + step + 3) % PATTERN, (y + 1) % PATTERN, CORE)
    for x, y, length, tone in ARCS:
        waves.row(x + 2, y - 1, length - 4, tone).row(x, y, 2, tone).row(x + length - 2, y, 2, tone)
    for x, y in ((11, 27), (45, 8), (29, 58), (57, 43)):
        waves.dot(x, y, WATER[5]).dot(x + 1, y, WATER[4]).dot(x - 1, y, WATER[4])
    return waves
