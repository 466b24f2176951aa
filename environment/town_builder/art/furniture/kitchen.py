"""Kitchen furniture: one unit per tile, so that units can stand side by side along a wall."""

from town_builder.art.canvas import Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.joinery import BRASS, door, drawer, paint_outlined
from town_builder.art.furniture.trinkets import bottle, fruit, jar, small_plant
from town_builder.art.palette import (
    BLUE,
    GREY,
    LEAF,
    OAK,
    ORANGE,
    PINK,
    RED,
    STONE,
    TEAL,
    WALNUT,
    WATER,
    WHITE,
    YELLOW,
    Ramp,
    mix,
)

WORKTOP = 24
"""Back edge of a worktop, in pixels from the top of the picture; the wall ends at 32."""


def cupboards(across: int, down: int, ramp: Ramp) -> Canvas:
    """Draw a stone worktop on cupboards with two doors per tile."""
    shape, width = tiles(across, down), across * 32 - 2
    shape.rect(1, WORKTOP, width, 14, STONE[4]).row(1, WORKTOP, width, STONE[5]).column(1, WORKTOP, 14, STONE[5])
    shape.row(1, WORKTOP + 12, width, STONE[3]).rect(1, WORKTOP + 14, width, 3, STONE[2])
    shape.row(1, WORKTOP + 16, width, STONE[1]).rect(1, WORKTOP + 17, width, 20, ramp[2])
    shape.row(1, WORKTOP + 17, width, ramp[0])
    for tile in range(across):
        door(shape, (tile * 32 + 2, WORKTOP + 19, 13, 15), ramp)
        door(shape, (tile * 32 + 17, WORKTOP + 19, 13, 15), ramp, knob="left")
    return shape.rect(1, WORKTOP + 34, width, 3, ramp[0])


def _basin(on: Canvas, x: int) -> None:
    """Draw a steel basin sunk into the worktop, with a tap behind it."""
    on.rect(x, WORKTOP + 3, 22, 9, STONE[2]).rect(x + 1, WORKTOP + 4, 20, 7, STONE[1])
    on.rect(x + 2, WORKTOP + 6, 18, 5, STONE[3]).row(x + 2, WORKTOP + 10, 18, STONE[5])
    on.rect(x + 10, WORKTOP + 8, 2, 2, STONE[1])
    paint_outlined(
        on,
        lambda tap: (
            tap.rect(x + 9, WORKTOP - 4, 3, 8, GREY[3])
            .column(x + 9, WORKTOP - 4, 8, GREY[5])
            .rect(x + 9, WORKTOP - 6, 7, 3, GREY[4])
            .rect(x + 14, WORKTOP - 4, 2, 3, GREY[2])
        ),
    )
    on.dots([(x + 14, WORKTOP + 2), (x + 14, WORKTOP + 5)], WATER[4])
    on.rect(x + 4, WORKTOP + 1, 3, 2, RED[2]).rect(x + 18, WORKTOP + 1, 3, 2, BLUE[2])


def _bread_board(on: Canvas) -> None:
    paint_outlined(on, lambda board: board.rect(6, 30, 17, 7, OAK[2]).row(6, 30, 17, OAK[4]).row(6, 36, 17, OAK[1]))
    paint_outlined(on, lambda loaf: loaf.ellipse(12, 31, 5, 2.6, ORANGE[2]).row(9, 30, 5, ORANGE[4]))
    on.line(18, 34, 22, 31, GREY[4])


def _jars(on: Canvas) -> None:
    jar(jar(jar(on, 8, 31, RED), 16, 31, YELLOW), 24, 31, LEAF)


def _fruit_bowl(on: Canvas) -> None:
    paint_outlined(
        on, lambda bowl: bowl.ellipse(15.5, 31, 8, 4, WHITE[3]).row(8, 30, 16, WHITE[4]).row(10, 34, 12, WHITE[1])
    )
    fruit(fruit(fruit(on, 11, 28, RED), 16, 28, YELLOW), 20, 28, LEAF)


def _herbs(on: Canvas) -> None:
    small_plant(bottle(on, 8, 32, LEAF), 21, 33)


