"""Counters: the shopkeeper stands on the first row, behind the things on the counter."""

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.joinery import BRASS, paint_outlined, with_cover
from town_builder.art.furniture.trinkets import bottle, cup, jar, plate, small_plant, till
from town_builder.art.palette import (
    BLUE,
    GLASS,
    GREY,
    LEAF,
    OAK,
    ORANGE,
    PINK,
    RED,
    SAND,
    STONE,
    TEAL,
    WALNUT,
    WHITE,
    YELLOW,
    Ramp,
    mix,
)

EDGE = 23
"""Back edge of a counter top, in pixels from the top; it covers the shopkeeper's feet."""
STAND = EDGE + 11
"""Lower edge of things on the counter, in pixels from the top."""


def _counter(across: int, down: int, front: Ramp, top: Ramp) -> Canvas:
    """Draw a counter with a panelled front."""
    shape, width = tiles(across, down), across * TILE - 2
    shape.rect(1, EDGE, width, 15, top[3]).row(1, EDGE, width, top[4]).column(1, EDGE, 15, top[4])
    shape.row(1, EDGE + 13, width, mix(top[3], top[4], 0.6)).rect(1, EDGE + 15, width, 3, top[2])
    shape.row(1, EDGE + 17, width, top[1]).rect(1, EDGE + 18, width, 20, front[2]).row(1, EDGE + 18, width, front[0])
    panels = across * 3 // 2
    each = (width - 2) // panels
    for x in (2 + panel * (width - 2) // panels for panel in range(panels)):
        shape.rect(x + 1, EDGE + 20, each - 3, 13, front[3]).row(x + 1, EDGE + 20, each - 3, front[4])
        shape.column(x + 1, EDGE + 20, 13, front[4]).row(x + 1, EDGE + 32, each - 3, front[1])
        shape.column(x + each - 3, EDGE + 20, 13, front[1])
    return grounded(shape.rect(1, EDGE + 35, width, 3, front[0]))


def _before_keeper(whole: Canvas) -> Picture:
    return with_cover(whole, (0, 0, whole.width, TILE))


def _espresso(on: Canvas, x: int, y: int) -> None:
    """Draw an espresso machine with cups, 24 pixels wide."""

    def paint(thing: Canvas) -> None:
        for k in range(3):
            thing.rect(x + 2 + k * 7, y - 20, 5, 3, WHITE[3]).row(x + 2 + k * 7, y - 20, 5, WHITE[4])
        thing.rect(x, y - 17, 24, 17, GREY[3]).row(x, y - 17, 24, GREY[5]).column(x, y - 17, 17, GREY[4])
        thing.rect(x, y - 15, 24, 3, RED[2]).row(x, y - 15, 24, RED[3]).rect(x + 2, y - 12, 20, 9, GREY[0])
        for left in (x + 5, x + 15):
            thing.rect(left, y - 12, 4, 2, GREY[4]).column(left + 1, y - 10, 2, WALNUT[2])
            thing.rect(left - 1, y - 7, 6, 4, WHITE[4]).row(left - 1, y - 7, 6, WALNUT[1])
        thing.rect(x, y - 3, 24, 3, GREY[2]).row(x, y - 3, 24, GREY[4]).dot(x + 21, y - 16, TEAL[3])

    paint_outlined(on, paint)


CAKES = ((4, PINK), (12, WALNUT), (20, YELLOW))
"""Positions and colours of the cakes in the show case."""


def _show_case(on: Canvas, x: int, y: int) -> None:
    """Draw two shelves of cakes behind glass, 28 pixels wide."""

    def paint(thing: Canvas) -> None:
        thing.rect(x, y - 20, 28, 19, GLASS[2]).row(x, y - 20, 28, WHITE[4]).row(x + 1, y - 11, 26, GLASS[0])
        for floor, shift in ((y - 12, 0), (y - 3, 1)):
            for k, (left, _) in enumerate(CAKES):
                dough = CAKES[(k + shift) % 3][1]
                thing.rect(x + left - 1, floor - 3, 6, 4, dough[2]).row(x + left - 1, floor - 4, 6, WHITE[4])
                thing.row(x + left - 1, floor - 3, 6, dough[3]).dot(x + left + 1, floor - 5, RED[2])
        thing.rect(x, y - 1, 28, 2, GREY[2]).line(x + 2, y - 18, x + 7, y - 13, WHITE[4])

    paint_outlined(on, paint)


@draws("cafe counter")
def cafe_counter(ramp: Ramp, _variant: int) -> Picture:
    whole = _counter(4, 2, ramp, STONE[1:])
    _espresso(whole, 6, STAND + 3)
    cup(cup(whole, 37, STAND), 45, STAND + 1, BLUE)
    _show_case(whole, 56, STAND)
    till(whole, 101, STAND)
    return _before_keeper(small_plant(whole, 118, STAND, PINK))


@draws("pastry counter")
def pastry_counter(ramp: Ramp, _variant: int) -> Picture:
    """Draw the other half of a long cafe counter: bread, cakes under glass, cups and jars; no till."""
    whole = _counter(4, 2, ramp, STONE[1:])
    _basket(whole, 14, STAND)
    _show_case(whole, 28, STAND)
    plate(plate(whole, 70, STAND, PINK), 84, STAND + 1, ORANGE)
    cup(cup(whole, 98, STAND, TEAL), 107, STAND + 1)
    return _before_keeper(jar(whole, 118, STAND, YELLOW))


def _taps(on: Canvas, x: int, y: int) -> None:
    """Draw three beer taps."""

    def paint(thing: Canvas) -> None:
        thing.rect(x, y - 12, 22, 4, BRASS).row(x, y - 12, 22, YELLOW[4]).rect(x + 9, y - 9, 4, 10, YELLOW[2])
        thing.column(x + 9, y - 9, 10, YELLOW[4]).rect(x + 5, y - 1, 12, 2, YELLOW[1])
        for k, ale in enumerate((RED, WHITE, TEAL)):
            thing.rect(x + 2 + k * 7, y - 19, 3, 7, ale[2]).column(x + 2 + k * 7, y - 19, 7, ale[3])
            thing.rect(x + 3 + k * 7, y - 8, 2, 3, GREY[3])

    paint_outlined(on, paint)


def _beer(on: Canvas, x: int, y: int) -> None:
    paint_outlined(
        on,
        lambda thing: (
            thing.rect(x, y - 7, 6, 8, YELLOW[2])
            .column(x + 1, y - 5, 5, YELLOW[3])
            .rect(x, y - 8, 6, 3, WHITE[4])
            .rect(x + 6, y - 5, 2, 4, GLASS[2])
        ),
    )


@draws("bar counter")
def bar_counter(ramp: Ramp, _variant: int) -> Picture:
    whole = _counter(4, 2, ramp, OAK)
    whole.row(2, 57, 124, BRASS).row(2, 58, 124, YELLOW[1])
    _taps(whole, 52, STAND)
    for x in (8, 20):
        _beer(whole, x, STAND)
    paint_outlined(
        whole, lambda on: on.ellipse(36, STAND - 3, 6, 3.4, WHITE[2]).ellipse(36, STAND - 4, 4.6, 1.8, ORANGE[2])
    )
    bottle(bottle(whole, 84, STAND, LEAF), 92, STAND, RED)
    return _before_keeper(till(whole, 114, STAND))


@draws("pub counter")
def pub_counter(ramp: Ramp, _variant: int) -> Picture:
    """Draw the other half of a long bar: glasses, bottles and snacks; no taps, no till."""
    whole = _counter(4, 2, ramp, OAK)
    whole.row(2, 57, 124, BRASS).row(2, 58, 124, YELLOW[1])
    bottle(bottle(bottle(whole, 12, STAND, RED), 20, STAND, LEAF), 28, STAND, ORANGE)
    for x in (48, 60, 100):
        _beer(whole, x, STAND)
    return _before_keeper(small_plant(plate(whole, 80, STAND, ORANGE), 118, STAND, TEAL))


def _scales(on: Canvas, x: int, y: int) -> None:
    """Draw shop scales with a round dial and two apples in the pan."""

    def paint(thing: Canvas) -> None:
        thing.rect(x - 6, y - 3, 13, 4, RED[2]).row(x - 6, y - 3, 13, RED[3]).rect(x - 2, y - 6, 5, 3, GREY[2])
        thing.ellipse(x, y - 9, 5, 5, GREY[4]).ellipse(x, y - 9, 3.4, 3.4, WHITE[4]).line(
            x, y - 9, x + 2, y - 11, RED[2]
        )
        thing.rect(x - 7, y - 16, 15, 2, GREY[3]).row(x - 7, y - 16, 15, GREY[5])
        thing.ellipse(x - 2, y - 18, 2.4, 2.2, RED[2]).ellipse(x + 3, y - 18, 2.4, 2.2, LEAF[3])

    paint_outlined(on, paint)


def _basket(on: Canvas, x: int, y: int) -> None:
    """Draw long loaves in a basket."""

    def paint(thing: Canvas) -> None:
        for k in range(3):
            thing.line(x - 5 + k * 4, y - 4, x - 3 + k * 4, y - 14, ORANGE[2])
            thing.line(x - 4 + k * 4, y - 4, x - 2 + k * 4, y - 14, ORANGE[3])
        thing.rect(x - 8, y - 6, 17, 7, SAND[1]).row(x - 8, y - 6, 17, SAND[3])
        thing.dots([(x - 6 + k * 3, y - 3 + k % 2) for k in range(5)], SAND[0])

    paint_outlined(on, paint)


def _mortar(on: Canvas, x: int, y: int) -> None:
    paint_outlined(
        on,
        lambda thing: (
            thing.line(x + 1, y - 5, x + 5, y - 13, WHITE[3])
            .line(x + 2, y - 5, x + 6, y - 13, WHITE[1])
            .polygon([(x - 6, y - 7), (x + 6, y - 7), (x + 3, y), (x - 3, y)], STONE[3])
            .row(x - 6, y - 7, 13, STONE[5])
            .rect(x - 4, y, 9, 1, STONE[1])
        ),
    )


def _toolbox(on: Canvas, x: int, y: int) -> None:
    paint_outlined(
        on,
        lambda thing: (
            thing.rect(x - 5, y - 12, 11, 2, GREY[2])
            .column(x - 5, y - 12, 4, GREY[2])
            .column(x + 5, y - 12, 4, GREY[2])
            .rect(x - 10, y - 8, 21, 9, RED[2])
            .row(x - 10, y - 8, 21, RED[4])
            .row(x - 10, y - 5, 21, RED[1])
            .rect(x - 1, y - 6, 3, 3, BRASS)
        ),
    )


def _paint_pot(on: Canvas, x: int, y: int, paint: Ramp) -> None:
    def pot(thing: Canvas) -> None:
        thing.rect(x - 4, y - 8, 8, 9, GREY[3]).rect(x - 4, y - 9, 8, 3, paint[2]).column(x - 4, y - 6, 7, GREY[5])

    paint_outlined(on, pot)


@draws("shop counter")
def shop_counter(ramp: Ramp, _variant: int) -> Picture:
    whole = _counter(3, 3, ramp, OAK)
    till(whole, 76, STAND)
    jar(jar(whole, 12, STAND, PINK), 22, STAND, YELLOW)
    return _before_keeper(small_plant(whole, 45, STAND))


@draws("long shop counter")
def long_shop_counter(ramp: Ramp, _variant: int) -> Picture:
    whole = _counter(4, 3, ramp, OAK)
    till(whole, 106, STAND)
    plate(jar(jar(whole, 12, STAND, PINK), 22, STAND, TEAL), 42, STAND, ORANGE)
    return _before_keeper(small_plant(whole, 66, STAND))


@draws("grocery counter")
def grocery_counter(ramp: Ramp, _variant: int) -> Picture:
    whole = _counter(4, 3, ramp, OAK)
    _scales(whole, 16, STAND)
    _basket(whole, 45, STAND)
    jar(jar(whole, 68, STAND, PINK), 78, STAND, ORANGE)
    return _before_keeper(till(whole, 108, STAND))


@draws("pharmacy counter")
def pharmacy_counter(ramp: Ramp, _variant: int) -> Picture:
    """Draw a white counter with a green cross on its front."""
    whole = _counter(3, 3, ramp, STONE[1:])
    whole.rect(42, 43, 12, 13, WHITE[4]).rect(46, 44, 4, 11, TEAL[2]).rect(43, 47, 10, 5, TEAL[2])
    _mortar(whole, 16, STAND)
    jar(bottle(jar(whole, 34, STAND, TEAL), 44, STAND, TEAL), 53, STAND, PINK)
    return _before_keeper(till(whole, 80, STAND))


@draws("supply counter")
def supply_counter(ramp: Ramp, _variant: int) -> Picture:
    whole = _counter(3, 3, ramp, OAK)
    _toolbox(whole, 17, STAND)
    _paint_pot(whole, 41, STAND, BLUE)
    _paint_pot(whole, 51, STAND, YELLOW)
    return _before_keeper(till(whole, 80, STAND))
