"""Walls: caps join across tile edges, faces are complete, and every neighbourhood is covered."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from town_builder.art.buildings.facades import FACADES
from town_builder.art.buildings.wallpapers import FACE, WALLPAPERS
from town_builder.art.buildings.walls import (
    CORNERS,
    EAST,
    OPEN,
    SIDES,
    SOUTH,
    TRIM,
    WEST,
    canonical,
    cap,
    cap_shape,
    face,
    face_of,
    inside,
    outside,
    wall,
)
from town_builder.art.canvas import OPAQUE, TILE

EVERY_FACE = [*map(inside, WALLPAPERS), *map(outside, FACADES), TRIM]
PATTERNS = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1)
STEPS = {**SIDES, **{corner: step for corner, (_, step) in CORNERS.items()}}


def joins_in(pattern, x, y):
    return sum(bit for bit, (right, down) in STEPS.items() if (x + right, y + down) in pattern)


def whole_shape(pattern):
    """Return the caps of a pattern of four by four tiles as one mask."""
    shape = np.zeros((4 * TILE, 4 * TILE), bool)
    for x, y in pattern:
        shape[y * TILE : (y + 1) * TILE, x * TILE : (x + 1) * TILE] = cap_shape(joins_in(pattern, x, y))
    return shape


@pytest.mark.slow
@given(PATTERNS)
def test_caps_run_on_over_every_tile_edge(pattern):
    """Between adjacent walls both tiles have the same cap along the shared edge."""
    shape = whole_shape(pattern)
    for x, y in pattern:
        rows, columns = slice(y * TILE, (y + 1) * TILE), slice(x * TILE, (x + 1) * TILE)
        if (x + 1, y) in pattern:
            edge = (x + 1) * TILE
            assert (shape[rows, edge - 1] == shape[rows, edge]).all()
            assert shape[rows, edge].any()
        if (x, y + 1) in pattern:
            edge = (y + 1) * TILE
            assert (shape[edge - 1, columns] == shape[edge, columns]).all()
            assert shape[edge, columns].any()


@given(PATTERNS)
def test_walls_side_by_side_have_no_hole_between(pattern):
    """Where four walls form a square, its middle is covered."""
    shape = whole_shape(pattern)
    for x, y in pattern:
        if {(x + 1, y), (x, y + 1), (x + 1, y + 1)} <= pattern:
            assert shape[y * TILE + 2 : (y + 1) * TILE + 14, x * TILE + 10 : (x + 1) * TILE + 22].all()


def test_an_unconnected_diagonal_changes_nothing():
    """A diagonal neighbour counts only if both sides between are walls."""
    for joins in range(256):
        assert canonical(canonical(joins)) == canonical(joins), joins
        assert (cap_shape(canonical(joins)) == cap_shape(joins)).all(), joins


def test_a_cap_is_drawn_where_its_shape_is():
    """Caps are opaque inside their shape and transparent outside."""
    for joins in range(256):
        assert ((cap(joins).pixels[..., 3] == OPAQUE) == cap_shape(joins)).all(), joins


@pytest.mark.parametrize(("side", "column"), [(EAST, -1), (WEST, 0)])
def test_a_cap_ends_with_a_line_beside_a_doorway(side, column):
    """Only a cap that stops at the tile edge has a dark line there."""
    running, ending = cap(EAST | WEST).pixels[:, column], cap(EAST | WEST, side).pixels[:, column]
    line = cap(EAST | WEST).pixels[2, 16]
    assert not (running[3:13] == line).all()
    assert (ending[2:14] == line).all()


def test_a_face_is_whole_and_fits_itself():
    """Every face is a tile wide and 50 rows high, and its lower tile has no transparent pixel."""
    for name in EVERY_FACE:
        picture = face_of(name)
        assert (picture.width, picture.height) == (TILE, FACE), name
        assert (picture.pixels[..., 3] == OPAQUE).all(), name
        assert (face((name, name, name)).pixels[..., 3] == OPAQUE).all(), name


def test_a_face_goes_on_where_the_upper_tile_ends():
    """The tile of the wall shows the upper rows of a face, the tile below all others."""
    for name in EVERY_FACE:
        zones = name, name, name
        upper, lower = wall(EAST | WEST, 0, zones, OPEN), face(zones)
        drawn = np.concatenate([upper.pixels[14:], lower.pixels])
        assert (drawn == face_of(name).pixels).all(), name


def test_each_side_of_a_wall_has_its_own_paper():
    """The faces on both sides of a wall to the south may differ."""
    tile = wall(EAST | WEST | SOUTH, 0, (inside("pub"), None, inside("bath")), OPEN).pixels
    assert (tile[14:, :10] == face_of(inside("pub")).pixels[:18, :10]).all()
    assert (tile[14:, 22:] == face_of(inside("bath")).pixels[:18, 22:]).all()


def test_no_two_styles_look_alike():
    """There are at least ten wallpapers and seven facades, all different."""
    pictures = {face_of(name).pixels.tobytes() for name in EVERY_FACE}
    assert len(pictures) == len(EVERY_FACE)
    assert len(WALLPAPERS) >= 10
    assert len(FACADES) >= 7


@pytest.mark.parametrize("ask", [inside, outside])
def test_an_unknown_style_is_named(ask):
    """The error for an unknown style contains its name."""
    with pytest.raises(KeyError, match="'moonlight'"):
        ask("moonlight")
