"""Plants, lamps, fireplaces and things that stand near doors."""

import math

from town_builder.art.canvas import Canvas, noise
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.joinery import BRASS, paint_outlined
from town_builder.art.furniture.trinkets import vase
from town_builder.art.palette import (
    BLUE,
    BRICK,
    GREY,
    INK,
    LEAF,
    OAK,
    ORANGE,
    PINK,
    RED,
    STONE,
    TEAL,
    WALNUT,
    WHITE,
    WOOD,
    YELLOW,
    Ramp,
    mix,
)


def _pot(on: Canvas, ramp: Ramp) -> None:
    on.polygon([(8, 46), (23, 46), (21, 59), (10, 59)], ramp[2]).line(20, 48, 19, 58, ramp[1]).line(
        21, 48, 20, 58, ramp[1]
    )
    on.line(11, 48, 12, 57, ramp[3]).rect(7, 43, 18, 4, ramp[3]).row(7, 43, 18, ramp[4]).row(7, 47, 18, ramp[1])


def _fronds(on: Canvas, variant: int) -> None:
    """Draw nine arched fronds, the outer ones darker."""
    for k in (0, 8, 1, 7, 2, 6, 3, 5, 4):
        angle = -math.pi / 2 + (k - 4) * 0.34
        reach = 19 + 8 * noise("frond", variant, k)
        step = LEAF[1] if k in {0, 8} else LEAF[2] if k % 2 else LEAF[3]
        for i in range(20):
            t = i / 19
            x, y = (
                15.5 + math.cos(angle) * reach * 0.68 * t,
                42 + math.sin(angle) * reach * 1.2 * t + 7 * t * t * abs(k - 4) / 3,
            )
            on.rect(round(x), round(y), 2, 2, step)
            if i > 5 and i % 3 == 0:
                on.row(round(x) - 2, round(y) + 1, 6, step).dot(round(x), round(y), LEAF[4])


def _broad_leaves(on: Canvas, variant: int) -> None:
    """Draw a rubber tree: large oval leaves, wider apart at the bottom."""
    on.rect(15, 20, 2, 24, WOOD[1])
    for k in range(8):
        side = -1 if k % 2 else 1
        x, y = 15.5 + side * (8.5 - k * 0.8 + 1.5 * noise("leaf", variant, k)), 37 - k * 3.6
        size = 5.4 - k * 0.25
        on.line(15, round(y) + 3, round(x), round(y), WOOD[2])
        on.ellipse(x, y, size, size * 0.62, LEAF[1]).ellipse(x - 0.5, y - 0.8, size - 0.9, size * 0.45, LEAF[2])
        on.row(round(x) - 3, round(y) - 1, 5, LEAF[3]).dot(round(x) - 2, round(y) - 2, LEAF[4])
    on.ellipse(15.5, 8, 3, 4.4, LEAF[2]).column(15, 5, 6, LEAF[4]).column(14, 6, 4, LEAF[3])


def _cactus(on: Canvas, _variant: int) -> None:
    on.rect(12, 18, 8, 26, LEAF[2]).ellipse(15.5, 18, 4, 4.4, LEAF[2]).rect(6, 26, 4, 8, LEAF[2]).rect(
        6, 31, 8, 4, LEAF[2]
    )
    on.rect(22, 22, 4, 9, LEAF[2]).rect(19, 28, 6, 4, LEAF[2])
    for x in (13, 16):
        on.column(x, 17, 26, LEAF[3])
    on.column(18, 18, 26, LEAF[1]).column(7, 26, 6, LEAF[3]).column(23, 22, 7, LEAF[3])
    on.dots([(14, 22), (17, 27), (14, 32), (17, 37)], WHITE[4]).rect(14, 12, 4, 3, PINK[2]).dots(
        [(15, 12), (24, 21)], PINK[3]
    )


PLANTS = (_fronds, _broad_leaves, _cactus)


@draws("potted plant")
def potted_plant(ramp: Ramp, variant: int) -> Picture:
    """Draw a palm, a rubber tree or a cactus, by variant."""
    shape = tiles(1, 2)
    PLANTS[variant % 3](shape, variant)
    pot = tiles(1, 2)
    _pot(pot, ramp)
    return Picture(grounded(shape.outline(strength=0.25).over(pot.outline())))


