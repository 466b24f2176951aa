"""Fences and hedges connect to their neighbours."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from town_builder.art.canvas import TILE
from town_builder.art.catalogue import picture_of
from town_builder.art.outdoors.shrubs import EAST, NORTH, SOUTH, WEST

ROWS = ["fence", "picket fence", "hedge"]
VARIANTS = some.integers(0, 15)


def solid(name: str, variant: int) -> np.ndarray:
    return picture_of(name, variant=variant).below.pixels[..., 3] > 200


@pytest.mark.parametrize("name", ROWS)
@given(left=VARIANTS, right=VARIANTS)
def test_a_row_runs_on(name: str, left: int, right: int) -> None:
    """Of two side by side, both reach the shared edge, and their rails match in every pixel."""
    west, east = solid(name, left | EAST)[:, -1], solid(name, right | WEST)[:, 0]
    assert (west & east).any()
    if name != "hedge":
        assert np.array_equal(west, east)


@pytest.mark.parametrize("name", ROWS)
@given(above=VARIANTS, below=VARIANTS)
def test_a_column_runs_on(name: str, above: int, below: int) -> None:
    """Of two above each other, both reach the shared edge in some equal columns."""
    assert (solid(name, above | SOUTH)[-1] & solid(name, below | NORTH)[0]).any()


@pytest.mark.parametrize("name", ROWS)
@given(variant=VARIANTS)
def test_an_end_is_an_end(name: str, variant: int) -> None:
    """On a side without a neighbour the picture does not reach the edge of the tile."""
    picture = solid(name, variant)
    for bit, edge in ((EAST, picture[:, TILE - 1]), (WEST, picture[:, 0]), (NORTH, picture[0]), (SOUTH, picture[-1])):
        assert variant & bit or not edge.any()
