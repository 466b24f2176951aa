"""Games, sport and toys."""

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.joinery import box, door, leg, paint_outlined, with_cover
from town_builder.art.furniture.trinkets import game_pad, small_plant
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
    WATER,
    WHITE,
    WOOD,
    YELLOW,
    Ramp,
    mix,
)


def _cushion(ramp: Ramp) -> Canvas:
    shape = Canvas(TILE, TILE)
    shape.ellipse(15.5, 22, 11.4, 6.4, ramp[1]).ellipse(15.5, 20, 11.4, 6.4, ramp[2]).ellipse(14.5, 19, 8, 4, ramp[3])
    return grounded(shape.row(10, 17, 7, ramp[4]).dot(15, 20, ramp[1]), 3)


def _screen(on: Canvas) -> None:
    """Draw a wide screen with a platform game: sky, hills, a hero, a coin."""
    on.rect(12, 5, 40, 26, GREY[0]).row(12, 5, 40, GREY[2]).rect(14, 7, 36, 21, WATER[3]).rect(14, 7, 36, 6, WATER[4])
    on.ellipse(24, 24, 8, 5, LEAF[3]).ellipse(40, 25, 8, 4, LEAF[2]).rect(14, 24, 36, 5, ORANGE[1])
    on.row(14, 24, 36, LEAF[4]).rect(14, 28, 38, 3, GREY[0]).rect(19, 11, 8, 3, WHITE[4]).rect(38, 10, 6, 2, WHITE[4])
    on.rect(30, 19, 4, 5, RED[2]).rect(30, 17, 4, 2, SAND[3]).rect(40, 15, 3, 4, YELLOW[2]).column(41, 15, 4, YELLOW[4])
    on.rect(26, 31, 12, 3, GREY[1]).row(26, 31, 12, GREY[2])


@draws("game console")
def game_console(ramp: Ramp, _variant: int) -> Picture:
    """Draw a screen on a low board with two cushions in front of it."""
    shape = tiles(2, 3)
    box(shape, (1, 30, 62, 29), 10, ramp)
    shape.rect(4, 43, 34, 13, ramp[0])
    door(shape, (40, 42, 21, 15), ramp, knob="left")
    shape.rect(2, 59, 5, 2, ramp[0]).rect(57, 59, 5, 2, ramp[0])
    whole = grounded(shape)
    paint_outlined(whole, _screen)
    paint_outlined(
        whole,
        lambda on: on.rect(8, 48, 16, 7, GREY[1]).row(8, 48, 16, GREY[3]).dot(21, 51, TEAL[4]).row(10, 52, 6, GREY[0]),
    )
    for k, game in enumerate((RED, YELLOW, BLUE)):
        whole.rect(27 + k * 3, 46, 3, 10, game[2]).column(27 + k * 3, 46, 10, game[3])
    game_pad(game_pad(whole, 9, 38, GREY), 56, 38, RED)
    for k, cloth in enumerate((PURPLE, ORANGE)):
        whole.over(_cushion(cloth), k * TILE, 2 * TILE)
    return with_cover(whole, (0, 2 * TILE + 23, 2 * TILE, 6))


