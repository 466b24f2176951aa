"""Low plants: bushes, hedges, flowers, grass, mushrooms and water plants."""

from collections.abc import Sequence

import numpy as np

from town_builder.art.canvas import TILE, Canvas, Mask
from town_builder.art.drawing import Picture, draws, tiles
from town_builder.art.outdoors.foliage import LEAF_LINE, jittered, leafy, shadow
from town_builder.art.palette import GRASS, LEAF, PINK, RED, SHADOW, WALL, WATER, WOOD, YELLOW, Colour, Ramp, mix

SHAPES = 4
BUSH = [(10, 17, 6), (21, 17, 6), (16, 14, 7), (8, 22, 6), (24, 22, 6), (16, 22, 8)]


def _scattered(places: Sequence[tuple[int, int]], random: np.random.RandomState) -> list[tuple[int, int]]:
    """Return the places, each moved by at most a pixel."""
    return [(x + random.randint(-1, 2), y + random.randint(-1, 2)) for x, y in places]


def _bush(ramp: Ramp, seed: int) -> Canvas:
    canvas = shadow(tiles(1, 1), 17, 27, 14, 4)
    return leafy(canvas, jittered(BUSH, seed, 0.9), ramp, seed)


@draws("bush")
def bush(ramp: Ramp, variant: int) -> Picture:
    return Picture(_bush(ramp, variant % SHAPES))


@draws("berry bush")
def berry_bush(ramp: Ramp, variant: int) -> Picture:
    """Draw a green bush; the ramp colours its berries."""
    canvas, random = _bush(LEAF, 10 + variant % SHAPES), np.random.RandomState(variant % SHAPES)
    for x, y in _scattered(((8, 17), (14, 12), (20, 16), (12, 21), (18, 24), (24, 21), (7, 24)), random):
        canvas.rect(x, y, 2, 2, ramp[2]).dot(x, y, ramp[4]).dot(x + 1, y + 1, ramp[1]).row(x, y + 2, 2, LEAF[0])
    return Picture(canvas)


NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
"""Bits of the variant of stamps that connect to their neighbours."""
SIDES = 16
"""Variants that differ by a multiple of this connect to the same neighbours."""


@draws("hedge")
def hedge(ramp: Ramp, variant: int) -> Picture:
    """Draw a clipped hedge. The variant says on which sides it continues."""
    left, right = (0 if variant & WEST else 3), (TILE if variant & EAST else TILE - 3)
    top, bottom = (0 if variant & NORTH else 4), (TILE if variant & SOUTH else TILE - 3)
    face = bottom if variant & SOUTH else bottom - 11
    body = tiles(1, 1).rect(left, top, right - left, bottom - top, ramp[3])
    body.rect(left, face, right - left, bottom - face, ramp[1])
    _clip_corners(body, variant)
    _inner_corners(body, variant, ramp)
    inside = body.drawn
    body.over(_leaf_pattern(ramp, face)).fill(~inside, (0, 0, 0, 0))
    if face < bottom:
        body.fill(inside & _row(body, face), ramp[2]).fill(inside & _row(body, bottom - 1), ramp[0])
        body.fill(inside & _row(body, bottom - 2), ramp[0])
    if not variant & NORTH:
        body.fill(inside & _row(body, top), ramp[5 if len(ramp) > 5 else -1])
    if not variant & WEST:
        body.column(left, top + 2, face - top - 2, ramp[4])
    if not variant & EAST:
        body.column(right - 1, top + 2, bottom - top - 3, ramp[1])
    floor = tiles(1, 1)
    if not variant & SOUTH:
        floor.rect(left, bottom - 2, min(right + 2, TILE) - left, 4, SHADOW)
    return Picture(floor.over(body.outline(strength=LEAF_LINE)))


def _clip_corners(body: Canvas, variant: int) -> None:
    """Round the corners where the hedge ends."""
    clear = (0, 0, 0, 0)
    rows, columns = body.drawn.nonzero()
    for x, side in ((int(columns.min()), WEST), (int(columns.max()), EAST)):
        for y, end in ((int(rows.min()), NORTH), (int(rows.max()), SOUTH)):
            if not variant & side and not variant & end:
                inward = 1 if side == WEST else -1
                body.dot(x, y, clear).dot(x + inward, y, clear).dot(x, y + (1 if end == NORTH else -1), clear)


def _inner_corners(body: Canvas, variant: int, ramp: Ramp) -> None:
    """Start the face of a west-east part at the place where a part to the south branches off."""
    for side, x in ((WEST, 0), (EAST, TILE - 3)):
        if variant & side and variant & SOUTH:
            body.rect(x, TILE - 14, 3, 11, ramp[1]).rect(x, TILE - 3, 3, 3, (0, 0, 0, 0)).row(x, TILE - 4, 3, ramp[0])


def _row(canvas: Canvas, y: int) -> Mask:
    rows = np.mgrid[0 : canvas.height, 0 : canvas.width][0]
    return np.asarray(rows == y)


