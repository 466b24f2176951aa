"""Musical instruments, with a seat for the player."""

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.chairs import RIM, stool
from town_builder.art.furniture.joinery import BRASS, paint_outlined, with_cover
from town_builder.art.palette import GREY, INK, ORANGE, RED, WALNUT, WHITE, WOOD, YELLOW, Ramp, mix, ramp

LACQUER = ramp("#1f1526", "#3a2433", "#5a3638", "#7d4f45", "#a9755a")
"""Dark red-brown of the piano."""


def _seat(whole: Canvas, cushion: Ramp) -> Picture:
    """Draw a stool on the first use tile, south of the instrument."""
    whole.over(stool(cushion, WALNUT), 0, 2 * TILE)
    return with_cover(whole, (0, 2 * TILE + RIM[1], TILE, RIM[3]))


def _keys(on: Canvas, y: int) -> None:
    on.rect(4, y, 56, 8, WHITE[4]).row(4, y + 7, 56, WHITE[1])
    for x in range(4, 60, 4):
        on.column(x, y, 8, WHITE[1])
    for key, x in enumerate(range(7, 58, 4)):
        if key % 7 not in {2, 6}:
            on.rect(x, y, 2, 5, INK)


@draws("piano")
def piano(_ramp: Ramp, _variant: int) -> Picture:
    shape, wood = tiles(2, 3), LACQUER
    shape.rect(2, 3, 60, 6, wood[3]).row(2, 3, 60, wood[4]).rect(2, 9, 60, 21, wood[2]).row(2, 9, 60, wood[1])
    for x in (5, 34):
        shape.rect(x, 12, 24, 14, wood[1]).row(x, 12, 24, wood[0]).row(x, 26, 24, wood[3])
    shape.rect(21, 10, 22, 13, WHITE[3]).row(21, 10, 22, WHITE[4]).column(31, 10, 13, WHITE[1])
    for y in (13, 15, 18, 20):
        shape.row(23, y, 7, GREY[2]).row(33, y, 8, GREY[2])
    shape.rect(19, 23, 26, 2, wood[4]).rect(1, 29, 62, 4, wood[3]).row(1, 29, 62, wood[4])
    _keys(shape, 33)
    for x in (1, 60):
        shape.rect(x, 33, 3, 10, wood[2]).row(x, 33, 3, wood[4])
    shape.rect(1, 41, 62, 3, wood[1]).rect(4, 44, 56, 14, wood[1]).rect(6, 46, 52, 10, mix(wood[1], wood[0], 0.5))
    for x in (1, 58):
        shape.rect(x, 42, 5, 18, wood[2]).column(x, 42, 18, wood[3])
    shape.rect(29, 55, 2, 4, YELLOW[2]).rect(33, 55, 2, 4, YELLOW[2]).rect(6, 57, 52, 2, wood[0])
    whole = grounded(shape)
    paint_outlined(whole, lambda on: on.polygon([(9, 2), (11, 2), (13, 8), (7, 8)], WOOD[3]).column(10, 3, 4, BRASS))
    return _seat(whole, RED)


@draws("guitar")
def guitar(_ramp: Ramp, variant: int) -> Picture:
    """Draw a guitar on its stand; odd variants are red."""
    shape, body = tiles(1, 3), RED if variant % 2 else ORANGE
    shape.line(8, 59, 14, 46, GREY[1]).line(23, 59, 17, 46, GREY[1]).line(9, 59, 15, 46, GREY[2])
    shape.rect(14, 10, 4, 26, WALNUT[1]).column(15, 10, 26, WALNUT[3]).rect(13, 4, 6, 8, WALNUT[2])
    for y in (5, 8):
        shape.dot(12, y, GREY[4]).dot(19, y, GREY[4])
    shape.ellipse(15.5, 38, 7, 6.4, body[2]).ellipse(15.5, 48, 9, 8, body[2]).ellipse(14, 47, 5.8, 5, body[3])
    shape.ellipse(14, 36.5, 3.2, 2.8, body[3]).ellipse(15.5, 42, 2.8, 2.8, WALNUT[0]).rect(12, 50, 8, 2, WALNUT[1])
    shape.column(15, 12, 39, YELLOW[4]).column(16, 12, 39, YELLOW[2])
    for y in (16, 21, 26, 31):
        shape.row(14, y, 4, GREY[3])
    return Picture(grounded(shape))


