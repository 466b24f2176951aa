"""Tiles of named shapes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from town_builder.art.canvas import TILE
from town_builder.tiled.reading import Zone
from town_builder.tiled.zones import contains

SIDE = st.integers(0, 12)
BOUNDS = st.tuples(SIDE, SIDE, SIDE, SIDE)


def zone(*bounds, corners=(), ellipse=False):
    return Zone("Inn:bar", corners, tuple(TILE * one for one in bounds), round=ellipse)


def tiles(shape):
    middles = {(x, y): ((x + 0.5) * TILE, (y + 0.5) * TILE) for x in range(30) for y in range(30)}
    return {tile for tile, middle in middles.items() if contains(shape, middle)}


@given(BOUNDS.filter(lambda bounds: bounds[2] and bounds[3]))
def test_a_rectangle_on_the_grid_is_its_tiles(bounds):
    """A rectangle has width times height tiles; a polygon with the same corners has the same tiles."""
    x, y, width, height = bounds
    expected = {(i, j) for i in range(x, x + width) for j in range(y, y + height)}
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    polygon = zone(*bounds, corners=tuple((TILE * i, TILE * j) for i, j in corners))
    assert tiles(zone(*bounds)) == tiles(polygon) == expected


@given(BOUNDS.filter(lambda bounds: bounds[2] and bounds[3]))
def test_an_ellipse_lies_in_its_bounds(bounds):
    """An ellipse contains the tiles at its middle, and none outside its bounds."""
    x, y, width, height = bounds
    inside = tiles(zone(*bounds, ellipse=True))
    assert inside <= tiles(zone(*bounds))
    assert (x + width // 2, y + height // 2) in inside or min(width, height) == 2


@pytest.mark.parametrize("place", [(3, 4), (3.1, 4.9)])
def test_a_point_is_the_tile_it_lies_on(place):
    """A shape without extent is one tile."""
    assert tiles(zone(*place, 0, 0)) == {(3, 4)}


def test_corners_of_a_triangle_are_cut():
    """A tile belongs to a polygon that contains its middle: a triangle is half of its square."""
    triangle = zone(0, 0, 0, 0, corners=((0, -2), (0, 6 * TILE), (6 * TILE + 2, 6 * TILE)))
    assert tiles(triangle) == {(x, y) for y in range(6) for x in range(y + 1)}
