"""Stock of shops and cellars: bottles behind a bar, fruit, barrels, crates, sacks."""

from town_builder.art.canvas import Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.joinery import BRASS, box, door, paint_outlined
from town_builder.art.furniture.shelves import spirits
from town_builder.art.furniture.trinkets import fruit
from town_builder.art.palette import (
    GLASS,
    GREY,
    LEAF,
    ORANGE,
    PURPLE,
    RED,
    SAND,
    WHITE,
    YELLOW,
    Ramp,
    mix,
)

CROPS = ((RED, 3), (ORANGE, 3), (LEAF, 3), (YELLOW, 3), (PURPLE, 2))
"""Colour and radius in pixels of apples, oranges, pears, lemons and plums."""


@draws("back bar")
def back_bar(ramp: Ramp, variant: int) -> Picture:
    """Draw two rows of bottles in front of a mirror, with cupboards below."""
    shape = tiles(3, 2)
    shape.rect(1, 1, 94, 5, ramp[3]).row(1, 1, 94, ramp[4]).rect(1, 6, 94, 32, ramp[2]).row(1, 6, 94, ramp[1])
    shape.rect(3, 8, 90, 28, mix(GLASS[0], ramp[0], 0.55))
    for x in (14, 44, 74):
        shape.line(x, 34, x + 12, 9, mix(GLASS[1], ramp[0], 0.4)).line(
            x + 2, 34, x + 14, 9, mix(GLASS[1], ramp[0], 0.4)
        )
    for board, y in enumerate((21, 36)):
        shape.rect(3, y, 90, 2, ramp[3]).row(3, y + 1, 90, ramp[1])
        spirits(shape, 5, 92, y, variant + board * 2)
    shape.rect(1, 38, 94, 4, ramp[3]).row(1, 38, 94, ramp[4]).rect(1, 42, 94, 16, ramp[2]).row(1, 42, 94, ramp[1])
    for k in range(6):
        door(shape, (2 + k * 15 + k // 2, 44, 14, 13), ramp, knob="left" if k % 2 else "right")
    return Picture(grounded(shape.rect(1, 58, 94, 3, ramp[0])))


def _heap(on: Canvas, x: int, y: int, width: int, crop: tuple[Ramp, int]) -> None:
    """Draw rows of round fruit, nearer ones over farther ones."""
    ramp, radius = crop
    for row in range(3):
        for left in range(x + radius + row % 2 * radius, x + width - radius + 1, radius * 2):
            fruit(on, left, y + row * 4, ramp, radius=radius - 0.4)


@draws("fruit stand")
def fruit_stand(ramp: Ramp, variant: int) -> Picture:
    """Draw three sloping crates with price tags; the variant chooses the fruit."""
    shape = tiles(2, 2)
    shape.rect(1, 3, 62, 17, ramp[0]).row(1, 3, 62, ramp[3])
    for k in range(3):
        _heap(shape, 2 + k * 20, 8, 19, CROPS[(variant + k) % len(CROPS)])
    for k in range(3):
        x = 1 + k * 21
        shape.rect(x, 19, 20, 6, ramp[3]).row(x, 19, 20, ramp[4]).row(x, 24, 20, ramp[1]).column(x + 19, 3, 21, ramp[2])
        shape.rect(x + 6, 20, 8, 4, WHITE[4]).row(x + 8, 22, 4, GREY[1])
    shape.rect(2, 25, 60, 3, ramp[1])
    for x in (2, 57):
        shape.rect(x, 25, 5, 5, ramp[2]).column(x, 25, 5, ramp[3])
    return Picture(grounded(shape))


def _barrel(on: Canvas, x: int, y: int, ramp: Ramp) -> None:
    """Draw an upright barrel 24 pixels wide, with its lid at y."""
    on.rect(x + 1, y + 3, 23, 20, ramp[2]).rect(x, y + 7, 25, 12, ramp[2]).column(x, y + 8, 10, ramp[3])
    for stave in range(x + 5, x + 24, 5):
        on.column(stave, y + 6, 17, ramp[1]).column(stave + 1, y + 6, 17, mix(ramp[2], ramp[3], 0.5))
    on.rect(x, y + 8, 25, 2, GREY[1]).row(x, y + 8, 25, GREY[3]).rect(x, y + 17, 25, 2, GREY[1]).row(
        x, y + 17, 25, GREY[3]
    )
    on.ellipse(x + 12, y + 3, 11.6, 3.6, ramp[1]).ellipse(x + 12, y + 2.6, 10, 2.8, ramp[3])
    on.row(x + 5, y + 2, 8, ramp[4]).row(x + 9, y + 4, 9, ramp[2])


@draws("barrels")
def barrels(ramp: Ramp, _variant: int) -> Picture:
    whole = tiles(2, 1)
    for x, y in ((4, 4), (34, 6)):
        shape = tiles(2, 1)
        _barrel(shape, x, y, ramp)
        if x == 4:
            shape.rect(x + 11, y + 12, 3, 4, BRASS).dot(x + 12, y + 16, YELLOW[1])
        whole.over(grounded(shape))
    return Picture(whole)


def _crate(on: Canvas, x: int, y: int, size: int, ramp: Ramp) -> None:
    box(on, (x, y, size, size), size // 3, ramp)
    for board in range(y + size // 3 + 5, y + size - 2, 6):
        on.row(x + 1, board, size - 2, ramp[1]).row(x + 1, board + 1, size - 2, ramp[3])
    for post in (x, x + size - 4):
        on.rect(post, y + size // 3, 4, size - size // 3, ramp[3]).column(
            post + 3, y + size // 3 + 1, size // 2, ramp[1]
        )


@draws("crates")
def crates(ramp: Ramp, _variant: int) -> Picture:
    whole = tiles(2, 1)
    for x, y, size in ((3, 4, 25), (33, 8, 21)):
        shape = tiles(2, 1)
        _crate(shape, x, y, size, ramp)
        whole.over(grounded(shape))
    paint_outlined(whole, lambda on: on.rect(38, 9, 10, 5, SAND[3]).row(38, 9, 10, SAND[4]).row(40, 11, 6, SAND[0]))
    return Picture(whole)


@draws("sacks")
def sacks(_ramp: Ramp, _variant: int) -> Picture:
    """Draw an open sack of flour and a tied sack of grain."""
    whole = tiles(1, 1)
    tied = tiles(1, 1).ellipse(20, 18, 9, 9.4, SAND[1]).ellipse(19, 17, 7.6, 8, SAND[2]).rect(16, 5, 8, 5, SAND[2])
    tied.row(16, 5, 8, SAND[3]).column(23, 6, 4, SAND[0]).rect(16, 9, 8, 2, RED[2]).row(16, 10, 8, RED[1])
    tied.row(14, 14, 5, SAND[4]).line(26, 15, 27, 21, SAND[0])
    whole.over(grounded(tied))
    full = (
        tiles(1, 1).ellipse(10.5, 22, 8.6, 7.4, SAND[1]).ellipse(9.5, 21, 7.4, 6.4, SAND[2]).rect(3, 15, 16, 5, SAND[2])
    )
    full.ellipse(10.5, 15, 8.6, 4, SAND[3]).ellipse(10.5, 15, 6.8, 2.8, SAND[0]).ellipse(10.5, 15.4, 6, 2.2, WHITE[3])
    full.row(7, 14, 6, WHITE[4]).line(17, 20, 17, 26, SAND[0]).rect(7, 21, 6, 5, SAND[3]).row(8, 23, 4, LEAF[1])
    return Picture(whole.over(grounded(full)))


@draws("wine rack")
def wine_rack(ramp: Ramp, variant: int) -> Picture:
    """Draw bottles lying in a lattice, seen from their ends."""
    shape = tiles(1, 2)
    shape.rect(2, 14, 28, 45, ramp[0]).rect(1, 10, 30, 6, ramp[3]).row(1, 10, 30, ramp[4]).row(1, 15, 30, ramp[1])
    for row, y in enumerate(range(21, 58, 8)):
        shape.row(2, y + 4, 28, ramp[2])
        for column, x in enumerate((7, 15, 24)):
            glass = (LEAF, RED, PURPLE, LEAF)[(row * 2 + column + variant) % 4]
            shape.ellipse(x, y, 3.2, 3.2, glass[1]).ellipse(x - 0.5, y - 0.5, 1.6, 1.6, glass[2]).dot(
                x - 1, y - 1, glass[4]
            )
    shape.column(2, 16, 43, ramp[3]).column(11, 16, 43, ramp[2]).column(20, 16, 43, ramp[2]).column(29, 16, 43, ramp[1])
    return Picture(grounded(shape.rect(1, 58, 30, 3, ramp[2]).row(1, 58, 30, ramp[3])))
