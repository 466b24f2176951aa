"""Open shelves against a wall, filled with books or goods that depend on the variant."""

from collections.abc import Callable

import numpy as np

from town_builder.art.canvas import Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.joinery import paint_outlined
from town_builder.art.furniture.trinkets import COVERS, bottle, jar, small_plant, vase
from town_builder.art.palette import (
    BLUE,
    GLASS,
    GREY,
    INK,
    LEAF,
    OAK,
    ORANGE,
    PINK,
    PURPLE,
    RED,
    SAND,
    TEAL,
    WALNUT,
    WHITE,
    WOOD,
    YELLOW,
    Ramp,
    mix,
)

BOARDS = (21, 38, 55)
"""Upper edge of each board, in pixels from the top; goods stand on it."""
ROOM = 13
"""Pixels between two boards."""

Filling = Callable[[Canvas, int, int, int, int], object]
"""(canvas, left, right, y of the board, seed): puts goods on the board."""


def case(across: int, ramp: Ramp) -> Canvas:
    """Draw an empty case with three boards, two wall rows high plus the tile in front."""
    shape, width = tiles(across, 3), across * 32
    shape.rect(1, 1, width - 2, 6, ramp[3]).row(1, 1, width - 2, ramp[4]).column(1, 1, 6, ramp[4])
    shape.rect(1, 7, width - 2, 53, ramp[2]).row(1, 6, width - 2, ramp[4]).row(1, 7, width - 2, ramp[1])
    for y in BOARDS:
        shape.rect(3, y - ROOM, width - 6, ROOM, ramp[0]).row(3, y - ROOM, width - 6, mix(ramp[0], INK, 0.5))
        shape.row(3, y, width - 6, ramp[3]).row(3, y + 1, width - 6, ramp[2]).row(3, y + 2, width - 6, ramp[1])
    shape.column(1, 8, 50, ramp[3]).column(width - 2, 8, 50, ramp[1])
    return shape.rect(1, 58, width - 2, 3, ramp[1])


def books(on: Canvas, left: int, right: int, y: int, seed: int) -> None:
    """Draw book spines in all colours and heights, with a few gaps."""
    chance, x = np.random.RandomState(seed), left
    while True:
        if chance.rand() < 0.1:
            x += chance.randint(2, 5)
            continue
        width, height = int(chance.randint(3, 6)), int(chance.randint(ROOM - 5, ROOM - 1))
        cover = COVERS[chance.randint(len(COVERS))]
        if x + width > right:
            return
        _spine(on, (x, y - height, width, height), cover)
        x += width


def _spine(on: Canvas, area: tuple[int, int, int, int], cover: Ramp) -> None:
    x, y, width, height = area
    on.rect(x, y, width, height, cover[2]).column(x, y, height, cover[3]).row(x, y, width, cover[3])
    on.column(x + width - 1, y, height, cover[1])
    if width > 3:
        on.row(x + 1, y + 3, width - 2, cover[4]).row(x + 1, y + height - 3, width - 2, cover[1])


def _box(on: Canvas, x: int, y: int, paint: Ramp) -> None:
    """Draw a packet with a pale label."""
    paint_outlined(
        on,
        lambda thing: (
            thing.rect(x, y - 9, 8, 9, paint[2])
            .row(x, y - 9, 8, paint[4])
            .column(x, y - 9, 9, paint[3])
            .rect(x + 2, y - 6, 4, 3, WHITE[4])
        ),
    )


def _tin(on: Canvas, x: int, y: int, paint: Ramp) -> None:
    """Draw a round tin with a stripe."""
    paint_outlined(
        on,
        lambda thing: (
            thing.rect(x, y - 7, 6, 7, GREY[3])
            .row(x, y - 7, 6, GREY[5])
            .rect(x, y - 5, 6, 4, paint[2])
            .column(x + 1, y - 5, 4, paint[3])
        ),
    )


def _loaf(on: Canvas, x: int, y: int) -> None:
    paint_outlined(
        on,
        lambda thing: (
            thing.ellipse(x + 4, y - 3, 5, 3, ORANGE[1])
            .ellipse(x + 3.5, y - 3.6, 4, 2, ORANGE[2])
            .dots([(x + 2, y - 4), (x + 4, y - 4), (x + 6, y - 4)], ORANGE[4])
        ),
    )


