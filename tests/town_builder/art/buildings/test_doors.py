"""Doorways stay open and show the faces of people, and exits can be recognised."""

import pytest

from town_builder.art.buildings.doors import BASE, RISE, doorway, sill, threshold
from town_builder.art.buildings.facades import FACADES
from town_builder.art.canvas import TILE
from town_builder.art.palette import WALL

WIDTHS = range(1, 5)
HAIR = 3
"""Rows of a person's tile that a beam may cover."""


def test_nothing_stands_in_the_opening():
    """Between the posts the floor is visible, except for one pixel of outline."""
    for width in WIDTHS:
        for facade in FACADES.values():
            below = doorway(width, facade.trim, facade.door).below
            opening = below.drawn[:BASE, TILE + 1 : (width + 1) * TILE - 1]
            assert not opening.any(), (width, facade)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_beam_hides_no_face(width):
    """Covers are limited to the top rows of the doorway's tile, and span the opening."""
    cover = doorway(width, WALL).cover
    assert cover is not None
    assert not cover.drawn[RISE + HAIR :].any()
    assert cover.drawn[:, TILE : (width + 1) * TILE].any(axis=0).all()


@pytest.mark.parametrize("width", WIDTHS)
def test_an_exit_has_leaves(width):
    """An exit differs from a door between rooms, and extends beyond the foot of the wall."""
    inner, outer = doorway(width, WALL).below, doorway(width, WALL, FACADES["brick"].door).below
    assert outer.drawn.sum() > inner.drawn.sum()
    assert outer.drawn[BASE + 1 :].any()


def test_stone_outside_wood_inside():
    """Thresholds and sills differ between exits and inner doors."""
    assert threshold(outside=True).pixels.tobytes() != threshold(outside=False).pixels.tobytes()
    assert sill(outside=True).pixels.tobytes() != sill(outside=False).pixels.tobytes()