STANDING_THERE = (_bread_board, _jars, _fruit_bowl, _herbs)
"""Things on a kitchen counter, by variant."""


@draws("kitchen counter")
def kitchen_counter(ramp: Ramp, variant: int) -> Picture:
    shape = cupboards(1, 2, ramp)
    STANDING_THERE[variant % len(STANDING_THERE)](shape)
    return Picture(grounded(shape))


@draws("kitchen sink")
def kitchen_sink(ramp: Ramp, _variant: int) -> Picture:
    shape = cupboards(1, 3, ramp)
    _basin(shape, 5)
    return Picture(grounded(shape))


def _drying_plate(on: Canvas, x: int) -> None:
    """Draw a plate on its edge in the rack."""
    paint_outlined(on, lambda plate: plate.ellipse(x, WORKTOP + 3, 2, 5, WHITE[3]).column(x - 1, WORKTOP, 5, WHITE[4]))


@draws("double kitchen sink")
def double_kitchen_sink(ramp: Ramp, _variant: int) -> Picture:
    shape = cupboards(2, 3, ramp)
    _basin(shape, 8)
    shape.rect(36, WORKTOP + 3, 20, 9, STONE[3])
    for x in range(38, 55, 3):
        shape.column(x, WORKTOP + 4, 7, STONE[2])
    for x in (39, 43, 47):
        _drying_plate(shape, x)
    return Picture(grounded(shape))


@draws("toaster")
def toaster(ramp: Ramp, _variant: int) -> Picture:
    """Draw a toaster on a worktop, with two slices of toast and a jar of jam."""
    shape = cupboards(1, 3, ramp)

    def steel(on: Canvas) -> None:
        on.rect(6, 18, 5, 6, OAK[2]).row(6, 18, 5, OAK[4]).rect(13, 17, 5, 7, OAK[2]).row(13, 17, 5, OAK[4])
        on.rect(4, 23, 16, 12, GREY[3]).row(5, 22, 14, GREY[4]).rect(6, 23, 12, 2, GREY[0]).column(4, 24, 10, GREY[5])
        on.rect(6, 27, 10, 3, RED[2]).row(6, 27, 10, RED[3]).row(4, 34, 16, GREY[1]).rect(20, 26, 2, 3, GREY[0])

    jar(paint_outlined(shape, steel), 26, 34, PINK)
    return Picture(grounded(shape))


def _kettle(on: Canvas) -> None:
    on.ellipse(9.5, 24, 5.6, 4.6, TEAL[2]).row(6, 21, 5, TEAL[4]).rect(15, 21, 3, 2, TEAL[1]).rect(8, 18, 3, 2, TEAL[1])
    on.column(4, 17, 4, GREY[1]).row(5, 16, 9, GREY[1]).column(14, 17, 4, GREY[1])


def _pan(on: Canvas) -> None:
    """Draw a pan with two fried eggs."""
    on.ellipse(22, 26, 6.4, 3.4, GREY[0]).ellipse(22, 25.6, 5.2, 2.4, GREY[1]).rect(8, 25, 8, 2, WALNUT[2])
    on.ellipse(20.5, 25.4, 2, 1.4, WHITE[4]).ellipse(24, 26, 2, 1.4, WHITE[4]).dots([(20, 25), (24, 26)], YELLOW[2])


def _pot(on: Canvas) -> None:
    on.rect(4, 20, 12, 8, RED[2]).row(4, 20, 12, RED[4]).row(4, 21, 12, RED[1]).column(4, 22, 6, RED[3])
    on.rect(2, 22, 2, 2, RED[1]).rect(16, 22, 2, 2, RED[1]).rect(8, 18, 4, 2, RED[1])


