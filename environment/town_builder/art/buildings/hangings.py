"""Things on walls: windows with curtains, pictures, clocks, lamps. Each hangs in the upper part of its tile."""

from collections.abc import Callable

from town_builder.art.canvas import Canvas
from town_builder.art.drawing import Picture, draws, tiles
from town_builder.art.palette import (
    BLOSSOM,
    BLUE,
    GLASS,
    GRASS,
    GREY,
    INK,
    LEAF,
    ORANGE,
    PINK,
    PURPLE,
    RED,
    SHADE,
    TEAL,
    WALL,
    WALNUT,
    WATER,
    WHITE,
    WOOD,
    YELLOW,
    Ramp,
    mix,
)

Motif = Callable[[Canvas, Ramp], object]
"""Paints a picture of 18 × 14 pixels."""
GLOW = (*YELLOW[4][:3], 46)


def hung(thing: Canvas, x: int, y: int) -> Picture:
    """Return the thing, outlined, on a tile, with its shadow on the wall to the lower right."""
    shape = tiles(1, 1).over(thing, x, y)
    shadow = tiles(1, 1).fill(shape.moved(1, 2).drawn, SHADE)
    return Picture(shadow.over(shape.outline()))


@draws("window")
def window(ramp: Ramp, _: int) -> Picture:
    """Draw two sashes with a morning sky, open curtains and a sill."""
    frame = Canvas(28, 29).rect(2, 2, 24, 23, WOOD[3]).row(2, 2, 24, WOOD[4])
    frame.rect(4, 4, 20, 19, WATER[4]).rect(4, 15, 20, 8, GRASS[4]).ellipse(9, 16, 5, 4, LEAF[3])
    frame.ellipse(19, 17, 6, 4, LEAF[2]).rect(4, 4, 20, 2, GLASS[1])
    for y in range(6, 15):
        frame.row(8 + (15 - y) // 2, y, 3, WATER[5]).row(17 + (15 - y) // 2, y, 2, WATER[5])
    frame.rect(13, 3, 2, 21, WOOD[3]).column(15, 4, 19, WOOD[2]).row(4, 14, 20, WOOD[2])
    for x, way in ((2, 1), (25, -1)):
        _curtain(frame, x, way, ramp)
    frame.row(1, 0, 26, WOOD[1]).row(1, 1, 26, WOOD[3]).rect(0, 25, 28, 3, WOOD[3]).row(0, 25, 28, WOOD[5])
    return hung(frame.row(0, 27, 28, WOOD[1]), 2, 1)


def _curtain(frame: Canvas, x: int, way: int, ramp: Ramp) -> None:
    """Draw a curtain from the rail down, tied back below the middle."""
    for y in range(2, 25):
        width = 8 - y // 4 if y < 16 else 3 + (y - 16) // 4
        for fold in range(width):
            frame.dot(x + way * fold, y, ramp[3 if fold % 3 == 0 else 2 if fold % 3 == 1 else 1])
    frame.rect(min(x, x + way * 3), 15, 4, 2, YELLOW[2])


def _hills(art: Canvas, ramp: Ramp) -> object:
    art.rect(0, 0, 18, 14, ramp[4]).ellipse(13, 4, 2.2, 2.2, YELLOW[3])
    art.polygon([(0, 11), (5, 4), (10, 11)], PURPLE[2]).polygon([(6, 12), (12, 6), (18, 12)], PURPLE[3])
    return art.rect(0, 10, 18, 4, GRASS[2]).row(0, 10, 18, GRASS[4])


def _sea(art: Canvas, ramp: Ramp) -> object:
    art.rect(0, 0, 18, 8, YELLOW[4]).rect(0, 4, 18, 4, ORANGE[4]).rect(0, 8, 18, 6, ramp[2])
    art.polygon([(8, 2), (8, 8), (3, 8)], WHITE[4]).polygon([(9, 3), (9, 8), (13, 8)], WHITE[2])
    return art.rect(4, 9, 9, 2, WALNUT[2]).row(1, 11, 4, ramp[4]).row(11, 12, 5, ramp[4])


def _flower(art: Canvas, ramp: Ramp) -> object:
    art.rect(0, 0, 18, 14, WALL[4]).column(9, 7, 4, LEAF[2]).dots([(8, 8), (10, 9), (11, 8), (7, 7)], LEAF[3])
    for x, y in ((9, 3), (7, 5), (11, 5), (9, 6)):
        art.ellipse(x, y, 1.6, 1.6, BLOSSOM[2])
    return art.dot(9, 5, YELLOW[3]).rect(7, 10, 5, 4, ramp[2]).row(7, 10, 5, ramp[3])


def _shapes(art: Canvas, ramp: Ramp) -> object:
    art.rect(0, 0, 18, 14, WALL[3]).ellipse(5, 5, 3.4, 3.4, RED[2]).rect(9, 6, 7, 6, ramp[2])
    return art.line(2, 13, 15, 1, INK).polygon([(10, 1), (16, 1), (13, 5)], YELLOW[2])


def _portrait(art: Canvas, ramp: Ramp) -> object:
    art.rect(0, 0, 18, 14, ramp[1]).ellipse(9, 5.5, 3.4, 3.8, ORANGE[4]).rect(5, 10, 9, 4, WALNUT[1])
    return art.rect(6, 1, 7, 3, WALNUT[2]).dots([(8, 6), (11, 6)], INK).row(8, 8, 3, RED[2]).row(7, 10, 5, WALL[4])


PAINTINGS: tuple[Motif, ...] = (_hills, _sea, _flower, _shapes, _portrait)


@draws("painting")
def painting(ramp: Ramp, variant: int) -> Picture:
    """Draw a picture in a gilt frame: hills, the sea, a flower, shapes or a portrait."""
    art = Canvas(18, 14)
    PAINTINGS[variant % len(PAINTINGS)](art, ramp)
    frame = Canvas(24, 20).rect(0, 0, 24, 20, YELLOW[1]).row(0, 0, 24, YELLOW[3]).column(0, 0, 20, YELLOW[2])
    frame.rect(2, 2, 20, 16, YELLOW[0]).row(0, 19, 24, YELLOW[0])
    return hung(frame.over(art, 3, 3), 4, 4)


@draws("poster")
def poster(ramp: Ramp, variant: int) -> Picture:
    """Draw a poster: a picture above two lines of print, with a pin in each upper corner."""
    paper = Canvas(20, 26).rect(0, 0, 20, 26, WALL[4]).rect(1, 1, 18, 15, ramp[2]).row(1, 1, 18, ramp[3])
    if variant % 3 == 0:
        paper.ellipse(9.5, 9, 5, 5, YELLOW[2]).ellipse(9.5, 9, 3, 3, ramp[1])
    elif variant % 3 == 1:
        paper.polygon([(10, 3), (4, 13), (16, 13)], YELLOW[3]).polygon([(10, 8), (7, 13), (13, 13)], RED[2])
    else:
        paper.rect(8, 4, 2, 9, WHITE[4]).rect(8, 4, 6, 2, WHITE[4]).ellipse(7, 12, 2.4, 1.8, WHITE[4])
    paper.row(3, 18, 14, INK).row(3, 19, 14, mix(INK, WALL[4], 0.4)).row(3, 22, 9, mix(INK, WALL[4], 0.5))
    return hung(paper.dots([(1, 0), (18, 0)], RED[2]).row(1, 25, 18, WALL[2]), 6, 2)


@draws("clock")
def clock(_: Ramp, __: int) -> Picture:
    """Draw a clock with a white face that shows twenty past twelve."""
    face = Canvas(18, 18).ellipse(8.5, 8.5, 8.5, 8.5, WALNUT[2]).ellipse(8, 8, 8, 8, WALNUT[3])
    face.ellipse(8.5, 8.5, 6.6, 6.6, WHITE[4]).dots([(8, 3), (8, 14), (3, 8), (14, 8)], GREY[2])
    face.line(8, 8, 8, 5, INK).line(8, 8, 12, 10, INK).dot(8, 8, RED[2])
    return hung(face, 7, 5)


@draws("wall lamp")
def wall_lamp(_: Ramp, __: int) -> Picture:
    """Draw a lit shade on a brass arm, with its glow on the wall."""
    lamp = Canvas(12, 18).polygon([(3, 0), (8, 0), (11, 8), (0, 8)], YELLOW[3]).line(3, 1, 1, 7, YELLOW[4])
    lamp.row(0, 8, 12, ORANGE[2]).rect(5, 9, 2, 6, YELLOW[1]).rect(3, 15, 6, 2, YELLOW[1]).row(3, 15, 6, YELLOW[2])
    glow = tiles(1, 1).ellipse(15.5, 12, 15, 12, GLOW).ellipse(15.5, 11, 9, 8, GLOW)
    return Picture(glow.over(hung(lamp, 10, 4).below))


@draws("dart board")
def dart_board(_: Ramp, __: int) -> Picture:
    """Draw rings, a bull's eye and two darts."""
    board = Canvas(22, 22).ellipse(10.5, 10.5, 10.5, 10.5, WALNUT[1])
    rings = ((9.3, INK), (8.6, RED[2]), (7.6, WALL[3]), (5.2, LEAF[1]), (4.2, WALL[3]), (2.4, LEAF[2]), (1.2, RED[2]))
    for radius, colour in rings:
        board.ellipse(10.5, 10.5, radius, radius, colour)
    for x, y in ((10, 3), (10, 17), (3, 10), (17, 10), (5, 5), (15, 5), (5, 15), (15, 15)):
        board.rect(x, y, 2, 2, INK)
    board.line(12, 9, 16, 5, GREY[4]).rect(16, 3, 3, 3, BLUE[2]).line(8, 12, 6, 16, GREY[4]).rect(4, 16, 3, 3, TEAL[3])
    return hung(board.dots([(18, 3), (6, 18)], PINK[3]), 5, 3)
