"""Things of yards and waterfronts."""

from town_builder.art.canvas import Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.outdoors.foliage import shadow
from town_builder.art.palette import (
    BLUE,
    GREY,
    LEAF,
    ORANGE,
    RED,
    SHADOW,
    SOIL,
    WALL,
    WHITE,
    WOOD,
    YELLOW,
    Ramp,
    mix,
)


@draws("washing line")
def washing_line(_ramp: Ramp, variant: int) -> Picture:
    """Draw two posts, a rope and laundry."""
    floor, line = tiles(3, 2), tiles(3, 2)
    for x in (10, 83):
        shadow(floor, x + 4, 59, 8, 3)
        line.rect(x, 6, 4, 53, WOOD[2]).column(x, 6, 53, WOOD[4]).column(x + 3, 6, 53, WOOD[0])
        line.rect(x - 4, 8, 12, 3, WOOD[3]).row(x - 4, 8, 12, WOOD[5])
    for x in range(14, 83):
        line.dot(x, 11 + round(3 * (1 - ((x - 48) / 35) ** 2)), WALL[1])
    cloths = (BLUE, WHITE, RED, YELLOW)
    for number, x in enumerate((17, 34, 52, 68)):
        GARMENTS[(number + variant) % len(GARMENTS)](line, x, cloths[(number + variant) % len(cloths)])
    return Picture(floor.over(line.outline()))


def _shirt(line: Canvas, x: int, cloth: Ramp) -> None:
    line.rect(x + 2, 14, 10, 17, cloth[3]).rect(x - 1, 14, 4, 7, cloth[2]).rect(x + 11, 14, 4, 7, cloth[2])
    line.rect(x + 5, 13, 4, 3, cloth[1]).column(x + 2, 20, 11, cloth[4]).column(x + 11, 21, 10, cloth[1]).row(
        x + 2, 30, 10, cloth[1]
    )


def _sheet(line: Canvas, x: int, cloth: Ramp) -> None:
    line.rect(x, 14, 15, 21, cloth[3]).column(x, 14, 21, cloth[4]).column(x + 5, 16, 18, cloth[2]).column(
        x + 11, 15, 19, cloth[2]
    )
    line.row(x, 34, 15, cloth[1]).rect(x + 1, 12, 2, 4, WOOD[3]).rect(x + 12, 12, 2, 4, WOOD[3])


def _trousers(line: Canvas, x: int, cloth: Ramp) -> None:
    line.rect(x, 14, 12, 6, cloth[2]).rect(x, 18, 5, 16, cloth[2]).rect(x + 7, 18, 5, 16, cloth[2])
    line.column(x, 15, 19, cloth[3]).column(x + 7, 20, 14, cloth[3]).row(x, 14, 12, cloth[1]).column(
        x + 4, 20, 14, cloth[1]
    )


def _socks(line: Canvas, x: int, cloth: Ramp) -> None:
    for left in (x, x + 7):
        line.rect(left, 14, 4, 9, cloth[3]).rect(left, 20, 6, 3, cloth[2]).row(left, 15, 4, cloth[1]).row(
            left, 17, 4, cloth[1]
        )


GARMENTS = (_shirt, _sheet, _trousers, _socks)
"""Laundry on a line."""


@draws("beehive")
def beehive(_ramp: Ramp, _variant: int) -> Picture:
    """Draw a hive of boxes with a landing board, and bees."""
    hive = tiles(1, 1)
    hive.rect(7, 25, 3, 3, WOOD[1]).rect(22, 25, 3, 3, WOOD[1])
    for y in (10, 17):
        hive.rect(7, y, 18, 7, YELLOW[3]).row(7, y, 18, YELLOW[4]).row(7, y + 6, 18, YELLOW[1]).column(
            24, y, 7, YELLOW[1]
        )
        hive.rect(14, y + 2, 4, 2, YELLOW[1])
    hive.rect(6, 24, 20, 2, WOOD[3]).rect(11, 21, 9, 2, WOOD[0]).rect(5, 7, 22, 3, GREY[3]).row(5, 7, 22, GREY[5]).row(
        5, 9, 22, GREY[1]
    )
    canvas = grounded(hive)
    for x, y in ((3, 13), (28, 18), (20, 3), (2, 22)):
        canvas.dot(x, y, YELLOW[2]).dot(x + 1, y, WOOD[0]).dot(x, y - 1, WHITE[3])
    return Picture(canvas)