@draws("floor lamp")
def floor_lamp(ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(1, 2)
    shape.rect(15, 20, 2, 38, GREY[1]).column(15, 20, 38, GREY[3]).ellipse(15.5, 57.5, 8, 2.6, GREY[1])
    shape.ellipse(15.5, 56.5, 7, 2, GREY[2])
    shape.polygon([(10, 5), (21, 5), (26, 21), (5, 21)], ramp[3]).polygon(
        [(10, 5), (13, 5), (10, 21), (5, 21)], ramp[4]
    )
    shape.polygon([(19, 5), (21, 5), (26, 21), (22, 21)], ramp[2]).row(10, 5, 12, ramp[4]).row(5, 21, 22, ramp[1])
    return Picture(grounded(shape.row(8, 22, 16, YELLOW[4]).column(20, 23, 7, BRASS)))


@draws("coat rack")
def coat_rack(ramp: Ramp, variant: int) -> Picture:
    """Draw a coat, a scarf and a hat on a stand."""
    coat, scarf = ((BLUE, RED), (RED, TEAL), (TEAL, YELLOW))[variant % 3]
    shape = tiles(1, 2)
    shape.rect(15, 6, 3, 52, ramp[2]).column(15, 6, 52, ramp[4]).line(9, 59, 15, 52, ramp[2]).line(
        23, 59, 17, 52, ramp[1]
    )
    for x0, x1 in ((15, 8), (17, 24)):
        shape.line(x0, 14, x1, 9, ramp[2]).line(x0, 13, x1, 8, ramp[3])
    shape.ellipse(16, 5, 2.4, 2.4, ramp[3])
    whole = grounded(shape)
    paint_outlined(
        whole,
        lambda on: on.polygon([(5, 12), (11, 10), (15, 14), (14, 42), (4, 42)], coat[2]).line(6, 14, 5, 40, coat[3]),
    )
    whole.column(10, 16, 26, coat[1]).dots([(11, 22), (11, 29), (11, 36)], BRASS)
    paint_outlined(
        whole, lambda on: on.rect(21, 12, 4, 24, scarf[2]).column(21, 12, 24, scarf[3]).rect(21, 31, 4, 2, scarf[4])
    )
    paint_outlined(
        whole, lambda on: on.rect(19, 7, 11, 3, WALNUT[2]).rect(21, 3, 7, 4, WALNUT[3]).row(21, 6, 7, RED[2])
    )
    return Picture(whole)


def _flames(on: Canvas) -> None:
    for x, height, tint in (
        (26, 12, RED[2]),
        (37, 12, RED[2]),
        (31, 17, ORANGE[2]),
        (28, 9, ORANGE[3]),
        (36, 9, ORANGE[3]),
        (32, 11, YELLOW[3]),
    ):
        on.polygon([(x - 4, 55), (x, 55 - height), (x + 4, 55)], tint).ellipse(x, 53, 3.6, 3, tint)
    on.ellipse(32, 53, 2.4, 2.6, YELLOW[4])
    for x, y, width in ((21, 55, 22), (24, 52, 8)):
        on.rect(x, y, width, 3, WALNUT[2]).row(x, y, width, WALNUT[3]).rect(x, y, 2, 3, OAK[2])


@draws("fireplace")
def fireplace(_ramp: Ramp, _variant: int) -> Picture:
    """Draw bricks, a stone mantel with a clock and a vase, and burning logs."""
    shape = tiles(2, 2)
    shape.rect(8, 1, 48, 58, BRICK[2])
    for row, y in enumerate(range(2, 58, 5)):
        shape.row(8, y + 4, 48, BRICK[1])
        for x in range(10 + row % 2 * 5, 56, 10):
            shape.column(x, y, 4, BRICK[1]).row(x + 2, y, min(5, 53 - x), mix(BRICK[3], BRICK[2], 0.4))
    shape.column(8, 1, 58, BRICK[3]).column(55, 1, 58, BRICK[1])
    shape.rect(3, 24, 58, 4, STONE[4]).row(3, 24, 58, STONE[5]).rect(3, 28, 58, 3, STONE[2]).row(3, 30, 58, STONE[1])
    shape.rect(16, 35, 32, 24, INK).rect(18, 33, 28, 3, INK).rect(18, 38, 28, 20, mix(INK, RED[1], 0.35))
    _flames(shape)
    shape.rect(4, 58, 56, 3, STONE[3]).row(4, 58, 56, STONE[5])
    whole = grounded(shape)
    paint_outlined(
        whole, lambda on: on.rect(27, 13, 10, 12, WOOD[2]).row(28, 12, 8, WOOD[4]).ellipse(31.5, 18, 3.6, 3.6, WHITE[4])
    )
    whole.column(31, 16, 3, INK).row(31, 18, 3, INK)
    return Picture(vase(vase(whole, 13, 25, PINK, TEAL), 50, 25, YELLOW, BLUE))


@draws("umbrella stand")
def umbrella_stand(ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(1, 1)
    for x0, x1, cloth in ((12, 10, RED), (16, 16, BLUE), (19, 21, YELLOW)):
        shape.line(x0, 18, x1, 6, cloth[2]).line(x0 + 1, 18, x1 + 1, 6, cloth[1]).row(x1 - 1, 3, 3, WOOD[3]).column(
            x1, 3, 4, WOOD[2]
        )
    shape.rect(9, 15, 14, 14, ramp[2]).row(9, 15, 14, ramp[4]).column(9, 15, 14, ramp[3]).column(22, 16, 13, ramp[1])
    return Picture(grounded(shape.row(9, 20, 14, ramp[1]).row(9, 21, 14, ramp[3]).row(9, 28, 14, ramp[1])))


@draws("menu board")
def menu_board(ramp: Ramp, _variant: int) -> Picture:
    """Draw a folding slate with the day's dishes."""
    shape = tiles(1, 2)
    shape.polygon([(7, 20), (24, 20), (28, 59), (3, 59)], ramp[2]).line(7, 20, 3, 58, ramp[4]).row(7, 20, 18, ramp[4])
    shape.polygon([(9, 24), (22, 24), (25, 52), (6, 52)], mix(TEAL[0], INK, 0.3)).row(5, 57, 22, ramp[1])
    shape.row(11, 27, 10, YELLOW[3]).dots([(10, 28), (21, 28)], YELLOW[3])
    for k, width in enumerate((8, 11, 7, 10)):
        shape.row(10 - k // 2, 32 + k * 4, width, WHITE[3]).row(20 + k // 2, 32 + k * 4, 2, PINK[3])
    paint_outlined(shape, lambda on: on.rect(12, 47, 6, 3, WHITE[4]).row(12, 47, 6, WOOD[2]))
    return Picture(grounded(shape))


@draws("grandfather clock")
def grandfather_clock(ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(1, 2)
    shape.polygon([(7, 5), (15.5, 1), (24, 5), (24, 8), (7, 8)], ramp[3]).rect(7, 6, 18, 18, ramp[2]).row(
        6, 6, 20, ramp[4]
    )
    shape.ellipse(15.5, 15, 7, 7, ramp[0]).ellipse(15.5, 15, 6, 6, WHITE[4]).column(15, 10, 6, INK).row(
        15, 15, 4, RED[2]
    )
    shape.dots([(15, 9), (21, 15), (10, 15), (15, 21)], GREY[1])
    shape.rect(9, 24, 14, 26, ramp[2]).column(9, 24, 26, ramp[3]).column(22, 24, 26, ramp[1]).rect(
        12, 27, 8, 20, ramp[0]
    )
    shape.column(15, 27, 12, YELLOW[1]).ellipse(15.5, 41, 2.6, 2.6, YELLOW[3]).dot(15, 40, YELLOW[4])
    shape.rect(7, 49, 18, 10, ramp[2]).row(7, 49, 18, ramp[4]).rect(10, 52, 12, 5, ramp[1])
    return Picture(grounded(shape.rect(6, 58, 20, 2, ramp[1])))


@draws("cat basket")
def cat_basket(ramp: Ramp, variant: int) -> Picture:
    """Draw a cat asleep on a cushion: ginger, grey or black."""
    fur = (ORANGE, STONE, GREY)[variant % 3]
    shape = tiles(1, 1)
    shape.ellipse(15.5, 20, 13, 8, OAK[1]).ellipse(15.5, 18, 13, 8, OAK[2]).ellipse(15.5, 17, 11, 6, ramp[2])
    shape.row(7, 14, 12, ramp[3])
    for x in range(5, 28, 4):
        shape.dot(x, 23, OAK[4]).dot(x + 1, 25, OAK[0])
    whole = grounded(shape)

    def cat(on: Canvas) -> None:
        on.ellipse(17, 15, 8, 5, fur[2]).ellipse(16, 14, 6, 3, fur[3]).ellipse(9.5, 16, 4, 3.6, fur[2])
        on.dots([(7, 12), (12, 12)], fur[2]).dots([(7, 13), (12, 13)], PINK[2]).row(8, 16, 1, INK).row(11, 16, 1, INK)
        on.dot(9, 17, PINK[2]).dots([(16, 11), (19, 11), (22, 12)], fur[1]).line(24, 17, 14, 20, fur[1])

    return Picture(paint_outlined(whole, cat))