def _flask(on: Canvas, x: int, y: int, potion: Ramp) -> None:
    """Draw a chemist's flask, half full."""
    paint_outlined(
        on,
        lambda thing: (
            thing.rect(x + 2, y - 10, 2, 4, GLASS[3])
            .polygon([(x + 2, y - 7), (x + 3, y - 7), (x + 6, y - 1), (x, y - 1)], GLASS[3])
            .rect(x, y - 3, 7, 3, potion[2])
            .row(x + 1, y - 4, 5, potion[3])
            .row(x + 2, y - 11, 2, OAK[2])
        ),
    )


def _pill_box(on: Canvas, x: int, y: int) -> None:
    paint_outlined(
        on,
        lambda thing: (
            thing.rect(x, y - 7, 9, 7, WHITE[4])
            .column(x + 8, y - 7, 7, WHITE[1])
            .rect(x + 3, y - 6, 3, 5, RED[2])
            .rect(x + 2, y - 5, 5, 3, RED[2])
        ),
    )


def _hammer(on: Canvas, x: int, y: int) -> None:
    paint_outlined(
        on,
        lambda thing: (
            thing.rect(x + 3, y - 10, 2, 10, OAK[1])
            .column(x + 3, y - 10, 10, OAK[3])
            .rect(x, y - 12, 8, 4, GREY[2])
            .row(x, y - 12, 8, GREY[4])
        ),
    )


def _saw(on: Canvas, x: int, y: int) -> None:
    paint_outlined(
        on,
        lambda thing: (
            thing.polygon([(x, y - 7), (x + 13, y - 4), (x + 13, y - 2), (x, y - 1)], GREY[4])
            .dots([(x + k, y - 1) for k in range(1, 13, 2)], GREY[2])
            .rect(x - 4, y - 8, 5, 8, RED[1])
            .rect(x - 3, y - 6, 2, 4, WALNUT[0])
        ),
    )


def _paint(on: Canvas, x: int, y: int, paint: Ramp) -> None:
    """Draw a tin of paint with drips over the rim."""
    paint_outlined(
        on,
        lambda thing: (
            thing.rect(x, y - 8, 8, 8, GREY[3])
            .column(x, y - 8, 8, GREY[5])
            .rect(x, y - 9, 8, 3, paint[2])
            .row(x, y - 9, 8, paint[4])
            .rect(x + 2, y - 6, 2, 4, paint[2])
            .dot(x + 5, y - 6, paint[2])
        ),
    )


def _rope(on: Canvas, x: int, y: int) -> None:
    paint_outlined(
        on,
        lambda thing: (
            thing.ellipse(x + 5, y - 5, 5.4, 5, SAND[2])
            .ellipse(x + 5, y - 5, 3.6, 3.2, SAND[0])
            .ellipse(x + 5, y - 5, 2.6, 2.2, SAND[3])
            .ellipse(x + 5, y - 5, 1.2, 1, SAND[0])
        ),
    )


def tools(on: Canvas, left: int, right: int, y: int, seed: int) -> None:
    """Draw goods of a hardware store, in an order that depends on the seed."""
    _in_turn(on, (left, right, y), TOOLS, seed)


def groceries(on: Canvas, left: int, right: int, y: int, seed: int) -> None:
    """Draw bread, tins, packets, jars and bottles."""
    _in_turn(on, (left, right, y), GROCERIES, seed)


def medicines(on: Canvas, left: int, right: int, y: int, seed: int) -> None:
    """Draw flasks, jars and boxes with a red cross."""
    _in_turn(on, (left, right, y), MEDICINES, seed)


def spirits(on: Canvas, left: int, right: int, y: int, seed: int) -> None:
    """Draw closely packed bottles of all colours."""
    for k, x in enumerate(range(left + 2, right - 3, 7)):
        bottle(on, x, y - 1, BOTTLES[(k * 3 + seed) % len(BOTTLES)])


def keepsakes(on: Canvas, left: int, right: int, y: int, seed: int) -> None:
    """Draw a home shelf: some books with a few keepsakes."""
    dear = (small_plant, vase, jar, small_plant)[seed % 4]
    middle = left + 6 if seed % 2 else right - 7
    books(on, left + 14 if seed % 2 else left, right if seed % 2 else right - 14, y, seed * 7 + 1)
    if dear is jar:
        jar(jar(on, middle - 4, y - 1, BLUE), middle + 4, y - 1, ORANGE)
    else:
        dear(on, middle, y - 1)