@draws("scarecrow")
def scarecrow(_ramp: Ramp, _variant: int) -> Picture:
    """Draw a scarecrow of straw with an old coat and a hat."""
    floor, man = shadow(tiles(1, 2), 18, 59, 8, 3), tiles(1, 2)
    man.rect(14, 30, 4, 30, WOOD[2]).column(14, 30, 30, WOOD[4]).rect(1, 27, 30, 3, WOOD[3]).row(1, 27, 30, WOOD[4])
    man.rect(4, 24, 24, 7, RED[2]).row(4, 24, 24, RED[3]).row(4, 30, 24, RED[1]).polygon(
        [(9, 24), (23, 24), (25, 47), (7, 47)], RED[2]
    )
    man.column(9, 28, 17, RED[3]).rect(20, 28, 4, 18, RED[1]).rect(11, 36, 5, 5, BLUE[3]).row(11, 36, 5, BLUE[4])
    man.rect(1, 25, 4, 5, YELLOW[3]).rect(27, 25, 4, 5, YELLOW[2])
    for x in range(8, 25, 3):
        man.column(x, 46, 5, YELLOW[3]).column(x + 1, 46, 3, YELLOW[1])
    man.ellipse(15.5, 17, 6.4, 6.8, ORANGE[4]).rect(19, 14, 3, 8, ORANGE[3]).dots([(13, 16), (18, 16)], WOOD[0])
    man.row(13, 20, 6, WOOD[1]).dots([(12, 19), (19, 19)], WOOD[1]).rect(15, 18, 2, 1, RED[2])
    man.ellipse(15.5, 11, 11, 2.6, WOOD[3]).polygon([(10, 10), (12, 3), (20, 3), (22, 10)], WOOD[3]).row(
        12, 3, 8, WOOD[5]
    )
    man.rect(10, 8, 12, 2, RED[1]).row(6, 12, 20, WOOD[1])
    return Picture(floor.over(man.outline()))


@draws("wheelbarrow")
def wheelbarrow(ramp: Ramp, _variant: int) -> Picture:
    """Draw a wheelbarrow full of earth with a seedling on top."""
    floor, barrow = tiles(1, 1).rect(5, 26, 25, 3, SHADOW), tiles(1, 1)
    barrow.line(1, 14, 20, 22, WOOD[3]).line(1, 15, 20, 23, WOOD[1]).rect(8, 19, 2, 9, GREY[1])
    barrow.ellipse(15.5, 12, 10, 4.5, SOIL[1]).ellipse(14, 11, 7, 3, SOIL[2])
    barrow.polygon([(4, 12), (28, 12), (24, 22), (9, 22)], ramp[2]).row(4, 12, 25, ramp[4]).row(5, 13, 23, ramp[3])
    barrow.row(9, 21, 16, ramp[1]).polygon([(22, 13), (27, 13), (24, 21), (21, 21)], ramp[1])
    barrow.ellipse(24, 24, 4.2, 4.2, GREY[0]).ellipse(24, 24, 2.2, 2.2, GREY[3]).dot(24, 24, GREY[0])
    barrow.column(15, 4, 5, LEAF[1]).rect(12, 3, 3, 2, LEAF[3]).rect(16, 2, 4, 2, LEAF[4]).row(13, 5, 2, LEAF[2])
    return Picture(floor.over(barrow.outline()))


@draws("jetty")
def jetty(_ramp: Ramp, _variant: int) -> Picture:
    """Draw a landing stage on piles that extends to the south, with a mooring rope."""
    floor, boards = tiles(2, 3).rect(8, 6, 54, 90, SHADOW), tiles(2, 3)
    boards.rect(5, 0, 54, 88, WOOD[1])
    for number, y in enumerate(range(0, 86, 7)):
        tone = mix(WOOD[3], WOOD[4], 0.3 + number * 5 % 4 * 0.2)
        boards.rect(4, y, 56, 6, tone).row(4, y, 56, WOOD[5]).row(4, y + 5, 56, WOOD[2])
        boards.dots([(7, y + 2), (56, y + 2)], WOOD[0]).row(14 + number * 11 % 30, y + 3, 9, WOOD[2])
    boards.rect(4, 84, 56, 6, WOOD[2]).row(4, 84, 56, WOOD[4]).row(4, 89, 56, WOOD[0])
    for x in (1, 57):
        for y in (8, 46, 78):
            boards.rect(x, y, 6, 14, WOOD[1]).column(x, y, 14, WOOD[3]).rect(x, y - 2, 6, 3, WOOD[4]).row(
                x, y - 2, 6, WOOD[5]
            )
    boards.rect(57, 52, 6, 3, WALL[2]).row(57, 53, 6, WALL[0]).ellipse(49, 72, 5, 3, WALL[2]).ellipse(
        49, 72, 2.6, 1.4, WOOD[3]
    )
    return Picture(floor.over(boards.outline()))
