"""Small things on tables, counters and shelves. (x, y) is the bottom centre of a thing."""

from town_builder.art.canvas import Canvas
from town_builder.art.furniture.joinery import BRASS, paint_outlined
from town_builder.art.palette import (
    BLUE,
    GLASS,
    GREY,
    LEAF,
    OAK,
    ORANGE,
    PINK,
    PURPLE,
    RED,
    TEAL,
    WALNUT,
    WHITE,
    YELLOW,
    Ramp,
    mix,
)

COVERS = (RED, BLUE, TEAL, YELLOW, PURPLE, ORANGE, PINK, GREY)
"""Colours of book covers and jar labels."""


def lamp(on: Canvas, x: int, y: int, shade: Ramp = TEAL) -> Canvas:
    """Draw a lit table lamp."""

    def paint(thing: Canvas) -> None:
        thing.polygon([(x - 3, y - 17), (x + 2, y - 17), (x + 5, y - 9), (x - 6, y - 9)], shade[2])
        thing.line(x - 3, y - 16, x - 5, y - 10, shade[3]).row(x - 3, y - 17, 6, shade[3])
        thing.row(x - 6, y - 9, 12, shade[1]).row(x - 4, y - 8, 8, YELLOW[4])
        thing.rect(x - 1, y - 7, 2, 6, GREY[3]).rect(x - 4, y - 1, 8, 2, GREY[1]).row(x - 4, y - 1, 8, GREY[3])

    return paint_outlined(on, paint)


def cup(on: Canvas, x: int, y: int, glaze: Ramp = WHITE) -> Canvas:
    """Draw a cup of coffee with its handle on the right."""

    def paint(thing: Canvas) -> None:
        thing.rect(x - 2, y - 4, 5, 5, glaze[3]).column(x - 2, y - 4, 5, glaze[4]).row(x - 2, y - 4, 5, WALNUT[1])
        thing.dots([(x + 3, y - 3), (x + 3, y - 1)], glaze[2]).dot(x + 4, y - 2, glaze[2])

    return paint_outlined(on, paint)


def plate(on: Canvas, x: int, y: int, cake: Ramp | None = None) -> Canvas:
    """Draw a plate, with a slice of cake if its colour is given."""
    paint_outlined(on, lambda thing: thing.ellipse(x, y - 2, 5, 2.6, WHITE[3]).ellipse(x, y - 2.4, 3, 1.4, WHITE[2]))
    if cake:
        paint_outlined(on, lambda thing: thing.rect(x - 2, y - 5, 5, 3, cake[2]).row(x - 2, y - 5, 5, cake[4]))
    return on


def papers(on: Canvas, x: int, y: int) -> Canvas:
    """Draw two written sheets and a pencil."""

    def paint(thing: Canvas) -> None:
        thing.rect(x - 7, y - 7, 11, 8, WHITE[2]).row(x - 7, y - 7, 11, WHITE[3])
        thing.rect(x - 4, y - 9, 11, 9, WHITE[4]).row(x - 2, y - 7, 7, BLUE[2])
        thing.row(x - 2, y - 5, 5, WHITE[0]).row(x - 2, y - 3, 6, WHITE[0]).column(x + 6, y - 8, 8, WHITE[2])

    paint_outlined(on, paint)
    return on.line(x + 4, y - 1, x + 9, y - 7, YELLOW[2]).dot(x + 9, y - 7, PINK[2])


def book_lying(on: Canvas, x: int, y: int, seed: int = 0) -> Canvas:
    """Draw two closed books on top of each other."""
    lower, upper = COVERS[seed % 8], COVERS[(seed + 3) % 8]

    def paint(thing: Canvas) -> None:
        for cover, left, top in ((lower, x - 5, y - 2), (upper, x - 4, y - 5)):
            thing.rect(left, top, 10, 3, cover[2]).row(left, top, 10, cover[3]).row(left + 1, top + 1, 8, WHITE[3])

    return paint_outlined(on, paint)


def book_open(on: Canvas, x: int, y: int) -> Canvas:
    """Draw an open book with curled pages."""

    def paint(thing: Canvas) -> None:
        thing.rect(x - 8, y - 6, 17, 7, RED[1]).rect(x - 7, y - 7, 15, 7, WHITE[4])
        thing.column(x, y - 7, 7, WHITE[1]).column(x - 1, y - 6, 6, WHITE[2])
        for row in (y - 5, y - 3):
            thing.row(x - 5, row, 4, WHITE[0]).row(x + 2, row, 4, WHITE[0])

    return paint_outlined(on, paint)


