"""Furniture of an artist's studio."""

from collections.abc import Callable

from town_builder.art.canvas import Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.joinery import paint_outlined
from town_builder.art.palette import (
    BLUE,
    GRASS,
    GREY,
    LEAF,
    OAK,
    ORANGE,
    PINK,
    PURPLE,
    RED,
    TEAL,
    WATER,
    WHITE,
    WOOD,
    YELLOW,
    Ramp,
)


def _lake(on: Canvas) -> None:
    """Draw mountains over a lake in the evening."""
    on.rect(5, 14, 22, 23, ORANGE[4]).rect(5, 26, 22, 5, GRASS[4]).rect(5, 29, 22, 8, TEAL[3])
    on.polygon([(5, 29), (11, 19), (17, 29)], PURPLE[2]).polygon([(11, 19), (13, 23), (9, 23)], PURPLE[4])
    on.polygon([(14, 29), (20, 23), (26, 29)], PURPLE[1]).ellipse(22, 18, 3, 3, ORANGE[2])
    on.row(7, 33, 8, WATER[5]).row(17, 35, 8, WATER[5])


def _shapes(on: Canvas) -> None:
    """Draw an unfinished abstract of circles and bars."""
    on.ellipse(12, 22, 6, 6, RED[2]).ellipse(20, 29, 5, 5, YELLOW[3]).rect(8, 28, 10, 4, BLUE[2])
    on.line(7, 34, 25, 17, GREY[0]).line(7, 35, 25, 18, GREY[0]).rect(19, 17, 4, 4, TEAL[2]).row(8, 35, 14, PINK[2])


def _bouquet(on: Canvas) -> None:
    on.rect(13, 29, 6, 7, BLUE[2]).column(13, 29, 7, BLUE[3]).ellipse(15.5, 25, 6, 4, LEAF[2])
    for x, y, petals in ((11, 21, PINK), (16, 18, RED), (20, 22, YELLOW), (15, 24, PURPLE)):
        on.ellipse(x, y, 2.4, 2.4, petals[2]).dot(x - 1, y - 1, petals[4])


SUBJECTS: tuple[Callable[[Canvas], None], ...] = (_lake, _shapes, _bouquet)


@draws("easel")
def easel(_ramp: Ramp, variant: int) -> Picture:
    """Draw a canvas on three legs with an unfinished landscape, abstract or still life."""
    shape = tiles(1, 3)
    for x0, x1, step in ((6, 13, 2), (7, 14, 3), (25, 18, 1), (24, 17, 2)):
        shape.line(x0, 60, x1, 6, WOOD[step])
    shape.rect(15, 6, 2, 50, WOOD[1]).rect(14, 4, 4, 7, WOOD[3])
    shape.rect(3, 11, 26, 28, WHITE[1]).rect(4, 12, 24, 26, WHITE[4]).column(28, 12, 27, WHITE[0])
    SUBJECTS[variant % len(SUBJECTS)](shape)
    shape.rect(2, 39, 28, 4, WOOD[3]).row(2, 39, 28, WOOD[4]).row(2, 42, 28, WOOD[1])
    for x, paint in ((5, RED), (9, BLUE), (13, YELLOW)):
        shape.rect(x, 37, 3, 2, paint[2])
    return Picture(grounded(shape))


@draws("paint trolley")
def paint_trolley(ramp: Ramp, _variant: int) -> Picture:
    """Draw brushes in a mug, tubes and a palette."""
    shape = tiles(1, 1)
    shape.rect(4, 10, 24, 8, ramp[3]).row(4, 10, 24, ramp[4]).rect(4, 18, 24, 3, ramp[1])
    for x in (4, 25):
        shape.rect(x, 18, 3, 9, ramp[2]).rect(x, 27, 3, 2, GREY[1])
    shape.rect(6, 24, 20, 2, ramp[2])
    for x, paint in ((8, RED), (12, TEAL), (16, YELLOW), (20, PURPLE)):
        shape.rect(x, 21, 3, 3, paint[2])
    whole = grounded(shape)
    for x, paint in ((7, RED), (9, BLUE), (11, LEAF)):
        whole.line(x, 9, x - 1, 5, OAK[1]).rect(x - 1, 3, 1, 3, paint[2])
    paint_outlined(whole, lambda on: on.rect(6, 9, 7, 6, WHITE[3]).column(6, 9, 6, WHITE[4]))
    paint_outlined(whole, lambda on: on.ellipse(20, 14, 6, 3.2, OAK[2]).ellipse(20, 13.6, 5.4, 2.6, OAK[3]))
    return Picture(
        whole.dots([(17, 13)], RED[2]).dots([(20, 12)], BLUE[2]).dots([(23, 13)], YELLOW[2]).dots([(20, 15)], WHITE[4])
    )
