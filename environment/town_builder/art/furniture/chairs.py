"""Chairs of one tile, for tables and desks. BACK and RIM are the parts drawn over the sitter."""

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.drawing import grounded
from town_builder.art.furniture.joinery import Area, leg
from town_builder.art.palette import GREY, Ramp, mix

BACK: Area = (0, 13, TILE, 16)
"""Part of a chair seen from behind: the backrest and the legs below it."""
RIM: Area = (0, 22, TILE, 8)
"""Part of any other chair or stool: the front of the seat and the legs, where the sitter's feet would show."""


def chair_south(wood: Ramp, seat: Ramp) -> Canvas:
    """Draw a chair that faces the viewer, with the backrest behind the sitter."""
    shape = Canvas(TILE, TILE)
    shape.rect(7, 2, 18, 14, wood[2]).rect(9, 5, 14, 10, wood[1]).row(7, 2, 18, wood[4]).row(7, 3, 18, wood[3])
    for x in (11, 15, 19):
        shape.rect(x, 5, 2, 10, wood[3])
    shape.column(7, 2, 22, wood[3]).rect(23, 4, 2, 20, wood[1])
    shape.rect(7, 14, 18, 7, seat[3]).row(7, 14, 18, seat[4]).rect(7, 21, 18, 3, seat[1])
    leg(shape, 7, 24, 5, wood, width=3)
    leg(shape, 22, 24, 5, wood, width=3)
    return grounded(shape, 3)


def chair_north(wood: Ramp, seat: Ramp, depth: int = 8) -> Canvas:
    """Draw a chair seen from behind; BACK covers the sitter. `depth` is the visible part of the seat, in pixels."""
    shape, edge = Canvas(TILE, TILE), 15 - depth
    shape.rect(8, edge, 16, depth, seat[2]).row(8, edge, 16, seat[3]).row(8, edge + 1, 16, mix(seat[2], seat[3], 0.5))
    shape.rect(7, 13, 18, 12, wood[2]).row(7, 13, 18, wood[4]).row(7, 14, 18, wood[3])
    shape.rect(10, 17, 12, 5, wood[1]).row(10, 17, 12, wood[0]).row(10, 22, 12, wood[3])
    shape.column(7, 13, 12, wood[3]).column(24, 14, 11, wood[1]).row(7, 24, 18, wood[1])
    leg(shape, 7, 25, 4, wood, width=3)
    leg(shape, 22, 25, 4, wood, width=3)
    return grounded(shape, 3)


def chair_east(wood: Ramp, seat: Ramp) -> Canvas:
    """Draw a chair that faces right, with the backrest on the left."""
    shape = Canvas(TILE, TILE)
    shape.rect(4, 2, 4, 20, wood[2]).column(4, 2, 22, wood[4]).column(7, 2, 20, wood[1]).row(4, 2, 4, wood[4])
    shape.rect(7, 14, 17, 7, seat[3]).row(7, 14, 17, seat[4]).rect(7, 21, 17, 3, seat[1])
    shape.rect(4, 22, 4, 3, wood[2])
    leg(shape, 4, 24, 5, wood, width=3)
    leg(shape, 21, 24, 5, wood, width=3)
    return grounded(shape, 3)


def chair_west(wood: Ramp, seat: Ramp) -> Canvas:
    """Draw a chair that faces left. Not a mirror image of chair_east, because the light comes from the left."""
    shape = Canvas(TILE, TILE)
    shape.rect(24, 2, 4, 20, wood[2]).column(24, 2, 22, wood[3]).column(27, 2, 20, wood[1]).row(24, 2, 4, wood[4])
    shape.rect(8, 14, 17, 7, seat[3]).row(8, 14, 17, seat[4]).rect(8, 21, 17, 3, seat[1])
    shape.rect(24, 22, 4, 3, wood[2])
    leg(shape, 8, 24, 5, wood, width=3)
    leg(shape, 25, 24, 5, wood, width=3)
    return grounded(shape, 3)


def swivel_north(cloth: Ramp) -> Canvas:
    """Draw an office chair seen from behind; BACK covers the sitter."""
    shape = Canvas(TILE, TILE)
    shape.rect(9, 2, 14, 12, cloth[1]).row(9, 2, 14, cloth[3]).row(9, 3, 14, cloth[2])
    shape.rect(8, 12, 16, 12, cloth[2]).rect(9, 11, 14, 14, cloth[2]).row(9, 11, 14, cloth[4]).column(
        8, 12, 12, cloth[3]
    )
    shape.rect(11, 15, 10, 6, mix(cloth[2], cloth[1], 0.5)).row(11, 15, 10, cloth[1]).row(9, 24, 14, cloth[1])
    shape.rect(5, 14, 3, 6, GREY[1]).rect(24, 14, 3, 6, GREY[1]).row(5, 14, 3, GREY[3]).row(24, 14, 3, GREY[3])
    shape.rect(15, 25, 2, 3, GREY[2]).rect(10, 27, 12, 2, GREY[1])
    return grounded(shape, 3)


def stool(seat: Ramp, legs: Ramp) -> Canvas:
    """Draw a round cushion on four legs."""
    shape = Canvas(TILE, TILE)
    leg(shape, 8, 19, 10, legs, width=3)
    leg(shape, 21, 19, 10, legs, width=3)
    shape.row(10, 25, 12, legs[1])
    shape.ellipse(15.5, 18, 9.4, 6, seat[1]).ellipse(15.5, 16, 9.4, 6, seat[2]).ellipse(14.5, 15, 6.6, 3.6, seat[3])
    return grounded(shape.row(11, 13, 6, seat[4]), 3)
