"""Crops: flower beds and the rows of a kitchen garden.

Plants have the same positions on every tile, half their distance from its edges, so that rows continue from tile to
tile.
"""

from collections.abc import Sequence

import numpy as np

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.drawing import Picture, draws, tiles
from town_builder.art.outdoors.foliage import LEAF_LINE, jittered, leafy, shadow
from town_builder.art.outdoors.shrubs import EAST, NORTH, SIDES, SOUTH, WEST
from town_builder.art.palette import (
    GRASS,
    LEAF,
    ORANGE,
    RED,
    SHADOW,
    STONE,
    TEAL,
    WALNUT,
    WHITE,
    WOOD,
    YELLOW,
    Colour,
    Ramp,
    mix,
)

SHAPES = 3
"""Number of different tiles of a crop, chosen by variant."""
CLEAR = (0, 0, 0, 0)
KERB, STONE_LENGTH = 4, 8
"""Width of the kerb of a flower bed, and length of each of its stones, in pixels."""
PAIR = (8, 24)
"""Columns of two plants side by side."""
CABBAGE_GREEN: Ramp = tuple(mix(one, other, 0.45) for one, other in zip(TEAL, LEAF[1:], strict=False))
SAGE: Ramp = tuple(mix(one, other, 0.4) for one, other in zip(GRASS, WHITE, strict=False))

Place = tuple[int, int]

BLOSSOM = (".aab.", "aabbc", "abybc", "bbbcc", ".bcc.")
BLOSSOMS = ((1, 1), (9, 0), (16, 2), (24, 0), (4, 7), (12, 7), (20, 8), (27, 6), (0, 13), (8, 14), (16, 14), (24, 13),
            (4, 20), (12, 20), (20, 21), (27, 19), (0, 26), (8, 26), (16, 26), (24, 25))  # fmt: skip


BUD = (".a.", "abb", ".c.")


@draws("flower bed")
def flower_bed(ramp: Ramp, variant: int) -> Picture:
    """Draw leaves from edge to edge with blossoms and buds, and a stone kerb where the bed ends.

    The low bits of the variant say on which sides the bed continues; every SIDES variants the look changes.
    """
    shape = variant // SIDES % SHAPES
    canvas, random = _leaves(shape), np.random.RandomState(70 + shape)
    pale = [mix(tone, WHITE[4], 0.5) for tone in ramp[2:5]]
    for number, (x, y) in enumerate(BLOSSOMS):
        tones = pale if (number * 3 + shape) % 7 == 0 else ramp[2:5]
        key = {"c": tones[0], "b": tones[1], "a": tones[2], "y": RED[2] if ramp[0] == YELLOW[0] else YELLOW[3]}
        rows = BUD if (number + shape) % 5 == 0 else BLOSSOM
        head = Canvas(7, 8).rect(2, len(rows) + 1, len(rows) - 1, 1, LEAF[0]).over(Canvas.from_rows(rows, key), 1, 1)
        left, top = min(x + int(random.randint(2)), TILE - 6), min(y + int(random.randint(2)), TILE - 6) - 1
        canvas.over(head.outline(LEAF[1]), left, top)
    return Picture(_kerbed(canvas, variant))


def _kerbed(canvas: Canvas, variant: int) -> Canvas:
    """Draw low stones along every side on which the bed ends, rounded at the corners."""
    last = TILE - KERB
    for side, x, y in ((WEST, 0, 0), (EAST, last, 0), (NORTH, 0, 0), (SOUTH, 0, last)):
        if not variant & side:
            _stones(canvas, x, y, upright=side in {WEST, EAST})
    for sides in (NORTH | WEST, NORTH | EAST, SOUTH | WEST, SOUTH | EAST):
        if not variant & sides:
            canvas.dot(TILE - 1 if sides & EAST else 0, TILE - 1 if sides & SOUTH else 0, CLEAR)
    return canvas


def _stones(canvas: Canvas, x: int, y: int, *, upright: bool) -> None:
    """Draw a row of stones from west to east, or from north to south."""
    width, height = (KERB, STONE_LENGTH) if upright else (STONE_LENGTH, KERB)
    for step in range(0, TILE, STONE_LENGTH):
        left, top = (x, y + step) if upright else (x + step, y)
        canvas.rect(left, top, width, height, STONE[0]).rect(left, top, width - 1, height - 1, STONE[2])
        canvas.row(left, top, width - 1, STONE[4]).dot(left + width - 2, top + height - 2, STONE[1])


def _leaves(shape: int) -> Canvas:
    """Draw a gap-free foliage that continues on the next tile."""
    canvas, random = tiles(1, 1).rect(0, 0, TILE, TILE, LEAF[2]), np.random.RandomState(60 + shape)
    for y in range(0, TILE, 3):
        for x in range(int(random.randint(2)), TILE, 3):
            tone = int(random.randint(1, 4))
            canvas.row(x, y, 3, LEAF[tone + 1]).row(x + 1, y + 1, 2, LEAF[tone])
    return canvas