def _leaf_pattern(ramp: Ramp, face: int) -> Canvas:
    """Draw leaf specks that repeat with every tile: light ones above `face`, dark ones below."""
    pattern, random = tiles(1, 1), np.random.RandomState(8)
    for _ in range(46):
        x, y = random.randint(TILE), random.randint(TILE)
        tone, tip = (ramp[4], ramp[2]) if y < face else (ramp[2], ramp[0])
        for step, shade in ((0, tone), (1, tone), (2, tip)):
            pattern.dot((x + step) % TILE, (y + step // 2) % TILE, shade)
    return pattern


BLOOM = (".ab.", "abbc", "bbyc", ".cc.")
SPOTS = ((4, 6), (17, 3), (24, 12), (10, 14), (19, 20), (3, 21))


@draws("flowers")
def flowers(ramp: Ramp, variant: int) -> Picture:
    """Draw a handful of flowers in one colour, with leaves and a bud."""
    canvas, random = tiles(1, 1), np.random.RandomState(variant % SHAPES)
    heart = RED[2] if ramp is YELLOW else YELLOW[3]
    key: dict[str, Colour] = {"a": ramp[4], "b": ramp[3], "c": ramp[2], "y": heart}
    for number, (x, y) in enumerate(_scattered(SPOTS, random)):
        canvas.ellipse(x + 3, y + 9, 3.5, 1.6, SHADOW).column(x + 2, y + 3, 6, GRASS[1])
        canvas.dots([(x, y + 6), (x + 1, y + 7), (x + 4, y + 5), (x + 3, y + 6)], GRASS[1])
        canvas.dots([(x, y + 5), (x + 4, y + 4)], GRASS[2])
        head = Canvas(6, 6).over(Canvas.from_rows(BLOOM, key), 1, 1)
        if number == variant % 6:
            head = Canvas(6, 6).rect(2, 2, 2, 2, ramp[3]).dot(3, 3, ramp[1])
        canvas.over(head.outline(strength=0.7), x - 1, y - 1)
    return Picture(canvas)


@draws("tall grass")
def tall_grass(_ramp: Ramp, variant: int) -> Picture:
    canvas, random = tiles(1, 1), np.random.RandomState(variant % SHAPES)
    for x, y in _scattered(((4, 14), (12, 11), (21, 13), (7, 24), (17, 23), (26, 25)), random):
        canvas.ellipse(x + 1, y + 3, 5, 1.6, SHADOW)
        for lean, height, tone in ((-3, 6, 1), (3, 6, 1), (-1, 9, 2), (2, 8, 2), (0, 10, 4)):
            canvas.line(x, y + 3, x + lean, y + 3 - height, GRASS[tone])
    return Picture(canvas)


CAP = ("..rrrr..", ".rwrrrw.", "rrrrwrrr", "rdwrrrrd", ".dddddd.")


@draws("mushrooms")
def mushrooms(_ramp: Ramp, variant: int) -> Picture:
    canvas = tiles(1, 1)
    hat = RED if variant % 2 == 0 else WOOD
    key: dict[str, Colour] = {"r": hat[3], "d": hat[1], "w": WALL[4]}
    for x, y, size in ((12, 9, 5), (3, 15, 4), (20, 18, 4)):
        canvas.ellipse(x + 4, y + 11, 5, 2, SHADOW)
        shape = Canvas(12, 16).rect(4, 6, 4, size + 1, WALL[3]).column(4, 6, size + 1, WALL[4])
        shape.column(7, 6, size + 1, WALL[1]).over(Canvas.from_rows(CAP, key), 2, 2)
        canvas.over(shape.outline(), x - 2, y - 1)
    return Picture(canvas)


@draws("lily pads")
def lily_pads(_ramp: Ramp, variant: int) -> Picture:
    """Draw round leaves with a notch, one of them with a flower."""
    canvas, turn = tiles(1, 1), variant % 2
    for number, (x, y, size) in enumerate(((9, 10, 6), (22, 7, 4), (20, 21, 7), (7, 24, 4))):
        canvas.ellipse(x + 1, y + 2, size, size * 0.62, mix(WATER[1], WATER[0], 0.4))
        pad = (
            tiles(1, 1)
            .ellipse(x, y, size, size * 0.66, LEAF[3])
            .ellipse(x - 1, y - 1, size * 0.6, size * 0.35, LEAF[4])
        )
        pad.polygon([(x, y), (x + size, y - 2), (x + size, y + 2)], (0, 0, 0, 0)).line(
            x, y, x - size // 2, y + 1, LEAF[2]
        )
        canvas.over(pad.outline(LEAF[1]))
        if number == 2 * turn:
            bloom = Canvas.from_rows(
                ("..a..", "abab.", "bbyba", ".bcb."), {"a": PINK[4], "b": PINK[3], "c": PINK[2], "y": YELLOW[3]}
            )
            canvas.over(Canvas(7, 6).over(bloom, 1, 1).outline(PINK[1]), x - 5, y - 5)
    return Picture(canvas)


@draws("reeds")
def reeds(_ramp: Ramp, variant: int) -> Picture:
    """Draw stems with brown heads that rise from water or a bank."""
    canvas, random = tiles(1, 1), np.random.RandomState(variant % SHAPES)
    canvas.ellipse(16, 28, 11, 2.4, SHADOW)
    for x in (6, 10, 14, 18, 22, 26):
        height, lean = random.randint(14, 25), random.randint(-2, 3)
        canvas.line(x, 28, x + lean, 28 - height, LEAF[1]).line(x + 1, 28, x + 1 + lean, 29 - height, LEAF[3])
        canvas.line(x, 28, x - 4, 22 - height // 4, LEAF[2])
        if height > 17:
            head = Canvas(5, 9).rect(1, 1, 2, 6, WOOD[1]).column(1, 1, 6, WOOD[3])
            canvas.over(head.outline(), x + lean - 1, 26 - height)
    return Picture(canvas)
