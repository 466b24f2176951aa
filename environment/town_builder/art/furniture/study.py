"""Desks with a chair that covers the sitter's back, and the machines on them."""

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.chairs import BACK, chair_north, swivel_north
from town_builder.art.furniture.joinery import box, drawer, grain, leg, paint_outlined, with_cover
from town_builder.art.furniture.trinkets import book_lying, cup, lamp, papers
from town_builder.art.palette import (
    BLUE,
    GREY,
    ORANGE,
    PINK,
    RED,
    STONE,
    TEAL,
    WHITE,
    YELLOW,
    Ramp,
    mix,
)

TOP = 29
"""Back edge of a desk, in pixels from the top of the picture: as close to its chair as possible."""
NEAR = 12
"""Visible pixels of the seat of a chair at a desk."""


def _desk(across: int, ramp: Ramp) -> Canvas:
    """Draw a desk with drawers on its right (and on its left if it is wide) and leg room between them."""
    shape, width = tiles(across, 3), across * 32
    box(shape, (1, TOP, width - 2, 34), 17, ramp)
    grain(shape, (3, TOP + 2, width - 6, 14), ramp, 5)
    shape.rect(4, TOP + 20, width - 8, 14, ramp[0]).rect(5, TOP + 20, width - 10, 8, mix(ramp[0], ramp[1], 0.6))
    for x in (width - 23,) if across == 1 else (3, width - 23):
        shape.rect(x - 1, TOP + 18, 22, 16, ramp[2])
        drawer(shape, (x, TOP + 19, 20, 6), ramp)
        drawer(shape, (x, TOP + 26, 20, 6), ramp)
    return shape.rect(1, TOP + 33, 4, 2, ramp[0]).rect(width - 5, TOP + 33, 4, 2, ramp[0])


def _with_chairs(whole: Canvas, chair: Canvas, *columns: int) -> Picture:
    for column in columns:
        whole.over(chair, column * TILE, 2 * TILE)
    return with_cover(whole, *((column * TILE, 2 * TILE + BACK[1], TILE, BACK[3]) for column in columns))


@draws("desk")
def desk(ramp: Ramp, variant: int) -> Picture:
    whole = grounded(_desk(2, ramp))
    lamp(whole, 55, 41, (TEAL, RED, YELLOW)[variant % 3])
    papers(whole, 17, 42)
    book_lying(whole, 38, 40, variant)
    cup(whole, 6, 37, RED)
    return _with_chairs(whole, chair_north(ramp, RED, NEAR), 0)


@draws("small desk")
def small_desk(ramp: Ramp, variant: int) -> Picture:
    whole = grounded(_desk(1, ramp))
    papers(whole, 11, 43)
    lamp(whole, 24, 39, (YELLOW, TEAL, PINK)[variant % 3])
    return _with_chairs(whole, chair_north(ramp, TEAL, NEAR), 0)


def monitor(on: Canvas, x: int, y: int, variant: int = 0) -> Canvas:
    """Draw a flat screen showing lines of text, with its foot at (x, y); 26 pixels wide."""
    lines = ((TEAL, 9), (BLUE, 15), (PINK, 7), (YELLOW, 12))

    def paint(thing: Canvas) -> None:
        thing.rect(x - 2, y - 4, 5, 4, GREY[1]).rect(x - 6, y - 1, 13, 2, GREY[2]).row(x - 6, y - 1, 13, GREY[3])
        thing.rect(x - 13, y - 23, 27, 19, GREY[0]).row(x - 13, y - 23, 27, GREY[1])
        thing.rect(x - 11, y - 21, 23, 15, BLUE[0]).rect(x - 11, y - 21, 23, 2, BLUE[2])
        for k in range(4):
            tint, length = lines[(k + variant) % 4]
            thing.row(x - 9 + k % 2 * 2, y - 17 + k * 3, length, tint[3])
        thing.dots([(x + 9, y - 18), (x + 10, y - 17), (x + 10, y - 16)], BLUE[4])

    return paint_outlined(on, paint)


def keyboard(on: Canvas, x: int, y: int) -> Canvas:
    """Draw a keyboard and a mouse in front of the screen."""

    def paint(thing: Canvas) -> None:
        thing.rect(x - 9, y - 3, 16, 5, GREY[5]).row(x - 8, y - 2, 14, GREY[3]).row(x - 8, y, 14, GREY[3])
        thing.rect(x + 10, y - 3, 3, 5, GREY[5]).column(x + 11, y - 3, 2, GREY[2])

    return paint_outlined(on, paint)


@draws("computer desk")
def computer_desk(ramp: Ramp, variant: int) -> Picture:
    """Draw a desk for one person, with a large screen, printer, computer and mug."""
    shape = tiles(2, 3)
    box(shape, (1, TOP, 62, 34), 17, ramp)
    shape.rect(3, TOP + 20, 34, 14, ramp[0]).rect(39, TOP + 20, 22, 11, GREY[0])
    paint_outlined(shape, lambda on: on.rect(43, 53, 12, 8, GREY[2]).row(43, 53, 12, GREY[4]).dot(52, 56, TEAL[4]))
    drawer(shape, (38, TOP + 18, 24, 5), ramp)
    shape.rect(1, TOP + 33, 4, 2, ramp[0]).rect(59, TOP + 33, 4, 2, ramp[0])
    whole = grounded(shape)
    monitor(whole, 16, 36, variant)
    keyboard(whole, 15, 42)
    paint_outlined(
        whole, lambda on: on.rect(37, 30, 18, 10, WHITE[2]).row(37, 30, 18, WHITE[4]).rect(39, 35, 14, 2, GREY[1])
    )
    paint_outlined(whole, lambda on: on.rect(40, 25, 12, 6, WHITE[4]).row(42, 27, 8, WHITE[0]).row(42, 29, 6, BLUE[2]))
    cup(whole, 58, 43, ORANGE)
    return _with_chairs(whole, swivel_north(BLUE), 0)


@draws("computer")
def computer(ramp: Ramp, variant: int) -> Picture:
    """Draw a shared table with two computers."""
    shape = tiles(2, 3)
    for x in (2, 30, 58):
        leg(shape, x, TOP + 24, 10, ramp)
    box(shape, (1, TOP, 62, 24), 17, ramp)
    whole = grounded(shape)
    for k, x in enumerate((16, 48)):
        monitor(whole, x, 36, variant + k)
        keyboard(whole, x - 1, 42)
    return _with_chairs(whole, swivel_north(TEAL), 0, 1)


@draws("globe")
def globe(ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(1, 2)
    shape.rect(14, 48, 4, 8, ramp[1]).rect(8, 56, 16, 3, ramp[2]).row(8, 56, 16, ramp[4])
    shape.ellipse(15.5, 34, 13, 13, ramp[2]).ellipse(14.5, 33, 11, 11, ramp[3])
    shape.ellipse(15.5, 34, 11, 11, BLUE[2]).ellipse(13.5, 31.5, 7.6, 7.6, BLUE[3]).ellipse(15.5, 35, 8.4, 8.4, BLUE[2])
    shape.polygon([(9, 27), (15, 26), (16, 31), (12, 35), (8, 32)], TEAL[3]).rect(17, 34, 6, 6, TEAL[3])
    shape.polygon([(12, 39), (16, 38), (15, 43), (13, 43)], TEAL[2]).rect(19, 27, 4, 3, TEAL[3]).row(10, 28, 4, TEAL[4])
    return Picture(grounded(shape.rect(14, 20, 3, 3, STONE[4])))