CABBAGE = (
    "....mm..mm....",
    "..mllmmmllmm..",
    ".mlllwhhwlllm.",
    "mlllwhhhhhlllm",
    "mllwhhhwhhhllm",
    "mlhwhwwhhhlhlm",
    "mllhhhhwhhhllm",
    "dmlhhwhhhhhlmd",
    ".mllhhhhhhllm.",
    ".dmmllhhllmmd.",
    "..ddmmmmmmdd..",
)
LETTUCE = (
    "...m.mm.m...",
    ".m.lmlllm.m.",
    "mlmlhhlhlmlm",
    ".llhlwhhlhl.",
    "mlhlhwwhhlhm",
    "mlhhwhlwhhlm",
    ".lhlhlhhlhl.",
    "mllhlhhlhllm",
    ".mdlmllmldm.",
    "..d.mddm.d..",
)


def _rosettes(rows: Sequence[str], key: dict[str, Colour]) -> Picture:
    """Draw four plants seen from above, in two rows."""
    canvas, plant = tiles(1, 1), Canvas(len(rows[0]) + 2, len(rows) + 2).over(Canvas.from_rows(rows, key), 1, 1)
    plant.outline(strength=LEAF_LINE)
    for y in (9, 25):
        for x in PAIR:
            shadow(canvas, x + 1, y + 4, 8, 3)
            canvas.over(plant, x - plant.width // 2, y - plant.height // 2)
    return Picture(canvas)


@draws("cabbages")
def cabbages(_ramp: Ramp, _variant: int) -> Picture:
    """Draw pale heads in wide bluish leaves."""
    tones = CABBAGE_GREEN
    return _rosettes(CABBAGE, {"d": tones[0], "m": tones[1], "l": tones[2], "h": tones[3], "w": tones[4]})


@draws("lettuce")
def lettuce(ramp: Ramp, _variant: int) -> Picture:
    """Draw frilly heads in the colour of the ramp."""
    return _rosettes(
        LETTUCE, {"d": ramp[1], "m": ramp[2], "l": ramp[3], "h": ramp[4], "w": mix(ramp[4], WHITE[4], 0.5)}
    )


TOMATO_BUSH = (
    (-3, 24, 4.6),
    (3, 24, 4.6),
    (-4, 18, 4.4),
    (4, 18, 4.4),
    (0, 19, 5),
    (-3, 12, 4.6),
    (3, 11, 4.4),
    (0, 14, 5),
)
"""Clumps of leaves around the stake."""


@draws("tomatoes")
def tomatoes(ramp: Ramp, variant: int) -> Picture:
    """Draw bushes tied to stakes; the ramp colours their fruit."""
    canvas, shape = tiles(1, 1), variant % SHAPES
    for number, x in enumerate(PAIR):
        shadow(canvas, x + 1, 29, 8, 3)
        stake = tiles(1, 1).rect(x - 1, 1, 2, 28, WOOD[3]).column(x, 1, 28, WOOD[2]).row(x - 1, 1, 2, WOOD[5])
        canvas.over(stake.outline())
        seed = 80 + 2 * shape + number
        bush = [(x + left, y, radius) for left, y, radius in TOMATO_BUSH]
        leafy(canvas, jittered(bush, seed, 0.5), LEAF[:5], seed)
        random = np.random.RandomState(seed)
        for left, top in ((-5, 11), (1, 9), (-1, 16), (3, 15), (-6, 19), (-2, 23), (3, 22)):
            _fruit(canvas, x + left + int(random.randint(2)), top + int(random.randint(-1, 1)), ramp)
    return Picture(canvas)


def _fruit(canvas: Canvas, x: int, y: int, ramp: Ramp) -> None:
    """Draw a shiny ball three pixels wide, surrounded by dark leaves."""
    canvas.rect(x - 1, y, 5, 3, LEAF[0]).rect(x, y - 1, 3, 5, LEAF[0])
    canvas.rect(x, y, 3, 3, ramp[2]).row(x, y, 2, ramp[3]).dot(x, y, ramp[4]).dot(x + 2, y + 2, ramp[1])


PUMPKINS: tuple[tuple[tuple[Place, int], ...], ...] = (
    (((9, 13), 6), ((22, 22), 8)),
    (((23, 11), 6), ((10, 21), 8)),
    (((16, 17), 8),),
)
VINE_LEAVES = ((3, 8), (14, 6), (28, 9), (2, 24), (16, 28), (29, 27), (19, 11), (6, 18), (30, 18))


@draws("pumpkins")
def pumpkins(_ramp: Ramp, variant: int) -> Picture:
    """Draw ribbed fruit among the large leaves of a vine that continues on the next tile."""
    canvas, shape = tiles(1, 1), variant % SHAPES
    for x in range(TILE):
        y = 16 + round(2 * np.sin(x * np.pi / 8))
        canvas.dot(x, y + 1, LEAF[0]).dot(x, y, LEAF[2])
    for number, (x, y) in enumerate(VINE_LEAVES):
        shadow(canvas, x + 1, y + 3, 5, 2)
        leafy(canvas, [(x - 2, y, 3.4), (x + 2, y, 3.4), (x, y - 1, 3.6)], LEAF[:4], 90 + number)
    for (x, y), size in PUMPKINS[shape]:
        _pumpkin(canvas, x, y, size)
    return Picture(canvas)


def _pumpkin(canvas: Canvas, x: int, y: int, size: int) -> None:
    shadow(canvas, x + 1, y + size * 0.7, size + 1, size * 0.4)
    fruit = tiles(1, 1).ellipse(x, y, size, size * 0.76, ORANGE[1])
    fruit.ellipse(x - 0.5, y - 0.8, size - 0.8, size * 0.66, ORANGE[2])
    for rib, tone in ((-0.62, 3), (0, 3), (0.58, 2)):
        fruit.ellipse(x + size * rib, y - 0.8, size * 0.26, size * 0.6, ORANGE[tone])
    fruit.ellipse(x - size * 0.4, y - size * 0.36, size * 0.2, size * 0.2, ORANGE[4])
    fruit.column(x - int(size * 0.34), y - size // 2, size, ORANGE[1]).column(
        x + int(size * 0.3), y - size // 2, size, ORANGE[1]
    )
    fruit.rect(x, y - size + 1, 2, 3, LEAF[1]).dot(x, y - size + 1, LEAF[3]).dot(x + 2, y - size + 1, LEAF[2])
    canvas.over(fruit.outline())


SPIKES = ((-6, 9), (-3, 12), (0, 14), (3, 12), (6, 9), (-5, 6), (-1, 8), (4, 7))
"""Spikes of a lavender bush: columns from its middle, and height; those behind the leaves come first."""
SPIKES_BEHIND = 5


@draws("lavender")
def lavender(ramp: Ramp, variant: int) -> Picture:
    """Draw four bushes in two rows, each a loose fan of spikes over silvery leaves."""
    canvas, shape = tiles(1, 1), variant % SHAPES
    for number, (x, y) in enumerate((x, y) for y in (15, 30) for x in PAIR):
        random = np.random.RandomState(100 + shape * 4 + number)
        shadow(canvas, x + 1, y - 1, 8, 2)
        for step, (aside, height) in enumerate(SPIKES):
            if step == SPIKES_BEHIND:
                leafy(canvas, [(x - 4, y - 3, 3), (x + 4, y - 3, 3), (x, y - 3, 3.4)], SAGE[:4], 100 + number)
            _spike(canvas, x + aside, y - height + int(random.randint(-1, 2)), ramp)
    return Picture(canvas)


def _spike(canvas: Canvas, x: int, y: int, ramp: Ramp) -> None:
    spike = Canvas(4, 12).column(1, 7, 4, SAGE[1]).rect(1, 1, 2, 6, ramp[2]).column(1, 1, 5, ramp[3])
    spike.dot(1, 1, ramp[4]).dot(2, 3, ramp[1]).dot(2, 6, ramp[1])
    canvas.over(spike.outline(strength=0.9), x - 1, y - 1)


@draws("corn")
def corn(_ramp: Ramp, variant: int) -> Picture:
    """Draw dense stalks taller than people, with arching leaves, ripe cobs and feathery tops."""
    canvas, shape = tiles(1, 2), variant % SHAPES
    canvas.rect(0, 42, TILE, 3, SHADOW).rect(0, 58, TILE, 4, SHADOW)
    for number, (x, foot) in enumerate(((1, 46), (11, 46), (21, 46), (6, 60), (16, 60), (26, 60))):
        random = np.random.RandomState(110 + shape * 6 + number)
        _stalk(canvas, x, foot - int(random.randint(35, 41)), foot, mirrored=bool((number + shape) % 2))
    return Picture(canvas)


def _stalk(canvas: Canvas, x: int, top: int, foot: int, *, mirrored: bool) -> None:
    """Draw a stalk whose lowest leaf points right, or left if mirrored."""
    plant = Canvas(18, 64).column(8, top, foot - top, LEAF[3]).column(9, top, foot - top, LEAF[2])
    for step, y in enumerate(range(foot - 5, top + 5, -6)):
        for reach, rise in enumerate((2, 4, 5, 5, 4, 2)):
            tones = LEAF[3:5] if step % 2 else LEAF[2:4]
            x0 = 7 - reach if step % 2 else 10 + reach
            plant.dot(x0, y - rise, tones[1]).rect(x0, y - rise + 1, 1, 2 if reach < 4 else 1, tones[0])
    plant.rect(7, top - 1, 4, 3, YELLOW[1]).rect(8, top - 4, 2, 5, YELLOW[2]).dots(
        [(6, top - 3), (11, top - 3)], YELLOW[2]
    )
    plant.column(8, top - 5, 4, YELLOW[3]).rect(10, top + 16, 3, 8, YELLOW[3]).column(12, top + 17, 7, YELLOW[1])
    plant.rect(10, top + 21, 4, 4, LEAF[4]).column(13, top + 20, 5, LEAF[2])
    plant.outline(strength=LEAF_LINE)
    canvas.over(plant.flipped() if mirrored else plant, x - 8, 0)


LEAF_OF_SUNFLOWER = ("..mm...", ".mlllm.", "mlllllm", "mdlmllm", ".ddmmm.", "...dd..")


@draws("sunflowers")
def sunflowers(ramp: Ramp, variant: int) -> Picture:
    """Draw two sunflowers of different height that face the viewer."""
    canvas, shape = tiles(1, 2), variant % SHAPES
    leaf = Canvas.from_rows(LEAF_OF_SUNFLOWER, {"d": LEAF[1], "m": LEAF[2], "l": LEAF[3]})
    for x, top in zip(PAIR, ((16, 26), (25, 15), (20, 23))[shape], strict=True):
        shadow(canvas, x + 1, 60, 8, 2.4)
        plant = tiles(1, 2).rect(x - 1, top, 2, 60 - top, LEAF[2]).column(x - 1, top, 60 - top, LEAF[3])
        for y in range(top + 11, 57, 9):
            plant.over(leaf, x - 8, y).over(leaf.flipped(), x + 1, y - 3)
        canvas.over(plant.outline(strength=LEAF_LINE))
        _face(canvas, x, top, ramp)
    return Picture(canvas)


PETALS = ("...a..a..a...", ".a.aa.a.aa.a.", ".aaabbabbaaa.", "..abbbbbbba..", "aaabbbbbbbaaa", ".abbbbbbbbba.",
          "aaabbbbbbbbaa", ".abbbbbbbbbc.", "aacbbbbbbbccc", "..cbbbbbbbc..", ".cccbbcbbccc.", ".c.cc.c.cc.c.",
          "...c..c..c...")  # fmt: skip


def _face(canvas: Canvas, x: int, y: int, ramp: Ramp) -> None:
    head = Canvas(15, 15).over(Canvas.from_rows(PETALS, {"a": ramp[3], "b": ramp[2], "c": ramp[1]}), 1, 1)
    head.ellipse(7, 7, 3.6, 3.6, WALNUT[1]).ellipse(6.7, 6.7, 2.6, 2.6, WALNUT[2]).dots(
        [(5, 5), (6, 6), (7, 5), (5, 7)], WOOD[3]
    )
    canvas.over(head.outline(), x - 7, y - 7)


@draws("strawberries")
def strawberries(ramp: Ramp, variant: int) -> Picture:
    """Draw low plants with white blossoms; the ramp colours the berries."""
    canvas, shape = tiles(1, 1), variant % SHAPES
    for number, (x, y) in enumerate((x, y) for y in (9, 25) for x in PAIR):
        seed = 120 + shape * 4 + number
        shadow(canvas, x + 1, y + 5, 8, 2.6)
        clumps = [(x - 4, y - 1, 3.8), (x + 4, y - 1, 3.8), (x, y - 3, 4), (x - 3, y + 2, 3.6), (x + 3, y + 2, 3.6)]
        leafy(canvas, jittered(clumps, seed, 0.4), LEAF[:5], seed)
        random = np.random.RandomState(seed)
        for left, top in ((-6, 1), (-1, 3), (4, 0)):
            _berry(canvas, x + left, y + top + int(random.randint(-1, 1)), ramp)
        canvas.row(x, y - 4, 3, WHITE[4]).column(x + 1, y - 5, 3, WHITE[4]).dot(x + 1, y - 4, YELLOW[2])
    return Picture(canvas)


def _berry(canvas: Canvas, x: int, y: int, ramp: Ramp) -> None:
    """Draw a small heart-shaped berry with green sepals."""
    berry = Canvas(6, 7).rect(1, 2, 4, 2, ramp[2]).row(2, 4, 2, ramp[2]).row(1, 2, 2, ramp[3]).dot(3, 4, ramp[1])
    berry.dot(4, 3, ramp[1]).outline(ramp[0]).row(1, 1, 4, LEAF[3]).dots([(2, 0), (3, 2)], LEAF[4])
    canvas.over(berry, x, y)