def _disc(on: Canvas, x: int, y: int, height: int, paint: Ramp) -> None:
    """Draw a weight at the end of a bar, seen from the side."""
    on.rect(x, y - height // 2, 4, height, paint[1]).column(x, y - height // 2, height, paint[3])
    on.column(x + 1, y - height // 2, height, paint[2])


def _dumbbell(on: Canvas, x: int, paint: Ramp) -> None:
    """Draw a hand weight on the mat."""

    def bell(thing: Canvas) -> None:
        thing.rect(x, 54, 12, 2, GREY[4]).rect(x, 51, 3, 7, paint[2]).rect(x + 9, 51, 3, 7, paint[1])

    paint_outlined(on, bell)


@draws("lifting weight")
def lifting_weight(_ramp: Ramp, _variant: int) -> Picture:
    """Draw a rack with a heavy bar behind a mat with small weights."""
    mat = tiles(2, 2)
    mat.rect(2, 36, 60, 25, BLUE[1]).rect(3, 37, 58, 22, BLUE[2]).row(3, 37, 58, BLUE[3]).row(2, 60, 60, BLUE[0])
    whole = mat.outline()
    rack = tiles(2, 2)
    for x in (15, 45):
        rack.rect(x, 6, 4, 32, GREY[1]).column(x, 6, 32, GREY[3]).rect(x - 3, 38, 10, 3, GREY[1]).row(
            x - 3, 38, 10, GREY[2]
        )
        rack.rect(x - 1, 18, 3, 3, GREY[4])
    rack.rect(15, 30, 32, 3, GREY[1]).row(15, 30, 32, GREY[2])
    whole.over(grounded(rack))

    def bar(on: Canvas) -> None:
        on.rect(3, 16, 58, 2, GREY[4]).row(3, 17, 58, GREY[2])
        for x, height, paint in ((9, 20, RED), (5, 14, YELLOW), (51, 20, RED), (55, 14, YELLOW)):
            _disc(on, x, 17, height, paint)

    paint_outlined(whole, bar)
    _dumbbell(whole, 6, TEAL)
    _dumbbell(whole, 44, PINK)
    paint_outlined(
        whole, lambda on: on.ellipse(32, 52, 5, 4.6, GREY[1]).rect(29, 44, 7, 5, GREY[1]).rect(31, 46, 3, 3, BLUE[2])
    )
    whole.dots([(30, 50), (29, 51)], GREY[4])
    return Picture(whole)


BALLS = (
    (54, 20, WHITE),
    (90, 16, RED),
    (94, 20, YELLOW),
    (94, 12, BLUE),
    (98, 16, PURPLE),
    (98, 24, ORANGE),
    (66, 38, GREY),
)
"""x and y from the top left corner of the table."""


@draws("pool table")
def pool_table(ramp: Ramp, _variant: int) -> Picture:
    """Draw a pool table with cloth in the stamp's colour; its north edge covers the players' feet."""
    shape = tiles(5, 4)
    for x in (32, 120):
        leg(shape, x, 86, 8, WOOD, width=8)
    box(shape, (28, 25, 104, 64), 52, WOOD)
    shape.rect(34, 30, 92, 42, ramp[2]).row(34, 30, 92, ramp[1]).column(34, 30, 42, ramp[1]).row(34, 71, 92, ramp[3])
    shape.rect(36, 32, 88, 38, mix(ramp[2], ramp[3], 0.3)).column(58, 32, 38, ramp[3])
    for x in (34, 80, 125):
        for y in (30, 71):
            shape.ellipse(x, y, 4.2, 3.6, INK)
    whole = grounded(shape)
    for x, y, paint in BALLS:
        whole.ellipse(x, y + 31, 2.2, 2.2, paint[1]).ellipse(x - 0.3, y + 30.5, 1.7, 1.7, paint[2]).dot(
            x - 1, y + 30, WHITE[4]
        )
    whole.line(40, 66, 74, 56, OAK[4]).line(40, 67, 62, 60, OAK[1]).dot(75, 56, BLUE[3])
    return with_cover(whole, (0, 24, 5 * TILE, TILE - 24))


@draws("toy box")
def toy_box(ramp: Ramp, _variant: int) -> Picture:
    """Draw an open chest with a bear, a ball and bricks."""
    shape = tiles(1, 1)
    shape.ellipse(10, 10, 5, 5, WOOD[3]).ellipse(6.5, 5.5, 2, 2, WOOD[3]).ellipse(13.5, 5.5, 2, 2, WOOD[3])
    shape.dots([(8, 9), (12, 9)], INK).row(9, 12, 3, OAK[4]).ellipse(22, 11, 5, 5, RED[2]).rect(17, 10, 10, 2, WHITE[4])
    shape.dot(20, 8, RED[4]).rect(3, 13, 26, 4, ramp[0])
    shape.rect(2, 15, 28, 14, ramp[2]).row(2, 15, 28, ramp[4]).row(2, 16, 28, ramp[3]).row(2, 28, 28, ramp[1])
    shape.polygon(
        [(15.5, 18), (17, 21), (20, 21), (18, 23), (19, 26), (15.5, 24), (12, 26), (13, 23), (11, 21), (14, 21)],
        YELLOW[3],
    )
    return Picture(grounded(shape.column(29, 17, 11, ramp[1])))


@draws("aquarium")
def aquarium(ramp: Ramp, _variant: int) -> Picture:
    """Draw a tank with three fish, weed and gravel on a low cupboard."""
    shape = tiles(2, 2)
    box(shape, (2, 36, 60, 23), 6, ramp)
    door(shape, (4, 44, 28, 13), ramp)
    door(shape, (32, 44, 28, 13), ramp, knob="left")
    shape.rect(3, 59, 5, 2, ramp[0]).rect(56, 59, 5, 2, ramp[0])
    whole = grounded(shape)
    paint_outlined(whole, _tank)
    return Picture(small_plant(whole, 56, 41))


def _tank(on: Canvas) -> None:
    on.rect(5, 11, 44, 28, WATER[3]).rect(5, 14, 44, 8, WATER[4]).rect(5, 10, 44, 3, GREY[1]).row(5, 10, 44, GREY[3])
    on.row(6, 14, 42, WATER[5]).rect(5, 34, 44, 4, SAND[2]).dots([(x, 35 + x % 3) for x in range(7, 48, 5)], SAND[0])
    for x, height in ((10, 14), (13, 10), (41, 16), (44, 9)):
        on.rect(x, 34 - height, 2, height, LEAF[2]).dots([(x + 2, 34 - k) for k in range(2, height, 4)], LEAF[3])
        on.dots([(x - 1, 34 - k) for k in range(4, height, 4)], LEAF[3])
    for x, y, paint in ((19, 19, ORANGE), (30, 26, YELLOW), (33, 18, PINK)):
        on.ellipse(x, y, 3.4, 2.2, paint[2]).rect(x + 3, y - 2, 2, 5, paint[1]).dot(x - 2, y - 1, INK).row(
            x - 1, y - 1, 3, paint[4]
        )
    on.dots([(15, 18), (16, 15), (27, 22), (26, 19)], WHITE[4]).line(8, 31, 20, 15, GLASS[3]).rect(
        5, 38, 44, 2, GREY[1]
    )
