"""Crops are walkable, fill their bed, and continue from tile to tile."""

from itertools import product

import numpy as np
import pytest

from town_builder.art.canvas import TILE
from town_builder.art.catalogue import picture_of, stamps
from town_builder.art.drawing import DRAWINGS
from town_builder.art.outdoors.crops import KERB, SHAPES
from town_builder.art.outdoors.shrubs import EAST, NORTH, SIDES, SOUTH, WEST
from town_builder.art.palette import STONE
from town_builder.stamps import UNDER

CROPS = [name for name in stamps() if DRAWINGS[name].__module__.endswith(".crops")]
LUSH = 0.95


def row_of(name, *variants):
    """Return the drawn pixels of tiles side by side."""
    return np.concatenate([picture_of(name, variant=variant).below.drawn for variant in variants], 1)


def widest_gap(drawn):
    """Return the length of the longest run of empty columns."""
    columns = "".join("#" if column else " " for column in drawn.any(0))
    return max(map(len, columns.split("#")))


@pytest.mark.parametrize("name", CROPS)
def test_crops_are_walkable(name):
    """A crop is one tile wide, never solid, and drawn under people at its foot."""
    stamp = stamps()[name]
    assert stamp.width == 1
    assert not stamp.solid
    assert stamp.footprint[-1] == UNDER


def test_rows_run_on():
    """Between adjacent tiles of any variants the gap is at most a few pixels wide."""
    for name, left, right in product(CROPS, range(SHAPES), range(SHAPES)):
        row = row_of(name, left, right)[:, TILE // 2 : -TILE // 2]
        assert widest_gap(row) <= TILE // 8, (name, left, right)


@pytest.mark.parametrize("variant", range(SHAPES))
def test_a_flower_bed_hides_the_soil(variant):
    """Leaves and blossoms cover almost all of the ground."""
    assert row_of("flower bed", variant).mean() > LUSH


@pytest.mark.parametrize("sides", range(SIDES))
def test_a_kerb_runs_where_a_bed_ends(sides):
    """There are stones along open sides, and none between two tiles of a bed."""
    pixels = picture_of("flower bed", variant=sides).below.pixels[..., :3]
    edges = {NORTH: pixels[0, 8:24], EAST: pixels[8:24, -KERB], SOUTH: pixels[-KERB, 8:24], WEST: pixels[8:24, 0]}
    for side, edge in edges.items():
        stone = {tuple(tone[:3]) for tone in STONE} >= {tuple(map(int, pixel)) for pixel in edge}
        assert stone == (not sides & side), side


@pytest.mark.parametrize("name", CROPS)
def test_a_crop_has_several_looks(name):
    """Variants repeat after SHAPES, and a crop with a configurable colour shows that colour."""
    step = SIDES if name == "flower bed" else 1
    once, again = picture_of(name, variant=step).below, picture_of(name, variant=step + SHAPES * step).below
    assert (once.pixels == again.pixels).all()
    if colour := stamps()[name].colour:
        other = "blue" if colour != "blue" else "red"
        assert (picture_of(name, other).below.pixels != picture_of(name).below.pixels).any()
