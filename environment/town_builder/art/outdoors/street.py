"""Street furniture: lamps, benches, boards, boxes, bins."""

from town_builder.art.canvas import Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.outdoors.foliage import leafy, shadow
from town_builder.art.palette import GREY, LEAF, ORANGE, RED, SHADOW, SOIL, STONE, WALL, WHITE, WOOD, YELLOW, Ramp

GLOW = (*YELLOW[3][:3], 30)
FLOWER_HEADS = ((3, 4), (8, 1), (13, 4), (18, 1), (23, 4))


@draws("street lamp")
def street_lamp(_ramp: Ramp, _variant: int) -> Picture:
    """Draw an iron post with a lantern and a faint glow around it."""
    floor, lamp = shadow(tiles(1, 2), 18, 59, 9, 3), tiles(1, 2)
    lamp.rect(14, 24, 4, 34, GREY[1]).column(14, 24, 34, GREY[3]).column(17, 24, 34, GREY[0])
    lamp.rect(11, 57, 10, 4, GREY[1]).row(11, 57, 10, GREY[3]).rect(13, 53, 6, 4, GREY[2]).column(13, 53, 4, GREY[3])
    lamp.rect(12, 43, 8, 2, GREY[2]).row(12, 43, 8, GREY[3]).rect(9, 26, 14, 2, GREY[1]).row(9, 26, 14, GREY[3])
    lamp.polygon([(9, 10), (22, 10), (20, 23), (11, 23)], YELLOW[3]).rect(12, 12, 5, 9, YELLOW[4])
    lamp.line(9, 10, 11, 23, GREY[1]).line(22, 10, 20, 23, GREY[0]).column(16, 10, 14, GREY[1])
    lamp.polygon([(7, 10), (12, 5), (19, 5), (24, 10)], GREY[2]).row(8, 9, 15, GREY[1]).row(12, 5, 7, GREY[4])
    lamp.rect(14, 2, 4, 3, GREY[2]).dot(14, 2, GREY[4]).rect(10, 23, 12, 2, GREY[2]).row(10, 23, 12, GREY[3])
    lamp.outline()
    return Picture(floor.ellipse(16, 16, 15, 15, GLOW).ellipse(16, 16, 11, 11, GLOW).over(lamp))


@draws("bench")
def bench(_ramp: Ramp, _variant: int) -> Picture:
    """Draw a park bench that faces south."""
    bench = tiles(2, 1)
    for x in (8, 52):
        bench.rect(x, 6, 4, 21, GREY[1]).column(x, 6, 21, GREY[2]).row(x - 1, 27, 6, GREY[0])
    for y in (5, 10):
        bench.rect(4, y, 56, 4, WOOD[3]).row(4, y, 56, WOOD[5]).row(4, y + 3, 56, WOOD[1])
    bench.rect(3, 16, 58, 3, WOOD[4]).row(3, 16, 58, WOOD[5]).row(3, 19, 58, WOOD[2]).rect(3, 20, 58, 2, WOOD[3])
    bench.row(3, 22, 58, WOOD[1]).row(3, 23, 58, WOOD[0])
    for x, y in ((14, 7), (33, 6), (45, 11), (22, 12), (18, 17), (39, 18)):
        bench.row(x, y, 6, WOOD[2])
    for x in (4, 57):
        bench.rect(x, 13, 3, 7, GREY[2]).row(x, 13, 3, GREY[4])
    return Picture(grounded(bench))


@draws("signpost")
def signpost(_ramp: Ramp, _variant: int) -> Picture:
    """Draw two boards that point in opposite directions."""
    floor, post = shadow(tiles(1, 1), 18, 28, 8, 3), tiles(1, 1)
    post.rect(14, 2, 4, 27, WOOD[2]).column(14, 2, 27, WOOD[4]).column(17, 2, 27, WOOD[0]).row(14, 2, 4, WOOD[5])
    for y, points in (
        (4, [(6, 4), (25, 4), (30, 8), (25, 11), (6, 11)]),
        (13, [(26, 13), (7, 13), (2, 17), (7, 20), (26, 20)]),
    ):
        post.polygon(points, WOOD[3])
        post.row(7, y, 18, WOOD[5]).row(7, y + 7, 18, WOOD[1]).row(9, y + 3, 12, WOOD[1]).row(11, y + 5, 9, WOOD[1])
    return Picture(floor.over(post.outline()))


