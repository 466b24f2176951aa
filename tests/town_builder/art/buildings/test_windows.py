"""Facade windows are evenly spaced and stay on their stretch of wall."""

from itertools import pairwise

import pytest
from edges import edged
from hypothesis import given
from hypothesis import strategies as st

from town_builder.art.buildings.facades import FACADES
from town_builder.art.buildings.wallpapers import FACE
from town_builder.art.buildings.windows import LINTEL, NARROWEST, SNAP, house_window, places, shop_window

HOUSES = [name for name, facade in FACADES.items() if not facade.shop]
SHOPS = [name for name, facade in FACADES.items() if facade.shop]
STARTS, WIDTHS = st.integers(0, 3000), st.sampled_from([NARROWEST - 1, NARROWEST]) | edged(0, 900)


@given(STARTS, WIDTHS)
def test_windows_lie_in_their_stretch(start, width):
    """Every centre is inside, at least half of the narrowest stretch from both ends (within the snap)."""
    for middle in places(start, start + width):
        assert start + NARROWEST / 2 - SNAP <= middle <= start + width - NARROWEST / 2 + SNAP


@given(STARTS, WIDTHS)
def test_windows_are_evenly_spread(start, width):
    """Gaps differ by less than two snaps, and are symmetrical."""
    middles = places(start, start + width)
    gaps = [after - before for before, after in pairwise(middles)]
    assert not gaps or max(gaps) - min(gaps) <= 2 * SNAP
    assert gaps == gaps[::-1]


@given(STARTS, edged(0, NARROWEST - 1))
def test_a_narrow_wall_stays_blank(start, width):
    """A stretch below the minimum width has no window."""
    assert places(start, start + width) == ()


@given(STARTS, WIDTHS, st.integers(1, 50))
def test_moving_a_house_keeps_its_windows(start, width, tiles):
    """Moved by whole tiles, a facade has the same windows."""
    moved = places(start + 32 * tiles, start + width + 32 * tiles)
    assert moved == tuple(middle + 32 * tiles for middle in places(start, start + width))


@pytest.mark.parametrize("name", HOUSES)
def test_a_window_fits_between_cap_and_plinth(name):
    """A window is below the lintel and above the plinth, and fits the narrowest stretch."""
    window = house_window(name)
    assert LINTEL + window.height <= FACE - 2
    assert window.width <= NARROWEST


@pytest.mark.parametrize("name", SHOPS)
@pytest.mark.parametrize("width", [NARROWEST, 97, 300])
def test_a_shop_front_is_as_wide_as_its_wall(name, width):
    """Panes and awning have the given width and fit the face."""
    front = shop_window(name, width)
    assert front.width == width
    assert front.height <= FACE