def vase(on: Canvas, x: int, y: int, petals: Ramp = PINK, glaze: Ramp = BLUE) -> Canvas:
    """Draw three flowers in a vase."""

    def paint(thing: Canvas) -> None:
        thing.line(x, y - 5, x, y - 10, LEAF[1]).line(x, y - 5, x - 3, y - 9, LEAF[2]).line(
            x, y - 5, x + 3, y - 8, LEAF[2]
        )
        for left, top in ((x - 4, y - 11), (x - 1, y - 13), (x + 2, y - 10)):
            thing.rect(left, top, 3, 3, petals[2]).dot(left, top, petals[3]).dot(left + 1, top + 1, YELLOW[3])
        thing.rect(x - 2, y - 5, 5, 6, glaze[2]).column(x - 2, y - 5, 6, glaze[3]).row(x - 1, y, 3, glaze[1])

    return paint_outlined(on, paint)


def small_plant(on: Canvas, x: int, y: int, pot: Ramp = ORANGE) -> Canvas:
    """Draw a round green plant in a small pot."""

    def paint(thing: Canvas) -> None:
        thing.rect(x - 3, y - 5, 8, 6, pot[1]).row(x - 4, y - 5, 9, pot[3]).column(x - 3, y - 4, 5, pot[2])
        thing.ellipse(x + 0.5, y - 9, 5.4, 4.6, LEAF[2]).ellipse(x - 0.5, y - 10, 3.4, 3, LEAF[3])
        thing.dots([(x - 2, y - 12), (x + 3, y - 9), (x, y - 7)], LEAF[4]).dots(
            [(x + 2, y - 12), (x - 3, y - 8)], LEAF[1]
        )

    return paint_outlined(on, paint)


def till(on: Canvas, x: int, y: int) -> Canvas:
    """Draw a cash register with its keys and drawer towards the customers."""

    def paint(thing: Canvas) -> None:
        thing.rect(x - 6, y - 16, 12, 7, GREY[2]).row(x - 6, y - 16, 12, GREY[3])
        thing.rect(x - 5, y - 15, 10, 4, TEAL[1]).row(x - 4, y - 13, 6, TEAL[4])
        thing.rect(x - 8, y - 10, 16, 8, GREY[2]).row(x - 8, y - 10, 16, GREY[4])
        for k in range(4):
            thing.dots([(x - 5 + k * 3, y - 7), (x - 5 + k * 3, y - 5)], WHITE[4] if k < 3 else RED[3])
        thing.rect(x - 8, y - 3, 16, 4, GREY[0]).row(x - 8, y - 3, 16, GREY[1]).row(x - 2, y - 1, 4, BRASS)

    return paint_outlined(on, paint)


def bottle(on: Canvas, x: int, y: int, glass: Ramp = TEAL) -> Canvas:
    """Draw a bottle with a pale label and a cork, six pixels wide with its outline."""

    def paint(thing: Canvas) -> None:
        thing.rect(x - 1, y - 7, 4, 8, glass[1]).column(x - 1, y - 7, 8, glass[3]).rect(x, y - 10, 2, 3, glass[1])
        thing.row(x, y - 11, 2, OAK[2]).rect(x - 1, y - 4, 4, 3, WHITE[3]).dot(x + 2, y - 3, glass[2])

    return paint_outlined(on, paint)


def jar(on: Canvas, x: int, y: int, content: Ramp = YELLOW) -> Canvas:
    """Draw a glass jar with a lid, two thirds full."""

    def paint(thing: Canvas) -> None:
        thing.rect(x - 2, y - 6, 6, 7, content[2]).row(x - 2, y - 6, 6, GLASS[2]).row(x - 2, y - 5, 6, GLASS[2])
        thing.column(x - 2, y - 6, 7, mix(content[3], WHITE[4], 0.4)).rect(x - 2, y - 8, 6, 2, content[1])
        thing.row(x - 2, y - 8, 6, content[3]).rect(x, y - 3, 3, 2, WHITE[4])

    return paint_outlined(on, paint)


def fruit(on: Canvas, x: int, y: int, peel: Ramp, *, radius: float = 2.6) -> Canvas:
    """Draw one round fruit; here (x, y) is its centre."""
    return paint_outlined(on, lambda thing: thing.ellipse(x, y, radius, radius, peel[2]).dot(x - 1, y - 1, peel[4]))


def game_pad(on: Canvas, x: int, y: int, shell: Ramp = GREY) -> Canvas:
    """Draw a controller with two coloured buttons."""

    def paint(thing: Canvas) -> None:
        thing.rect(x - 4, y - 3, 9, 4, shell[3]).row(x - 3, y - 4, 7, shell[4]).dot(x - 2, y - 2, shell[0])
        thing.dot(x + 2, y - 2, RED[2]).dot(x + 3, y - 3, BLUE[2])

    return paint_outlined(on, paint)
