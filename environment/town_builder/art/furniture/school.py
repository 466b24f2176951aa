"""Classroom furniture. A blackboard covers both rows of the wall."""

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.chairs import BACK, chair_north
from town_builder.art.furniture.joinery import box, grain, leg, paint_outlined, with_cover
from town_builder.art.furniture.trinkets import book_lying, book_open, papers
from town_builder.art.palette import BLUE, PINK, TEAL, WHITE, WOOD, YELLOW, Ramp, mix, ramp

SLATE = ramp("#223a40", "#2c4a4a", "#3b5d58", "#a8c9b8", "#e4ead0")
"""Shadow, ground and smudges of the board, and two strengths of chalk."""


def _board(across: int) -> Canvas:
    """Draw an empty board in its frame, with chalk and sponge on the ledge."""
    shape, width = tiles(across, 3), across * 32 - 8
    shape.rect(4, 20, width, 36, WOOD[2]).row(4, 20, width, WOOD[4]).column(4, 20, 36, WOOD[3])
    shape.rect(7, 23, width - 6, 30, SLATE[1]).row(7, 23, width - 6, SLATE[0]).column(7, 23, 30, SLATE[0])
    shape.ellipse(width * 0.55, 40, width * 0.3, 7, mix(SLATE[1], SLATE[2], 0.45))
    shape.rect(4, 54, width, 4, WOOD[3]).row(4, 54, width, WOOD[5]).row(4, 57, width, WOOD[1])
    shape.row(13, 53, 5, WHITE[4]).row(20, 53, 4, YELLOW[3]).row(26, 53, 4, PINK[3])
    return shape.rect(width - 8, 51, 7, 3, TEAL[3]).row(width - 8, 51, 7, TEAL[4])


def _lines(on: Canvas, x: int, y: int, *lengths: int) -> None:
    for k, length in enumerate(lengths):
        on.row(x, y + 4 * k, length, SLATE[3]).row(x + length // 3, y + 4 * k, 2, SLATE[1])


@draws("blackboard")
def blackboard(_ramp: Ramp, variant: int) -> Picture:
    shape = _board(2)
    _lines(shape, 12, 28, 17, 11, 14)
    if variant % 2:
        for k, height in enumerate((5, 9, 7, 13)):
            shape.rect(36 + k * 5, 48 - height, 3, height, (YELLOW[3], PINK[3], BLUE[3], SLATE[4])[k])
        shape.row(34, 48, 22, SLATE[4])
    else:
        shape.line(35, 47, 43, 29, SLATE[4]).line(43, 29, 54, 47, SLATE[4]).row(35, 47, 20, SLATE[4])
        shape.row(12, 45, 18, PINK[3]).row(12, 48, 12, SLATE[3])
    return Picture(shape.outline())


@draws("long blackboard")
def long_blackboard(_ramp: Ramp, _variant: int) -> Picture:
    shape = _board(4)
    _lines(shape, 12, 28, 26, 18, 22, 12)
    shape.row(12, 47, 20, PINK[3])
    shape.line(50, 48, 50, 28, SLATE[4]).row(50, 48, 30, SLATE[4])
    for x0, y0, x1, y1 in ((51, 45, 58, 43), (58, 43, 66, 36), (66, 36, 78, 29)):
        shape.line(x0, y0, x1, y1, YELLOW[3])
    shape.line(90, 46, 97, 30, SLATE[4]).line(97, 30, 108, 46, SLATE[4]).row(90, 46, 19, SLATE[4])
    _lines(shape, 104, 28, 12, 9)
    return Picture(shape.outline())


@draws("podium")
def podium(ramp: Ramp, _variant: int) -> Picture:
    """Draw a lectern with notes; the speaker stands behind it."""
    shape = tiles(1, 2)
    shape.rect(5, 34, 22, 25, ramp[2]).column(5, 34, 25, ramp[3]).column(26, 34, 25, ramp[1])
    shape.rect(8, 38, 16, 15, mix(ramp[2], ramp[1], 0.5)).row(8, 38, 16, ramp[1]).row(8, 53, 16, ramp[3])
    shape.ellipse(15.5, 45, 4, 4, YELLOW[2]).ellipse(15.5, 45, 2, 2, YELLOW[4]).rect(3, 57, 26, 3, ramp[1])
    shape.row(3, 57, 26, ramp[3])
    shape.polygon([(4, 25), (27, 25), (29, 34), (2, 34)], ramp[3]).row(4, 25, 24, ramp[4]).rect(2, 33, 28, 3, ramp[1])
    whole = grounded(shape)
    paint_outlined(
        whole, lambda on: on.rect(9, 26, 13, 7, WHITE[4]).column(15, 26, 7, WHITE[1]).row(10, 28, 4, BLUE[2])
    )
    return with_cover(whole, (0, 24, TILE, 8))


@draws("school desk")
def school_desk(ramp: Ramp, variant: int) -> Picture:
    """Draw a pupil's desk with a chair on its south side."""
    shape = tiles(1, 2)
    for x in (3, 25):
        leg(shape, x, 23, 9, ramp)
    box(shape, (1, 5, 30, 21), 15, ramp)
    shape.rect(4, 22, 24, 3, ramp[0])
    whole = grounded(grain(shape, (3, 7, 26, 12), ramp))
    if variant % 3 == 0:
        book_open(whole, 14, 17)
    elif variant % 3 == 1:
        papers(whole, 14, 17)
    else:
        book_lying(whole, 11, 15, variant)
    whole.over(chair_north(ramp, BLUE), 0, TILE)
    return with_cover(whole, (0, TILE + BACK[1], TILE, BACK[3]))