@draws("notice board")
def notice_board(_ramp: Ramp, _variant: int) -> Picture:
    """Draw sheets of paper pinned under a small roof."""
    board = tiles(2, 2)
    for x in (8, 52):
        board.rect(x, 20, 4, 41, WOOD[2]).column(x, 20, 41, WOOD[4]).column(x + 3, 20, 41, WOOD[0])
    board.rect(6, 20, 52, 28, WOOD[1]).rect(8, 22, 48, 24, ORANGE[3]).rect(8, 22, 48, 2, ORANGE[1])
    board.rect(6, 46, 52, 3, WOOD[3]).row(6, 46, 52, WOOD[5]).row(6, 49, 52, WOOD[0])
    for x, y, width, height, pin in (
        (11, 26, 10, 13, RED),
        (24, 25, 13, 9, YELLOW),
        (25, 36, 9, 8, RED),
        (40, 27, 12, 15, LEAF),
    ):
        board.rect(x + 1, y + 1, width, height, ORANGE[1]).rect(x, y, width, height, WALL[4])
        for row in range(y + 3, y + height - 1, 2):
            board.row(x + 2, row, width - 4 - row % 3, WALL[1])
        board.rect(x + width // 2, y, 2, 2, pin[2])
    board.polygon([(2, 20), (8, 10), (55, 10), (61, 20)], WOOD[2]).rect(2, 18, 60, 3, WOOD[1]).row(8, 10, 48, WOOD[4])
    for x in range(8, 60, 8):
        board.line(x, 11, x - (32 - x) // 12 - 1, 17, WOOD[1])
    board.row(3, 18, 58, WOOD[3])
    return Picture(grounded(board))


@draws("mailbox")
def mailbox(ramp: Ramp, _variant: int) -> Picture:
    floor, box = shadow(tiles(1, 1), 18, 28, 8, 3), tiles(1, 1)
    box.rect(14, 18, 4, 11, WOOD[2]).column(14, 18, 11, WOOD[4]).column(17, 18, 11, WOOD[0])
    box.rect(7, 8, 18, 11, ramp[2]).ellipse(11, 9, 4.4, 5, ramp[2]).rect(11, 4, 14, 5, ramp[2]).rect(
        9, 4, 16, 2, ramp[3]
    )
    box.row(10, 4, 14, ramp[4]).rect(7, 17, 18, 2, ramp[1]).rect(7, 8, 8, 9, ramp[1]).rect(8, 9, 6, 7, ramp[3])
    box.row(9, 12, 4, ramp[0]).rect(26, 3, 2, 9, WHITE[2]).rect(26, 3, 4, 4, YELLOW[2]).row(26, 3, 4, YELLOW[3])
    return Picture(floor.over(box.outline()))


@draws("waste bin")
def waste_bin(_ramp: Ramp, _variant: int) -> Picture:
    floor, bin_ = shadow(tiles(1, 1), 17, 27, 10, 3), tiles(1, 1)
    bin_.polygon([(8, 10), (24, 10), (22, 27), (10, 27)], LEAF[1])
    for x in (10, 14, 18, 22):
        bin_.column(x, 11, 16, LEAF[0]).column(x + 1, 11, 15, LEAF[2])
    bin_.ellipse(16, 10, 9, 3.4, GREY[3]).ellipse(16, 10, 6.6, 2, GREY[0]).row(8, 18, 16, LEAF[0]).row(
        10, 9, 6, GREY[5]
    )
    bin_.rect(14, 7, 5, 3, WALL[4]).row(15, 6, 2, WALL[3])
    return Picture(floor.over(bin_.outline()))


@draws("shop sign")
def shop_sign(ramp: Ramp, variant: int) -> Picture:
    """Draw a painted board on a bracket, for the wall face of a shop."""
    sign = tiles(1, 1)
    sign.rect(3, 3, 24, 2, GREY[1]).row(3, 3, 24, GREY[3]).rect(3, 1, 2, 7, GREY[1])
    sign.column(9, 5, 4, GREY[2]).column(24, 5, 4, GREY[2])
    sign.rect(5, 9, 23, 16, WOOD[2]).rect(6, 10, 21, 14, ramp[2]).row(6, 10, 21, ramp[3]).row(6, 23, 21, ramp[1])
    SIGNS[variant % len(SIGNS)](sign)
    return Picture(sign.outline())


def _cup(sign: Canvas) -> None:
    sign.rect(11, 15, 8, 6, WALL[4]).row(12, 21, 6, WALL[3]).rect(19, 16, 2, 3, WALL[3]).dots(
        [(13, 12), (14, 13), (16, 12)], WALL[4]
    )


def _loaf(sign: Canvas) -> None:
    sign.ellipse(16.5, 17, 7, 4, ORANGE[3]).ellipse(16, 16, 5, 2, ORANGE[4])
    for x in (13, 16, 19):
        sign.line(x, 15, x + 1, 18, ORANGE[1])


def _book(sign: Canvas) -> None:
    sign.rect(10, 13, 6, 8, WALL[4]).rect(17, 13, 6, 8, WALL[4]).column(16, 13, 9, WALL[0])
    for y in (15, 17, 19):
        sign.row(11, y, 4, WALL[1]).row(18, y, 4, WALL[1])


def _cross(sign: Canvas) -> None:
    sign.rect(15, 12, 4, 10, WALL[4]).rect(12, 15, 10, 4, WALL[4])


def _tankard(sign: Canvas) -> None:
    sign.rect(12, 14, 8, 8, ORANGE[2]).column(13, 14, 8, ORANGE[4]).row(12, 21, 8, ORANGE[1]).rect(
        11, 12, 10, 3, WALL[4]
    )
    sign.row(20, 15, 3, ORANGE[3]).column(22, 16, 3, ORANGE[2]).row(20, 19, 3, ORANGE[1])


def _hammer(sign: Canvas) -> None:
    sign.rect(12, 12, 9, 4, WALL[4]).row(12, 15, 9, WALL[1]).rect(15, 16, 3, 6, ORANGE[3]).column(17, 16, 6, ORANGE[1])


SIGNS = (_cup, _loaf, _book, _cross, _tankard, _hammer)
"""Symbols of shop signs by variant; stamps.yaml names them in this order."""


@draws("flower pot")
def flower_pot(ramp: Ramp, variant: int) -> Picture:
    canvas = shadow(tiles(1, 1), 17, 28, 9, 3)
    pot = tiles(1, 1).polygon([(9, 19), (23, 19), (21, 28), (11, 28)], ORANGE[1]).rect(9, 20, 5, 7, ORANGE[2])
    pot.rect(8, 17, 16, 4, ORANGE[2]).row(8, 17, 16, ORANGE[3]).row(9, 21, 14, ORANGE[0])
    canvas.over(pot.outline())
    leafy(canvas, [(10, 13, 5), (21, 13, 5), (16, 10, 6), (16, 15, 5)], LEAF, 3 + variant % 3)
    _heads(canvas, ((7, 11), (13, 6), (19, 8), (22, 13), (14, 13)), ramp)
    return Picture(canvas)


def _heads(canvas: Canvas, places: tuple[tuple[int, int], ...], ramp: Ramp) -> None:
    """Draw round blossoms four pixels wide, each with a dark leaf under it."""
    for x, y in places:
        canvas.row(x - 1, y + 2, 4, LEAF[0]).rect(x, y - 1, 2, 4, ramp[3]).rect(x - 1, y, 4, 2, ramp[3])
        canvas.row(x, y + 2, 2, ramp[1]).column(x + 2, y, 2, ramp[2]).dot(x, y, YELLOW[3]).dot(x, y - 1, ramp[4])


@draws("flower box")
def flower_box(ramp: Ramp, variant: int) -> Picture:
    """Draw a trough of flowers."""
    canvas = tiles(2, 1).rect(5, 26, 57, 4, SHADOW)
    trough = tiles(2, 1).rect(4, 15, 56, 13, STONE[3]).rect(4, 15, 56, 4, STONE[4]).row(4, 15, 56, STONE[5])
    trough.rect(6, 17, 52, 2, SOIL[1]).row(4, 27, 56, STONE[1]).column(59, 16, 12, STONE[1]).rect(
        8, 22, 48, 2, STONE[2]
    )
    canvas.over(trough.outline())
    leafy(canvas, [(x, 12 + x // 8 % 2, 6) for x in range(9, 58, 8)], LEAF, 20 + variant % 3)
    _heads(canvas, tuple((4 + x * 2, 6 + y) for x, y in FLOWER_HEADS), ramp)
    _heads(canvas, tuple((13 + x * 2, 10 - y) for x, y in FLOWER_HEADS[:4]), WHITE if variant % 2 else ramp)
    return Picture(canvas)


@draws("bicycle")
def bicycle(ramp: Ramp, _variant: int) -> Picture:
    """Draw a bicycle on its stand, with a basket on the right."""
    floor, bike = tiles(2, 1).rect(12, 27, 44, 3, SHADOW), tiles(2, 1)
    for x in (16, 46):
        tyre = tiles(2, 1).ellipse(x, 19, 9.3, 9.3, GREY[0]).ellipse(x, 19, 7.3, 7.3, (0, 0, 0, 0))
        tyre.line(x - 6, 15, x + 6, 23, GREY[3]).line(x + 6, 15, x - 6, 23, GREY[3]).line(x, 12, x, 26, GREY[3])
        bike.over(tyre.rect(x - 1, 18, 3, 3, GREY[4]))
    for line in ((16, 19, 25, 9), (25, 9, 41, 9), (16, 19, 30, 20), (30, 20, 25, 8), (30, 20, 42, 8), (46, 19, 40, 4)):
        x0, y0, x1, y1 = line
        bike.line(x0, y0 + 1, x1, y1 + 1, ramp[1]).line(x0, y0, x1, y1, ramp[3])
    bike.rect(21, 4, 8, 3, WOOD[1]).row(21, 4, 8, WOOD[3]).rect(37, 2, 7, 2, GREY[1]).rect(35, 2, 3, 2, WOOD[2])
    bike.rect(44, 5, 11, 7, WOOD[4]).row(44, 5, 11, WOOD[5]).row(44, 8, 11, WOOD[2]).row(44, 11, 11, WOOD[1])
    bike.ellipse(30, 20, 2.4, 2.4, GREY[1]).row(28, 25, 5, GREY[1])
    return Picture(floor.over(bike))
