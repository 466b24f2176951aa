"""Tables with chairs. The table edge is drawn over the knees of people who sit behind it."""

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.drawing import Picture, draws, grounded, tiles
from town_builder.art.furniture.chairs import BACK, RIM, chair_east, chair_north, chair_south, chair_west
from town_builder.art.furniture.joinery import Area, box, grain, leg, with_cover
from town_builder.art.furniture.trinkets import book_lying, book_open, cup, lamp, papers, plate, vase
from town_builder.art.palette import BLUE, ORANGE, PINK, RED, TEAL, YELLOW, Ramp, mix

KNEES = 24
"""Upper edge of a table, in pixels below the top of the northern seats' tiles."""


def _table(width: int, height: int, ramp: Ramp) -> Canvas:
    """Draw a rectangular table that fills a canvas of this size, with its legs on the last rows."""
    shape = Canvas(width, height)
    foot = height - 3
    for x in (3, width - 7):
        leg(shape, x, foot - 8, 8, ramp)
    shape.rect(7, foot - 8, width - 14, 3, ramp[0])
    box(shape, (1, 1, width - 2, height - 10), height - 15, ramp)
    return grounded(grain(shape, (3, 3, width - 6, height - 20), ramp))


def _round_table(ramp: Ramp) -> Canvas:
    shape = Canvas(TILE, TILE)
    shape.rect(13, 18, 6, 9, ramp[1]).column(13, 18, 9, ramp[2]).rect(8, 26, 16, 3, ramp[1]).row(8, 26, 16, ramp[2])
    for y, step in ((13, ramp[0]), (12, ramp[1]), (11, ramp[2]), (9.5, ramp[3])):
        shape.ellipse(15.5, y, 14.4, 8.4, step)
    shape.fill(shape.oval(14.5, 9, 12, 6.6) & ~shape.oval(15.5, 10, 12, 6.6), ramp[4])
    shape.row(7, 8, 9, mix(ramp[3], ramp[4], 0.6)).row(15, 13, 9, mix(ramp[3], ramp[2], 0.5))
    return grounded(shape)


def _sides(ramp: Ramp, seat: Ramp) -> Canvas:
    """Draw a chair on the left and one on the right of an empty tile."""
    return tiles(3, 1).over(chair_east(ramp, seat)).over(chair_west(ramp, seat), 2 * TILE)


@draws("table for two")
def table_for_two(ramp: Ramp, variant: int) -> Picture:
    whole = _sides(ramp, TEAL).over(_table(TILE, TILE, ramp), TILE)
    (vase, cup)[variant % 2](whole, 48, 17)
    return with_cover(whole, RIM, (64, *RIM[1:]))


@draws("round table")
def round_table(ramp: Ramp, variant: int) -> Picture:
    whole = _sides(ramp, YELLOW).over(_round_table(ramp), TILE)
    if variant % 2:
        plate(whole, 46, 13, PINK)
    else:
        cup(whole, 42, 12)
        cup(whole, 52, 11, BLUE)
    return with_cover(whole, RIM, (64, *RIM[1:]))


def _both_sides(across: int, ramp: Ramp, seat: Ramp) -> tuple[Canvas, tuple[Area, ...]]:
    """Return a table with this many seats per side, and the areas that cover the sitters."""
    whole = tiles(across, 3)
    for x in range(across):
        whole.over(chair_south(ramp, seat), x * TILE)
    whole.over(_table(across * TILE, TILE + 40 - KNEES + 8, ramp), 0, KNEES)
    for x in range(across):
        whole.over(chair_north(ramp, seat), x * TILE, 2 * TILE)
    knees = (0, KNEES, across * TILE, TILE - KNEES)
    return whole, (knees, (0, 2 * TILE + BACK[1], across * TILE, BACK[3]))


@draws("table for four")
def table_for_four(ramp: Ramp, variant: int) -> Picture:
    whole, front = _both_sides(2, ramp, RED)
    cup(whole, 14, 36)
    if variant % 2:
        plate(whole, 45, 45, ORANGE)
    else:
        vase(whole, 32, 42)
    return with_cover(whole, *front)


@draws("long table")
def long_table(ramp: Ramp, variant: int) -> Picture:
    whole, front = _both_sides(4, ramp, TEAL)
    vase(whole, 64, 43, YELLOW if variant % 2 else PINK)
    for x, y, glaze in ((20, 36, BLUE), (88, 46, RED), (110, 36, TEAL)):
        cup(whole, x, y, glaze)
    return with_cover(plate(plate(whole, 42, 47, ORANGE), 100, 38, PINK), *front)


@draws("study table")
def study_table(ramp: Ramp, variant: int) -> Picture:
    """Draw a library table with two green lamps, open books and notes."""
    whole, front = _both_sides(2, ramp, BLUE)
    book_lying(whole, 48, 46, variant)
    book_open(whole, 16, 37)
    papers(whole, 13, 48)
    return with_cover(lamp(whole, 33, 42), *front)


@draws("coffee table")
def coffee_table(ramp: Ramp, variant: int) -> Picture:
    shape = tiles(2, 1)
    for x in (5, 55):
        leg(shape, x, 20, 9, ramp)
    shape.rect(9, 22, 46, 3, ramp[0])
    box(shape, (2, 4, 60, 19), 14, ramp)
    whole = grounded(grain(shape, (4, 6, 56, 10), ramp, 5))
    book_lying(whole, 20, 15, variant)
    return Picture(cup(whole, 40, 13, BLUE))