Ware = tuple[int, Callable[[Canvas, int, int], object]]
"""Width in pixels of a thing, and the function that draws it with its left end at x and its foot on y."""
BOTTLES = (LEAF, ORANGE, BLUE, RED, TEAL, YELLOW, PURPLE)
TOOLS: tuple[Ware, ...] = (
    (10, _hammer),
    (10, lambda on, x, y: _paint(on, x, y, RED)),
    (10, lambda on, x, y: _paint(on, x, y, BLUE)),
    (19, lambda on, x, y: _saw(on, x + 4, y)),
    (12, _rope),
    (10, lambda on, x, y: _paint(on, x, y, YELLOW)),
    (10, lambda on, x, y: _box(on, x, y, TEAL)),
    (12, _rope),
    (10, lambda on, x, y: _paint(on, x, y, TEAL)),
)
GROCERIES: tuple[Ware, ...] = (
    (11, _loaf),
    (8, lambda on, x, y: _tin(on, x, y, RED)),
    (8, lambda on, x, y: _tin(on, x, y, TEAL)),
    (10, lambda on, x, y: _box(on, x, y, YELLOW)),
    (8, lambda on, x, y: jar(on, x + 2, y - 1, PINK)),
    (10, lambda on, x, y: _box(on, x, y, BLUE)),
    (7, lambda on, x, y: bottle(on, x + 1, y - 1, LEAF)),
    (7, lambda on, x, y: bottle(on, x + 1, y - 1, WHITE)),
    (11, _loaf),
    (10, lambda on, x, y: _box(on, x, y, ORANGE)),
    (8, lambda on, x, y: jar(on, x + 2, y - 1, ORANGE)),
)
MEDICINES: tuple[Ware, ...] = (
    (9, lambda on, x, y: _flask(on, x, y, TEAL)),
    (11, _pill_box),
    (8, lambda on, x, y: jar(on, x + 2, y - 1, BLUE)),
    (9, lambda on, x, y: _flask(on, x, y, PINK)),
    (7, lambda on, x, y: bottle(on, x + 1, y - 1, WOOD)),
    (8, lambda on, x, y: jar(on, x + 2, y - 1, TEAL)),
    (11, _pill_box),
    (7, lambda on, x, y: bottle(on, x + 1, y - 1, TEAL)),
    (9, lambda on, x, y: _flask(on, x, y, YELLOW)),
)


def _in_turn(on: Canvas, board: tuple[int, int, int], wares: tuple[Ware, ...], seed: int) -> None:
    """Put things along the board in turn, starting anywhere in the list; skip things that are too wide."""
    x, right, y = board
    x += 1
    for turn in range(len(wares)):
        width, draw = wares[(turn + seed * 4) % len(wares)]
        if x + width <= right:
            draw(on, x, y)
            x += width


def shelf_of(filling: Filling, across: int, ramp: Ramp, variant: int) -> Picture:
    """Draw a case with the same kind of goods on all boards, each board different."""
    shape = case(across, ramp)
    for board, y in enumerate(BOARDS):
        filling(shape, 4, across * 32 - 4, y, variant * 3 + board)
    return Picture(grounded(shape))


@draws("shelf")
def shelf(ramp: Ramp, variant: int) -> Picture:
    return shelf_of(keepsakes, 1, ramp, variant)


@draws("wide shelf")
def wide_shelf(ramp: Ramp, variant: int) -> Picture:
    return shelf_of(keepsakes, 2, ramp, variant)


@draws("bookshelf")
def bookshelf(ramp: Ramp, variant: int) -> Picture:
    return shelf_of(books, 2, ramp, variant)


@draws("tool shelf")
def tool_shelf(ramp: Ramp, variant: int) -> Picture:
    return shelf_of(tools, 2, ramp, variant)


@draws("grocery shelf")
def grocery_shelf(ramp: Ramp, variant: int) -> Picture:
    return shelf_of(groceries, 2, ramp, variant)


@draws("pharmacy shelf")
def pharmacy_shelf(ramp: Ramp, variant: int) -> Picture:
    return shelf_of(medicines, 2, ramp, variant)
