"""Ground with vegetation: meadow, forest floor, tilled beds."""

from functools import cache

import numpy as np

from town_builder.art.canvas import Canvas
from town_builder.art.ground.autotile import Outline
from town_builder.art.ground.paving import PATTERN, checker, clipped, part
from town_builder.art.palette import AUTUMN, GRASS, SOIL, mix

LUSH = mix(GRASS[3], GRASS[4], 0.75)
SHADY = mix(GRASS[2], GRASS[3], 0.45)


def paint_meadow(outline: Outline, variant: int) -> Canvas:
    """Paint longer, paler grass that fades out in a dithered rim."""
    return _faded(outline, part(_meadow_pattern(), variant))


def paint_forest(outline: Outline, variant: int) -> Canvas:
    """Paint the shady floor between trees, with needles and a few leaves."""
    return _faded(outline, part(_forest_pattern(), variant))


def _faded(outline: Outline, pattern: Canvas) -> Canvas:
    inside, core = outline.within(), outline.around(2)
    return clipped(pattern, core | inside & checker())


@cache
def _meadow_pattern() -> Canvas:
    meadow = Canvas(PATTERN, PATTERN).rect(0, 0, PATTERN, PATTERN, LUSH)
    random = np.random.RandomState(9)
    for _ in range(26):
        x, y = random.randint(1, PATTERN - 3), random.randint(2, PATTERN - 3)
        meadow.dot(x, y, GRASS[5]).dot(x, y + 1, GRASS[4]).dot(x + 1, y + 2, GRASS[3])
    for _ in range(12):
        x, y = random.randint(1, PATTERN - 6), random.randint(2, PATTERN - 3)
        meadow.dots([(x, y), (x + 1, y + 1), (x + 3, y), (x + 2, y + 1)], GRASS[3]).dot(x + 2, y + 2, GRASS[2])
    return meadow


@cache
def _forest_pattern() -> Canvas:
    floor = Canvas(PATTERN, PATTERN).rect(0, 0, PATTERN, PATTERN, SHADY)
    random = np.random.RandomState(17)
    for _ in range(40):
        x, y = random.randint(1, PATTERN - 4), random.randint(1, PATTERN - 2)
        floor.row(x, y, random.randint(2, 4), mix(GRASS[2], GRASS[3], 0.1 if random.rand() < 0.6 else 0.8))
    for _ in range(9):
        x, y = random.randint(1, PATTERN - 4), random.randint(1, PATTERN - 2)
        floor.row(x, y, 2, mix(AUTUMN[random.randint(1, 4)], SHADY, 0.35)).dot(x + 1, y + 1, GRASS[1])
    return floor


def paint_soil(outline: Outline, variant: int) -> Canvas:
    """Paint a tilled bed: furrows from west to east, crumbs, a dark rim."""
    inside = outline.within()
    tile = clipped(part(_soil_pattern(), variant), inside)
    tile.fill(inside & ~outline.around(1), SOIL[1]).fill(inside & ~outline.within(0, -3), SOIL[1])
    tile.fill(inside & ~outline.within(0, -1), SOIL[0]).fill(inside & ~outline.within(0, 1), SOIL[4])
    return tile.fill(outline.beside(), GRASS[1]).fill(outline.beside() & outline.within(0, -1), GRASS[2])


@cache
def _soil_pattern() -> Canvas:
    bed = Canvas(PATTERN, PATTERN).rect(0, 0, PATTERN, PATTERN, SOIL[2])
    random = np.random.RandomState(4)
    for top in range(0, PATTERN, 8):
        bed.row(0, top, PATTERN, mix(SOIL[2], SOIL[3], 0.6)).row(0, top + 1, PATTERN, mix(SOIL[2], SOIL[3], 0.8))
        bed.row(0, top + 5, PATTERN, mix(SOIL[1], SOIL[2], 0.5)).row(0, top + 6, PATTERN, SOIL[1])
        for _ in range(7):
            x = random.randint(0, PATTERN - 3)
            bed.row(x, top + random.randint(0, 3), 2, SOIL[3]).dot(x, top + 5, SOIL[1]).dot(x + 2, top + 4, SOIL[4])
    return bed
