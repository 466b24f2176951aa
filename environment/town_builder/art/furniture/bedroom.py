"""Beds whose quilt is drawn over the sleeper, and other bedroom furniture."""

from town_builder.art.canvas import Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.joinery import BRASS, box, door, drawer, paint_outlined, with_cover
from town_builder.art.furniture.trinkets import book_lying, lamp
from town_builder.art.palette import GLASS, WALNUT, WHITE, WOOD, Ramp, mix

HEADBOARD, MATTRESS, QUILT, FOOT = 19, 33, 50, 84
"""Top of each part of a bed, in pixels; the sleeper's tile is 32 to 63."""


def _headboard(on: Canvas, width: int) -> None:
    on.rect(3, HEADBOARD, width - 6, 16, WOOD[2]).row(3, HEADBOARD, width - 6, WOOD[4])
    on.row(3, HEADBOARD + 1, width - 6, WOOD[3])
    for x in range(7, width - 6, 6):
        on.column(x, HEADBOARD + 4, 10, WOOD[1]).column(x + 1, HEADBOARD + 4, 10, WOOD[3])
    for x, dark in ((1, WOOD[2]), (width - 4, WOOD[1])):
        on.rect(x, HEADBOARD - 1, 3, 18, WOOD[3]).column(x + 2, HEADBOARD, 17, dark)
        on.row(x, HEADBOARD - 3, 3, WOOD[4]).row(x, HEADBOARD - 2, 3, WOOD[4])