@draws("harp")
def harp(_ramp: Ramp, _variant: int) -> Picture:
    shape, gold = tiles(1, 3), YELLOW
    for k, x in enumerate(range(9, 25, 3)):
        shape.line(x, 12 + k // 2, x, 52 - k * 5, WHITE[3] if k % 2 else ORANGE[3])
    shape.polygon([(3, 6), (6, 6), (8, 56), (4, 56)], gold[2]).line(3, 8, 4, 54, gold[4])
    shape.polygon([(27, 14), (30, 17), (11, 57), (6, 57)], gold[2]).line(26, 16, 8, 55, gold[3]).line(
        29, 18, 11, 56, gold[1]
    )
    shape.polygon([(3, 5), (10, 8), (18, 6), (27, 9), (30, 15), (27, 17), (19, 10), (10, 12), (3, 9)], gold[2])
    shape.line(4, 5, 10, 8, gold[4]).line(10, 8, 18, 6, gold[4]).line(18, 6, 27, 9, gold[4])
    shape.ellipse(5, 5, 3.2, 3.2, gold[3]).dot(5, 5, gold[1]).rect(2, 56, 16, 4, gold[1]).row(2, 56, 16, gold[3])
    return _seat(grounded(shape), RED)


@draws("microphone")
def microphone(_ramp: Ramp, _variant: int) -> Picture:
    """Draw a microphone in front of the singer, with a loudspeaker that faces the audience."""
    shape = tiles(1, 2)
    shape.rect(3, 38, 13, 21, GREY[1]).rect(3, 35, 13, 4, GREY[2]).row(3, 35, 13, GREY[3]).column(3, 39, 20, GREY[2])
    shape.ellipse(9, 43.5, 3.2, 3, GREY[0]).ellipse(9, 43.5, 1.4, 1.2, GREY[3])
    shape.ellipse(9, 52, 5, 5, GREY[0]).ellipse(9, 52, 3.4, 3.4, GREY[2]).ellipse(9, 52, 1.6, 1.6, GREY[0])
    stand = tiles(1, 2)
    stand.ellipse(24, 56, 6, 3, GREY[1]).ellipse(24, 55, 5, 2, GREY[2]).rect(23, 24, 2, 31, GREY[3])
    stand.column(23, 24, 31, GREY[5]).line(23, 26, 19, 21, GREY[3]).line(24, 26, 20, 21, GREY[2])
    head = tiles(1, 2).ellipse(18.5, 19.5, 2.6, 2.6, GREY[4]).dots([(18, 18), (17, 19)], GREY[5])
    whole = grounded(shape.over(stand))
    paint_outlined(whole, lambda on: on.over(head.rect(20, 21, 2, 2, RED[2])))
    return with_cover(whole, (14, 15, 18, 46))


@draws("gramophone")
def gramophone(ramp: Ramp, _variant: int) -> Picture:
    """Draw a gramophone on a small cupboard, with its brass horn towards the room."""
    shape = tiles(1, 2)
    shape.rect(4, 40, 24, 19, ramp[2]).rect(4, 34, 24, 7, ramp[3]).row(4, 34, 24, ramp[4]).row(4, 41, 24, ramp[1])
    for k, cover in enumerate((RED, YELLOW, WOOD, GREY, ORANGE)):
        shape.rect(7 + k * 4, 46, 3, 10, cover[2]).column(7 + k * 4, 46, 10, cover[3])
    shape.rect(4, 58, 24, 2, ramp[0])
    whole = grounded(shape)
    paint_outlined(whole, lambda on: on.ellipse(13, 36, 7, 2.6, GREY[0]).ellipse(13, 36, 2, 1, RED[2]))

    def horn(on: Canvas) -> None:
        on.polygon([(12, 8), (28, 8), (24, 22), (22, 34), (19, 34), (19, 22)], YELLOW[2])
        on.ellipse(19.5, 13, 10.4, 8.6, YELLOW[2]).ellipse(19.5, 13, 8.4, 6.8, YELLOW[1]).ellipse(20, 14, 5, 4, WOOD[1])
        on.fill(on.oval(18.5, 12, 10, 8) & ~on.oval(19.5, 13, 9.4, 7.6), YELLOW[4])

    return Picture(paint_outlined(whole, horn))
