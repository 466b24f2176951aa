"""Bathroom furniture. People stand in the shower, and sit in the bath and on the toilet."""

from town_builder.art.canvas import Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.joinery import BRASS, door, paint_outlined, with_cover
from town_builder.art.palette import (
    BLUE,
    GLASS,
    GREY,
    OAK,
    ORANGE,
    PINK,
    RED,
    TEAL,
    WATER,
    WHITE,
    YELLOW,
    Ramp,
    mix,
)

STEAM = (*GLASS[3][:3], 70)
PANE = (*GLASS[2][:3], 76)
FOAM = ((10, 48, 4), (17, 49, 5), (25, 49, 4), (33, 50, 4), (40, 49, 5), (48, 49, 4), (54, 48, 4))
"""x, y and half width of the foam along the front of the bath."""
GLINT = (*WHITE[4][:3], 150)


def _mirror(on: Canvas, x: int, width: int, frame: Ramp) -> None:
    on.rect(x, 2, width, 18, frame[2]).row(x, 2, width, frame[4]).column(x, 2, 18, frame[3])
    on.rect(x + 2, 4, width - 4, 14, GLASS[2]).row(x + 2, 4, width - 4, GLASS[1])
    for left in (x + 4, x + 5, x + 9):
        on.line(left, 16, left + 8, 5, GLASS[3])


@draws("bathroom sink")
def bathroom_sink(ramp: Ramp, _variant: int) -> Picture:
    """Draw a basin on a cupboard under a mirror, with soap and a toothbrush mug."""
    shape = tiles(1, 3)
    shape.rect(3, 38, 26, 20, ramp[2]).row(3, 38, 26, ramp[0])
    door(shape, (4, 40, 12, 16), ramp)
    door(shape, (16, 40, 12, 16), ramp, knob="left")
    shape.rect(3, 57, 26, 3, ramp[0])
    shape.rect(1, 26, 30, 9, WHITE[3]).row(1, 26, 30, WHITE[4]).rect(1, 35, 30, 3, WHITE[2]).row(1, 37, 30, WHITE[0])
    shape.ellipse(15.5, 30.5, 10, 3.4, WHITE[1]).ellipse(15.5, 31, 9, 2.6, WATER[4]).row(11, 31, 6, WATER[5])
    paint_outlined(shape, lambda on: on.rect(14, 22, 3, 7, GREY[4]).column(14, 22, 7, GREY[5]).row(14, 29, 3, GREY[2]))
    paint_outlined(
        shape, lambda on: on.rect(25, 24, 4, 5, BLUE[2]).row(25, 24, 4, BLUE[4]).dot(26, 22, RED[3]).dot(26, 23, RED[3])
    )
    paint_outlined(shape, lambda on: on.rect(3, 27, 5, 2, PINK[3]))
    mirror = tiles(1, 3)
    _mirror(mirror, 5, 22, OAK)
    return Picture(mirror.outline().over(grounded(shape)))