def _pillow(on: Canvas, x: int, width: int) -> None:
    on.rect(x, 35, width, 11, WHITE[4]).row(x + 1, 34, width - 2, WHITE[4]).row(x + 1, 46, width - 2, WHITE[1])
    on.row(x, 45, width, WHITE[1]).column(x + width - 1, 36, 9, WHITE[2])
    on.row(x + 3, 42, width // 2, WHITE[2]).row(x + width // 3, 37, width // 3, WHITE[3])


def _quilt(on: Canvas, width: int, ramp: Ramp) -> None:
    across = width - 4
    on.rect(2, QUILT, across, FOOT - QUILT, ramp[2]).rect(2, QUILT, across, 5, ramp[4])
    on.row(2, QUILT, across, WHITE[4]).row(2, QUILT + 5, across, ramp[1])
    for y in range(QUILT + 9, FOOT - 3, 6):
        for x in range(5, width - 5, 6):
            on.row(x, y, 2, ramp[3]).dot(x, y + 1, ramp[1]).dot(x + 3, y + 3, ramp[3])
    on.column(2, QUILT + 1, FOOT - QUILT - 1, ramp[3]).column(width - 3, QUILT + 1, FOOT - QUILT - 1, ramp[1])
    on.rect(2, FOOT - 2, across, 5, ramp[1]).row(2, FOOT - 2, across, ramp[3])


def _footboard(on: Canvas, width: int) -> None:
    on.rect(1, FOOT, width - 2, 9, WOOD[2]).row(1, FOOT, width - 2, WOOD[4]).row(1, FOOT + 1, width - 2, WOOD[3])
    on.row(1, FOOT + 7, width - 2, WOOD[1]).row(4, FOOT + 8, width - 8, WOOD[0])
    for x in (1, width - 4):
        on.rect(x, FOOT - 1, 3, 10, WOOD[3]).column(x + 2, FOOT, 9, WOOD[1]).row(x, FOOT - 1, 3, WOOD[4])


def _bed(width: int, ramp: Ramp) -> Picture:
    shape = Canvas(width, 96)
    _headboard(shape, width)
    shape.rect(2, MATTRESS, width - 4, FOOT - MATTRESS, WHITE[2]).row(2, MATTRESS, width - 4, WHITE[1])
    sleepers = width // 32
    each = (width - 8) // sleepers
    for sleeper in range(sleepers):
        _pillow(shape, 5 + sleeper * (each + 1), each - 2)
    _quilt(shape, width, ramp)
    _footboard(shape, width)
    return with_cover(grounded(shape), (0, QUILT, width, FOOT - QUILT - 2))


@draws("bed")
def bed(ramp: Ramp, _variant: int) -> Picture:
    return _bed(32, ramp)


@draws("double bed")
def double_bed(ramp: Ramp, _variant: int) -> Picture:
    return _bed(64, ramp)


def _wardrobe_foot(on: Canvas, width: int, ramp: Ramp) -> None:
    drawer(on, (3, 47, width - 6, 9), ramp)
    on.rect(1, 57, width - 2, 3, ramp[1]).rect(2, 59, 4, 3, ramp[0]).rect(width - 6, 59, 4, 3, ramp[0])


@draws("wardrobe")
def wardrobe(ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(1, 3)
    box(shape, (1, 2, 30, 57), 8, ramp)
    door(shape, (3, 13, 13, 32), ramp)
    door(shape, (16, 13, 13, 32), ramp, knob="left")
    _wardrobe_foot(shape, 32, ramp)
    return Picture(grounded(shape))


@draws("double wardrobe")
def double_wardrobe(ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(2, 3)
    box(shape, (1, 2, 62, 57), 8, ramp)
    door(shape, (3, 13, 17, 32), ramp)
    door(shape, (44, 13, 17, 32), ramp, knob="left")
    shape.rect(22, 13, 20, 32, ramp[3]).rect(24, 15, 16, 28, GLASS[2]).row(22, 13, 20, ramp[4])
    shape.row(24, 15, 16, GLASS[1]).column(24, 15, 28, GLASS[1]).row(22, 44, 20, ramp[1])
    for x in (26, 27, 31):
        shape.line(x, 38, x + 8, 22, GLASS[3])
    _wardrobe_foot(shape, 64, ramp)
    return Picture(grounded(shape))


@draws("dresser")
def dresser(ramp: Ramp, _variant: int) -> Picture:
    """Draw a chest of drawers with a mirror, a perfume bottle and a brush."""
    shape = tiles(2, 3)
    shape.rect(20, 2, 24, 24, ramp[2]).row(21, 1, 22, ramp[4]).rect(22, 4, 20, 22, GLASS[2]).column(20, 2, 24, ramp[3])
    shape.line(24, 22, 36, 6, GLASS[3]).line(25, 22, 37, 6, GLASS[3]).line(31, 23, 40, 11, GLASS[3])
    box(shape, (1, 25, 62, 34), 12, ramp)
    for row in (39, 48):
        for x in (4, 33):
            drawer(shape, (x, row, 27, 8), ramp)
    shape.rect(2, 58, 5, 3, ramp[0]).rect(57, 58, 5, 3, ramp[0])
    paint_outlined(shape, lambda on: on.rect(8, 27, 5, 6, GLASS[2]).column(8, 27, 6, GLASS[3]).rect(9, 24, 3, 3, BRASS))
    paint_outlined(
        shape, lambda on: on.rect(48, 30, 9, 3, WALNUT[2]).row(48, 30, 9, WALNUT[4]).row(48, 33, 9, WHITE[3])
    )
    return Picture(grounded(shape))


@draws("nightstand")
def nightstand(ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(1, 2)
    box(shape, (5, 26, 22, 33), 12, ramp)
    drawer(shape, (7, 40, 18, 8), ramp)
    shape.rect(7, 50, 18, 8, ramp[0]).rect(7, 50, 18, 2, mix(ramp[0], ramp[1], 0.5))
    shape.rect(5, 58, 4, 3, ramp[0]).rect(23, 58, 4, 3, ramp[0])
    book_lying(shape, 9, 55, 0)
    lamp(shape, 16, 32, ramp)
    return Picture(grounded(shape))


@draws("bunk bed")
def bunk_bed(ramp: Ramp, _variant: int) -> Picture:
    """Draw a bunk bed. People sleep in the lower bunk; only the underside, rail and blanket of the upper one show."""
    whole = _bed(32, ramp).below
    upper = Canvas(32, 96)
    for x in (1, 28):
        upper.rect(x, 1, 3, 30, WOOD[3]).column(x + 2, 1, 30, WOOD[1]).row(x, 1, 3, WOOD[4])
    upper.rect(3, 5, 26, 8, WHITE[3]).row(3, 5, 26, WHITE[4]).rect(3, 8, 26, 5, ramp[2]).row(3, 8, 26, ramp[3])
    upper.rect(2, 12, 28, 6, WOOD[2]).row(2, 12, 28, WOOD[4]).row(2, 17, 28, WOOD[1])
    whole.over(upper.outline())
    return with_cover(whole, (0, QUILT, 32, FOOT - QUILT - 2))
