"""Trees: the crown covers the tiles behind; only the trunk is solid."""

import math

import numpy as np

from town_builder.art.canvas import Canvas
from town_builder.art.drawing import Picture, draws, tiles
from town_builder.art.outdoors.foliage import LEAF_LINE, Clump, jittered, leafy, shadow
from town_builder.art.palette import GRASS, PINE, WALNUT, WOOD, Ramp

SHAPES = 4
"""Number of different trees of a kind, chosen by variant."""


def ring(x: float, y: float, across: float, down: float, *, radius: float, count: int) -> list[Clump]:
    """Return clumps along an ellipse, topmost first."""
    angles = sorted((math.tau * (step + 0.5) / count for step in range(count)), key=math.sin)
    return [(x + across * math.cos(angle), y + down * math.sin(angle), radius) for angle in angles]


OAK = [
    *ring(48, 37, 29, 22, radius=13, count=11),
    (46, 34, 15),
    *ring(47, 38, 17, 13, radius=11, count=7),
    (50, 44, 10),
]
SLIM = [(16, 11, 7), (12, 20, 8), (20, 21, 8), (11, 32, 8), (21, 33, 8), (16, 27, 9), (11, 46, 8), (21, 47, 8),
        (15, 40, 9), (16, 56, 9)]  # fmt: skip
GREAT = [
    *ring(80, 52, 58, 32, radius=17, count=15),
    (80, 50, 24),
    *ring(80, 53, 42, 24, radius=16, count=11),
    *ring(78, 54, 23, 14, radius=14, count=7),
    (84, 62, 13),
]


def trunk(canvas: Canvas, x: int, top: int, bottom: int, width: int) -> Canvas:
    """Draw a trunk with roots around column x, its bark lit from the left and dark under the crown."""
    half, foot = width // 2, max(3, width // 3)
    wood = Canvas(canvas.width, canvas.height)
    outline = [(x - half, top), (x + half, top), (x + half, bottom - 6), (x + half + foot, bottom - 1),
               (x + half - 1, bottom - 2), (x + 1, bottom), (x - half + 2, bottom - 2), (x - half - foot, bottom - 1),
               (x - half, bottom - 6)]  # fmt: skip
    wood.polygon(outline, WOOD[1])
    inside = wood.drawn
    _, right = np.mgrid[0 : canvas.height, 0 : canvas.width]
    wood.fill(inside & (right < x + half // 3), WOOD[2]).fill(inside & (right < x - half // 3), WOOD[3])
    wood.fill(inside & (right > x + half - 2), WOOD[0])
    random = np.random.RandomState(width)
    for x0 in range(x - half + 2, x + half - 1, 3):
        y = top + 7 + random.randint(6)
        while y < bottom - 5:
            length = random.randint(4, 9)
            wood.column(x0, y, min(length, bottom - 4 - y), WOOD[1] if x0 < x + half // 3 else WOOD[0])
            wood.column(x0 - 1, y + 1, min(length, bottom - 4 - y) - 2, WOOD[3] if x0 < x else WOOD[2])
            y += length + random.randint(3, 7)
    rows = np.mgrid[0 : canvas.height, 0 : canvas.width][0]
    wood.fill(inside & (rows < top + 7), WALNUT[1])
    return canvas.over(wood.outline())


def _rooted(canvas: Canvas, x: int, bottom: int, spread: int) -> None:
    """Draw a few blades of grass in front of the roots."""
    for step in (-spread, -spread // 3, spread // 2, spread):
        canvas.column(x + step, bottom - 2, 3, GRASS[1]).dot(x + step + 1, bottom - 1, GRASS[2])


@draws("oak")
def oak(ramp: Ramp, variant: int) -> Picture:
    canvas = tiles(3, 3)
    shadow(canvas, 51, 87, 31, 7)
    trunk(canvas, 48, 58, 91, 13)
    _rooted(canvas, 48, 91, 9)
    return Picture(leafy(canvas, jittered(OAK, variant % SHAPES, 1.8), ramp, 10 + variant % SHAPES))


@draws("slim tree")
def slim_tree(ramp: Ramp, variant: int) -> Picture:
    canvas = tiles(1, 3)
    shadow(canvas, 17, 89, 12, 4)
    trunk(canvas, 16, 56, 92, 7)
    return Picture(leafy(canvas, jittered(SLIM, variant % SHAPES, 0.8), ramp, 30 + variant % SHAPES))


@draws("great oak")
def great_oak(ramp: Ramp, variant: int) -> Picture:
    canvas = tiles(5, 4)
    shadow(canvas, 84, 117, 58, 9)
    trunk(canvas, 80, 84, 124, 34)
    _rooted(canvas, 80, 124, 20)
    return Picture(leafy(canvas, jittered(GREAT, 60 + variant % SHAPES, 2.2), ramp, 50 + variant % SHAPES))


TIERS = ((54, 81, 34), (41, 66, 29), (28, 52, 23), (15, 38, 17), (3, 22, 10))
"""Top, bottom and half width of the tiers of a pine, lowest first."""


@draws("pine")
def pine(_ramp: Ramp, variant: int) -> Picture:
    canvas = tiles(3, 3)
    shadow(canvas, 51, 87, 25, 6)
    trunk(canvas, 48, 70, 91, 7)
    needles = tiles(3, 3)
    random = np.random.RandomState(variant % SHAPES)
    for number, tier in enumerate(TIERS):
        _skirt(needles, tier, random, last=number == len(TIERS) - 1)
    return Picture(canvas.over(needles.outline(strength=LEAF_LINE)))


def _skirt(needles: Canvas, tier: tuple[int, int, int], random: np.random.RandomState, *, last: bool) -> None:
    """Draw one tier of branches: a cone with a jagged hem, light on the left, dark under the hem."""
    top, bottom, width = tier
    down, right = np.mgrid[0 : needles.height, 0 : needles.width].astype(float)
    aside = right - 48 - random.uniform(-0.6, 0.6)
    share = np.clip((down - top) / (bottom - top), 0, 1)
    hem = bottom + np.abs((right + random.randint(7)) % 7 - 3) * 1.1 - 3 - np.abs(aside) * 0.2
    body = (np.abs(aside) <= width * share**0.85) & (down >= top) & (down <= hem)
    light = -aside / width - 0.25 * share + random.uniform(-0.05, 0.05)
    for limit, tone in ((-9.0, PINE[1]), (-0.42, PINE[2]), (0.2, PINE[3])):
        needles.fill(body & (light > limit), tone)
    needles.fill(body & (down > hem - 2), PINE[0] if not last else PINE[1])
    rows, columns = (body & (light > -0.3) & (down < hem - 4)).nonzero()
    for pick in random.randint(0, len(rows), len(rows) // 22):
        x, y = int(columns[pick]), int(rows[pick])
        needles.dot(x, y, PINE[4]).dot(x - 1, y + 1, PINE[4]).dot(x + 1, y + 2, PINE[1])
