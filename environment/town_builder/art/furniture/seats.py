"""Upholstered seats. The front of the seat is drawn over the sitter's feet."""

from town_builder.art.canvas import Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.chairs import RIM, stool
from town_builder.art.furniture.joinery import paint_outlined, with_cover
from town_builder.art.palette import INK, ORANGE, WALNUT, WHITE, WOOD, YELLOW, Ramp, mix

SEAT = 53
"""Where the seat of a sofa ends and its front begins, in pixels from the top."""


def _arm(on: Canvas, x: int, y: int, height: int, ramp: Ramp) -> None:
    on.rect(x, y + 1, 8, height - 1, ramp[2]).rect(x, y + 1, 8, 3, ramp[3]).row(x + 1, y, 6, ramp[4])
    on.column(x, y + 2, height - 3, ramp[3]).column(x + 7, y + 3, height - 3, ramp[1]).row(
        x, y + height - 1, 8, ramp[1]
    )
    on.rect(x + 1, y + height, 4, 2, WOOD[1])


def _sofa(across: int, ramp: Ramp) -> Canvas:
    shape, width = tiles(across, 2), across * 32
    shape.rect(3, 25, width - 6, 16, ramp[2]).row(4, 24, width - 8, ramp[4]).rect(3, 25, width - 6, 3, ramp[3])
    shape.rect(8, 40, width - 16, 13, ramp[3]).row(8, 40, width - 16, ramp[1]).row(8, 41, width - 16, ramp[4])
    shape.rect(8, SEAT, width - 16, 6, ramp[2]).row(8, SEAT, width - 16, ramp[4]).row(8, SEAT + 1, width - 16, ramp[1])
    shape.rect(8, 56, width - 16, 3, ramp[1])
    for x in range(32, width, 32):
        shape.column(x, 28, 25, ramp[1]).column(x + 1, 28, 12, ramp[3]).column(x, SEAT + 1, 4, ramp[1])
    _arm(shape, 1, 32, 27, ramp)
    _arm(shape, width - 9, 32, 27, ramp)
    return grounded(shape)


def _cushion(on: Canvas, x: int, y: int, ramp: Ramp) -> None:
    on.rect(x, y, 11, 10, ramp[3]).row(x, y, 11, ramp[4]).column(x + 10, y, 10, ramp[1]).row(x, y + 9, 11, ramp[1])
    on.dots([(x + 3, y + 3), (x + 6, y + 5), (x + 4, y + 7)], ramp[1])


def _sunk(whole: Canvas) -> Picture:
    return with_cover(whole, (0, SEAT, whole.width, 61 - SEAT))


@draws("sofa")
def sofa(ramp: Ramp, _variant: int) -> Picture:
    whole = _sofa(2, ramp)
    return _sunk(paint_outlined(whole, lambda on: _cushion(on, 10, 31, YELLOW)))


@draws("long sofa")
def long_sofa(ramp: Ramp, _variant: int) -> Picture:
    whole = _sofa(3, ramp)
    paint_outlined(whole, lambda on: _cushion(on, 10, 31, YELLOW))
    return _sunk(paint_outlined(whole, lambda on: _cushion(on, 75, 31, ORANGE)))


@draws("library sofa")
def library_sofa(ramp: Ramp, _variant: int) -> Picture:
    """Draw buttoned leather with a curved wooden rail."""
    whole = _sofa(2, ramp)
    for row, y in enumerate((29, 33)):
        for x in range(7 + row * 4, 60, 8):
            whole.dot(x, y, ramp[0]).dot(x - 1, y - 1, ramp[4])
    crest = tiles(2, 2).rect(12, 22, 40, 3, ramp[2]).row(13, 21, 38, ramp[4]).row(12, 22, 40, ramp[3])
    for x in (1, 55):
        crest.rect(x, 33, 8, 3, WALNUT[2]).row(x, 33, 8, WALNUT[4])
    return _sunk(whole.over(crest.outline()))


@draws("armchair")
def armchair(ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(1, 1)
    shape.rect(4, 2, 24, 14, ramp[2]).row(6, 1, 20, ramp[4]).rect(4, 2, 24, 3, ramp[3])
    shape.dots([(11, 8), (20, 8), (15, 11)], ramp[1]).dots([(10, 7), (19, 7), (14, 10)], ramp[3])
    shape.rect(7, 14, 18, 7, ramp[3]).row(7, 14, 18, ramp[1]).row(7, 15, 18, ramp[4])
    shape.rect(7, 21, 18, 7, ramp[2]).row(7, 21, 18, ramp[4]).row(7, 22, 18, ramp[1]).row(7, 27, 18, ramp[1])
    _arm(shape, 1, 9, 18, ramp)
    _arm(shape, 23, 9, 18, ramp)
    return with_cover(grounded(shape), (0, 22, 32, 8))


@draws("bar stool")
def bar_stool(ramp: Ramp, _variant: int) -> Picture:
    return with_cover(stool(ramp, WALNUT), RIM)


@draws("bean bag")
def bean_bag(ramp: Ramp, _variant: int) -> Picture:
    shape = tiles(1, 1)
    shape.ellipse(15.5, 20, 13.6, 8.6, ramp[1]).ellipse(15, 18, 13, 8.6, ramp[2]).ellipse(14, 13, 10, 8, ramp[2])
    shape.ellipse(13, 12, 7, 5, ramp[3]).ellipse(15, 18, 8, 4, mix(ramp[2], ramp[1], 0.5)).row(9, 8, 7, ramp[4])
    return with_cover(grounded(shape), (0, 22, 32, 9))


@draws("garden chair")
def garden_chair(ramp: Ramp, _variant: int) -> Picture:
    """Draw a white chair with a cushion, under a parasol in the same colour."""
    shape = tiles(1, 2)
    shape.rect(15, 8, 2, 40, WOOD[2]).column(15, 8, 40, WOOD[4])
    shape.rect(7, 35, 18, 13, WHITE[2]).row(7, 35, 18, WHITE[4])
    for x in (10, 14, 18, 22):
        shape.column(x, 38, 9, WHITE[0])
    shape.rect(7, 46, 18, 7, ramp[2]).row(7, 46, 18, ramp[4]).row(7, 47, 18, ramp[3]).rect(7, 53, 18, 2, WHITE[2])
    for x in (4, 25):
        shape.rect(x, 42, 3, 18, WHITE[3]).column(x + 2, 42, 18, WHITE[1]).row(x, 42, 3, WHITE[4])
    whole = grounded(shape)
    paint_outlined(whole, lambda on: _parasol(on, ramp))
    return with_cover(whole, (0, 53, 32, 9), (0, 0, 32, 28))


def _parasol(on: Canvas, ramp: Ramp) -> None:
    """Draw five striped panels with scalloped lower edges."""
    dome = on.oval(15.5, 19, 14.6, 14)
    dome[19:] = False
    for panel in range(5):
        dome |= on.oval(3.5 + panel * 6, 19, 2.6, 3.4)
    on.fill(dome, ramp[2])
    for panel in (1, 3):
        left, right = 1 + panel * 6, 7 + panel * 6
        on.polygon([(left, 21), (right - 1, 21), (16 + (panel - 2) / 2, 5), (15 + (panel - 2) / 2, 5)], WHITE[3])
    on.fill(dome & on.oval(15.5, 24, 20, 4) & ~on.oval(15.5, 15, 20, 4.6), (*INK[:3], 40))
    on.rect(15, 2, 2, 3, WHITE[4]).line(5, 13, 10, 7, ramp[4]).line(6, 13, 10, 8, ramp[3])
