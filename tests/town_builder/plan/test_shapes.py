"""Shapes cover the right tiles."""

from edges import edged
from hypothesis import given
from hypothesis import strategies as st

from town_builder.grid.grids import FOUR_WAYS
from town_builder.plan.shapes import blob, line, rectangle

COORDINATE = st.integers(-20, 60)
POINT = st.tuples(COORDINATE, COORDINATE)


def connected(tiles):
    reached, edge = set(), {min(tiles)}
    while edge:
        reached |= edge
        edge = {(x + i, y + j) for x, y in edge for i, j in FOUR_WAYS} & tiles - reached
    return reached == set(tiles)


@given(POINT, edged(1, 9), edged(1, 9))
def test_a_rectangle_is_as_large_as_it_says(corner, width, height):
    """A rectangle has width times height tiles, starting at its corner."""
    tiles = rectangle((*corner, width, height))
    assert len(tiles) == width * height
    assert min(tiles) == corner


@given(st.lists(POINT, min_size=1, max_size=4), edged(2, 5))
def test_a_street_can_be_walked(points, width):
    """A line of width two or more is connected and passes through all its points."""
    tiles = line(tuple(points), width)
    assert set(points) <= tiles
    assert connected(tiles)


@given(POINT, edged(1, 9), edged(1, 9), st.integers(0, 99))
def test_a_blob_surrounds_its_middle(middle, across, down, seed):
    """A blob contains its middle, stays within one and a half times its axes, and is reproducible."""
    x, y = middle
    tiles = blob((x, y, across, down), seed)
    assert middle in tiles
    assert all(abs(i - x) <= 1.5 * across + 1 and abs(j - y) <= 1.5 * down + 1 for i, j in tiles)
    assert tiles == blob((x, y, across, down), seed)