@draws("stove")
def stove(_ramp: Ramp, variant: int) -> Picture:
    """Draw a stove with a pot, a kettle or a pan, by variant."""
    shape = tiles(1, 3)
    shape.rect(1, 13, 30, 9, GREY[4]).row(1, 13, 30, GREY[5]).rect(4, 15, 7, 4, GREY[0]).row(5, 17, 4, TEAL[4])
    for x in (14, 19, 24):
        shape.rect(x, 15, 4, 4, GREY[1] if x > 14 else RED[2]).dot(x + 1, 15, GREY[5])
    shape.rect(1, 22, 30, 17, GREY[1]).row(1, 22, 30, GREY[2])
    for x, y in ((3, 24), (18, 24), (3, 32), (18, 32)):
        hot = ORANGE if (x, y) == (18, 32) else GREY
        shape.rect(x, y, 11, 5, GREY[0]).row(x + 1, y + 1, 9, hot[2]).row(x + 1, y + 3, 9, hot[1])
        shape.column(x + 5, y, 5, GREY[2])
    shape.rect(1, 39, 30, 21, GREY[4]).row(1, 39, 30, GREY[2]).row(1, 40, 30, GREY[5]).rect(4, 42, 24, 2, GREY[2])
    shape.row(4, 42, 24, GREY[5]).rect(5, 46, 22, 10, GREY[0]).rect(7, 48, 18, 6, WALNUT[1])
    shape.row(8, 52, 16, ORANGE[2]).row(9, 53, 14, ORANGE[3]).rect(1, 57, 30, 3, GREY[2])
    shape.line(9, 53, 14, 48, GREY[2]).line(12, 53, 17, 48, GREY[2])
    return Picture(grounded(paint_outlined(shape, (_pot, _kettle, _pan)[variant % 3])))


@draws("refrigerator")
def refrigerator(_ramp: Ramp, variant: int) -> Picture:
    """Draw a refrigerator with notes and a magnet on its door; odd variants are mint green."""
    body = (TEAL[1], TEAL[2], TEAL[3], TEAL[4], WHITE[4]) if variant % 2 else (*GREY[1:3], *GREY[4:6], WHITE[4])
    shape = tiles(1, 3)
    shape.rect(1, 2, 30, 7, body[3]).row(1, 2, 30, body[4]).rect(1, 9, 30, 51, body[2]).row(1, 9, 30, body[1])
    shape.column(1, 10, 48, body[4]).column(30, 10, 50, body[1]).column(29, 10, 50, mix(body[2], body[1], 0.5))
    shape.row(1, 26, 30, body[1]).row(1, 27, 30, body[4])
    for y, height in ((14, 9), (31, 13)):
        shape.rect(25, y, 2, height, body[0]).column(24, y, height, body[4])
    shape.rect(5, 32, 6, 7, YELLOW[3]).row(6, 34, 4, YELLOW[1]).row(6, 36, 3, YELLOW[1]).dot(7, 31, RED[2])
    shape.rect(13, 35, 5, 5, PINK[3]).dot(15, 34, BLUE[2]).rect(6, 15, 3, 3, BRASS).dot(7, 16, RED[2])
    shape.rect(1, 57, 30, 3, body[0]).row(3, 58, 26, mix(body[0], GREY[0], 0.5))
    return Picture(grounded(shape))


@draws("kitchen dresser")
def kitchen_dresser(ramp: Ramp, _variant: int) -> Picture:
    """Draw cups and plates on open shelves above two drawers and two doors."""
    shape = tiles(1, 3)
    shape.rect(2, 3, 28, 32, ramp[0]).rect(1, 1, 30, 4, ramp[3]).row(1, 1, 30, ramp[4])
    for y in (16, 29):
        for k, glaze in enumerate((WHITE, BLUE, TEAL) if y < 20 else (PINK, WHITE, YELLOW)):
            shape.ellipse(7 + k * 8.5, y - 5, 3.2, 4, glaze[3]).ellipse(7 + k * 8.5, y - 5, 1.5, 2, glaze[2])
        shape.rect(1, y, 30, 2, ramp[3]).row(1, y + 1, 30, ramp[1])
    shape.column(1, 4, 30, ramp[3]).column(30, 4, 30, ramp[1])
    shape.rect(1, 33, 30, 5, ramp[3]).row(1, 33, 30, ramp[4]).rect(1, 38, 30, 20, ramp[2]).row(1, 38, 30, ramp[1])
    for x in (2, 17):
        drawer(shape, (x, 40, 13, 6), ramp)
        door(shape, (x, 47, 13, 10), ramp, knob="right" if x == 2 else "left")
    return Picture(grounded(shape.rect(1, 58, 30, 3, ramp[0])))