@draws("toilet")
def toilet(_ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(1, 2)
    shape.rect(7, 18, 18, 15, WHITE[3]).row(7, 18, 18, WHITE[4]).rect(6, 17, 20, 3, WHITE[4]).row(7, 20, 18, WHITE[1])
    shape.column(24, 21, 12, WHITE[1]).rect(20, 22, 3, 2, BRASS)
    shape.rect(11, 50, 10, 9, WHITE[2]).column(20, 50, 9, WHITE[1]).rect(10, 57, 12, 3, WHITE[1])
    shape.ellipse(15.5, 43, 9.4, 10.4, WHITE[2]).ellipse(15.5, 42, 9.2, 9.8, WHITE[4])
    shape.ellipse(15.5, 42, 6, 6.8, WHITE[1]).ellipse(15.5, 42.6, 5, 5.6, WATER[4]).row(12, 41, 4, WATER[5])
    whole = grounded(shape)
    paint_outlined(
        whole, lambda on: on.rect(27, 33, 3, 4, WHITE[4]).column(29, 33, 4, WHITE[1]).row(27, 36, 3, PINK[3])
    )
    return with_cover(whole, (0, 51, 32, 12))


@draws("shower")
def shower(_ramp: Ramp, _variant: int) -> Picture:
    """Draw a cabin: tiled tray and riser below people, the glass in front of them."""
    tray = tiles(1, 2)
    tray.rect(1, 34, 30, 23, WHITE[3]).row(1, 34, 30, WHITE[1]).rect(4, 37, 24, 17, WATER[4])
    tray.row(4, 37, 24, WATER[3]).row(8, 43, 7, WATER[5]).row(17, 49, 8, WATER[5]).rect(14, 45, 4, 2, GREY[2])
    tray.rect(1, 57, 30, 3, WHITE[1]).row(1, 57, 30, WHITE[4])
    wall = tiles(1, 2).rect(1, 2, 30, 32, WATER[4])
    for y in range(5, 34, 7):
        wall.row(1, y, 30, WATER[5])
    for x in range(6, 31, 7):
        wall.column(x, 2, 32, WATER[5])
    paint_outlined(
        wall, lambda on: on.rect(15, 6, 2, 24, GREY[3]).column(15, 6, 24, GREY[5]).rect(11, 5, 10, 3, GREY[4])
    )
    wall.rect(12, 25, 3, 3, RED[2]).rect(17, 25, 3, 3, BLUE[2])
    for x in (12, 15, 19):
        wall.dots([(x, 11), (x, 15), (x + 1, 19)], WHITE[4])
    return Picture(grounded(tray.over(wall)), _glass_cabin())


def _glass_cabin() -> Canvas:
    cabin = tiles(1, 2).rect(2, 12, 28, 45, PANE).rect(2, 30, 28, 14, STEAM)
    for x in (6, 7, 8, 13):
        cabin.line(x, 50, x + 12, 22, GLINT)
    for x in (1, 29):
        cabin.rect(x, 1, 2, 59, GREY[3]).column(x, 1, 59, GREY[5])
    cabin.rect(1, 10, 30, 2, GREY[4]).row(1, 11, 30, GREY[2]).rect(1, 57, 30, 3, WHITE[2]).row(1, 57, 30, WHITE[4])
    cabin.rect(26, 36, 2, 8, GREY[2]).column(26, 36, 8, GREY[5])
    frame = tiles(1, 2)
    frame.column(0, 1, 59, GREY[0]).column(31, 1, 59, GREY[0]).row(1, 60, 30, GREY[0])
    return cabin.over(frame)


@draws("bathtub")
def bathtub(_ramp: Ramp, _variant: int) -> Picture:
    """Draw a tub whose front and foam are drawn over the bather."""
    shape = tiles(2, 2)
    shape.rect(3, 27, 58, 26, WHITE[3]).rect(1, 30, 62, 21, WHITE[3]).row(3, 27, 58, WHITE[4]).column(
        1, 30, 19, WHITE[4]
    )
    shape.rect(6, 30, 52, 20, WHITE[1]).rect(4, 33, 56, 14, WHITE[1])
    shape.rect(6, 35, 52, 14, WATER[3]).rect(5, 37, 54, 10, WATER[3]).rect(8, 38, 48, 10, WATER[4])
    shape.row(14, 37, 8, WATER[5]).row(36, 40, 10, WATER[5])
    shape.rect(1, 52, 62, 6, WHITE[2]).row(1, 51, 62, WHITE[4]).row(1, 52, 62, WHITE[1]).row(2, 57, 60, WHITE[0])
    shape.column(1, 53, 4, WHITE[3]).column(62, 53, 5, WHITE[1])
    for x in (4, 55):
        shape.rect(x, 58, 5, 3, BRASS).row(x, 60, 5, YELLOW[1])
    for x, y, radius in FOAM:
        shape.ellipse(x, y, radius, 2.6, WHITE[4]).row(x - 1, y + 1, 3, WHITE[2])
    whole = grounded(shape)
    paint_outlined(
        whole, lambda on: on.rect(30, 19, 3, 10, GREY[3]).column(30, 19, 10, GREY[5]).rect(28, 23, 7, 3, GREY[4])
    )
    whole.rect(25, 22, 3, 3, RED[2]).rect(35, 22, 3, 3, BLUE[2])
    paint_outlined(
        whole, lambda on: on.ellipse(31, 47, 3.4, 2.4, YELLOW[2]).rect(32, 43, 3, 3, YELLOW[2]).dot(35, 45, ORANGE[2])
    )
    return with_cover(whole, (0, 47, 64, 14), (27, 42, 9, 6))


@draws("washing machine")
def washing_machine(_ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(1, 2)
    shape.rect(2, 25, 28, 12, WHITE[3]).row(2, 25, 28, WHITE[4]).rect(2, 37, 28, 22, WHITE[2]).row(2, 37, 28, WHITE[0])
    shape.column(2, 38, 20, WHITE[4]).column(29, 38, 21, WHITE[0]).rect(2, 58, 28, 2, WHITE[0])
    shape.rect(4, 39, 8, 3, GREY[1]).dot(6, 40, TEAL[4]).rect(23, 39, 4, 3, GREY[2]).row(14, 40, 6, WHITE[1])
    shape.ellipse(15.5, 50, 8, 7.4, GREY[3]).ellipse(15.5, 50, 6.4, 6, GREY[0]).ellipse(15.5, 51, 5.4, 4.4, WATER[2])
    shape.row(11, 50, 9, WATER[5]).dots([(13, 52), (17, 53)], PINK[3]).dots([(12, 47), (13, 46)], WHITE[4])
    paint_outlined(shape, lambda on: on.rect(6, 23, 9, 8, BLUE[2]).row(6, 23, 9, BLUE[4]).rect(8, 26, 5, 3, WHITE[4]))
    paint_outlined(shape, lambda on: on.rect(18, 28, 10, 4, TEAL[3]).row(18, 28, 10, TEAL[4]).row(18, 30, 10, PINK[3]))
    return Picture(grounded(shape))


@draws("laundry basket")
def laundry_basket(ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(1, 1)
    shape.polygon([(5, 12), (26, 12), (24, 28), (7, 28)], ramp[2])
    for y in range(14, 28, 4):
        for x in range(7 + (y // 4) % 2 * 2, 24, 4):
            shape.rect(x, y, 2, 2, ramp[1]).row(x, y - 1, 2, ramp[3])
    shape.rect(4, 10, 24, 4, ramp[3]).row(4, 10, 24, ramp[4]).row(4, 13, 24, ramp[1])
    cloth = tiles(1, 1).ellipse(11, 9, 6, 4, PINK[2]).ellipse(20, 8, 6, 4.4, BLUE[2]).ellipse(15, 6, 5, 3.4, WHITE[3])
    cloth.row(8, 7, 5, PINK[3]).row(18, 5, 5, BLUE[3]).row(13, 4, 4, WHITE[4])
    return Picture(grounded(cloth.outline().over(shape)))


@draws("standing mirror")
def standing_mirror(ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(1, 2)
    shape.rect(5, 54, 4, 6, ramp[1]).rect(23, 54, 4, 6, ramp[1])
    shape.rect(6, 6, 20, 50, ramp[2]).rect(8, 3, 16, 5, ramp[2]).row(8, 3, 16, ramp[4]).column(6, 6, 50, ramp[3])
    shape.rect(9, 8, 14, 45, GLASS[2]).row(9, 8, 14, GLASS[1]).row(6, 55, 20, ramp[1])
    for x in (10, 11, 15):
        shape.line(x, 46, x + 7, 16, mix(GLASS[3], GLASS[2], 0.2))
    return Picture(grounded(shape.rect(4, 58, 24, 2, ramp[1])))
