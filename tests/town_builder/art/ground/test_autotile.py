"""Outlines of ground: a complete set of tiles without seams."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from town_builder.art.canvas import TILE
from town_builder.art.ground.autotile import (
    EVERYWHERE,
    MARGIN,
    MASKS,
    NEIGHBOURHOOD,
    SIDES,
    Neighbourhood,
    OutlineStyle,
    canonical,
    neighbours_of,
    outline_of,
    wang_id,
)
from town_builder.art.ground.ground import TERRAINS

STYLES = sorted({terrain.style for terrain in TERRAINS.values()}, key=repr)
MAPS = some.lists(some.lists(some.booleans(), min_size=5, max_size=5), min_size=5, max_size=5)


def mask_of(neighbours) -> int:
    """Return the canonical mask of eight answers in the order of NEIGHBOURHOOD."""
    return canonical(sum(1 << bit for bit, same in enumerate(neighbours) if same))


def neighbourhood(cells: list[list[bool]], x: int, y: int, *, smooth: bool) -> Neighbourhood:
    around = neighbours_of(lambda column, row: cells[row][column], x, y)
    return Neighbourhood(around if smooth else canonical(around), member=cells[y][x], smooth=smooth)


def test_there_are_47_tiles() -> None:
    """The masks are distinct and canonical, and every neighbourhood has one."""
    assert len(MASKS) == len(set(MASKS)) == 47
    assert {canonical(mask) for mask in range(256)} == set(MASKS)
    assert all(canonical(mask) == mask for mask in MASKS)


@given(some.lists(some.booleans(), min_size=8, max_size=8))
def test_a_mask_keeps_its_sides(neighbours: list[bool]) -> None:
    """Sides are kept; a diagonal is kept exactly if both adjacent sides are set."""
    wang = wang_id(mask_of(neighbours))
    assert all(wang[side] == neighbours[side] for side in SIDES)
    for bit in (1, 3, 5, 7):
        assert wang[bit] == (neighbours[bit] and neighbours[bit - 1] and neighbours[(bit + 1) % 8])


def test_wang_ids_agree_with_the_map_editor() -> None:
    """A tile with ground to the south and east has ones at places 3, 4 and 5, clockwise from the top."""
    ground = {(1, 0), (1, 1), (0, 1)}
    assert wang_id(mask_of(step in ground for step in NEIGHBOURHOOD)) == (0, 0, 1, 1, 1, 0, 0, 0)


@pytest.mark.parametrize("style", STYLES, ids=repr)
@given(cells=MAPS, reach=some.sampled_from([1, MARGIN]))
def test_adjacent_tiles_share_their_outline(style: OutlineStyle, cells: list[list[bool]], reach: int) -> None:
    """On every map, adjacent tiles agree along their edge, and ground tiles on all shared pixels."""
    if reach > 1:
        cells[2][2] = cells[2][3] = cells[3][2] = True
    here = outline_of(neighbourhood(cells, 2, 2, smooth=True), style).window
    east = outline_of(neighbourhood(cells, 3, 2, smooth=True), style).window
    south = outline_of(neighbourhood(cells, 2, 3, smooth=True), style).window
    inner, edge = slice(MARGIN, MARGIN + TILE), MARGIN + TILE
    assert np.array_equal(here[inner, edge - reach : edge + reach], east[inner, MARGIN - reach : MARGIN + reach])
    assert np.array_equal(here[edge - reach : edge + reach, inner], south[MARGIN - reach : MARGIN + reach, inner])


@pytest.mark.parametrize("style", STYLES, ids=repr)
@given(cells=MAPS)
def test_hand_painted_tiles_join(style: OutlineStyle, cells: list[list[bool]]) -> None:
    """The 47 tiles without curves agree along shared edges."""
    cells[2][2] = cells[2][3] = True
    here = outline_of(neighbourhood(cells, 2, 2, smooth=False), style).window
    east = outline_of(neighbourhood(cells, 3, 2, smooth=False), style).window
    inner, edge = slice(MARGIN, MARGIN + TILE), MARGIN + TILE
    assert np.array_equal(here[inner, edge - 1 : edge + 1], east[inner, MARGIN - 1 : MARGIN + 1])


@pytest.mark.parametrize("style", STYLES, ids=repr)
def test_full_ground_is_full_and_no_ground_is_empty(style: OutlineStyle) -> None:
    """Surrounded ground fills the tile, a lone tile avoids its edges, and no ground is empty."""
    assert outline_of(Neighbourhood(EVERYWHERE), style).within().all()
    lone = outline_of(Neighbourhood(0), style).within()
    assert lone[1:-1, 1:-1].sum() == lone.sum() > 0
    assert not outline_of(Neighbourhood(0, member=False), style).window.any()
