"""Laws of what is sown: it is no obstacle, it fills its bed, its rows run on from tile to tile."""

import numpy as np
import pytest

from town_builder.art.canvas import TILE
from town_builder.art.catalogue import picture_of, stamps
from town_builder.art.crops import KERB, SHAPES
from town_builder.art.drawing import DRAWINGS
from town_builder.art.palette import STONE
from town_builder.art.shrubs import EAST, NORTH, SIDES, SOUTH, WEST
from town_builder.stamps import UNDER

CROPS = [name for name in stamps() if DRAWINGS[name].__module__.endswith("art.crops")]
LUSH = 0.95


def row_of(name, *variants):
    """The drawn pixels of tiles side by side."""
    return np.concatenate([picture_of(name, variant=variant).below.drawn for variant in variants], 1)


def widest_gap(drawn):
    """The longest run of columns with nothing in them."""
    columns = "".join("#" if column else " " for column in drawn.any(0))
    return max(map(len, columns.split("#")))


@pytest.mark.parametrize("name", CROPS)
def test_one_walks_among_crops(name):
    """A crop is one tile wide, never solid, and its foot is under people's feet."""
    stamp = stamps()[name]
    assert stamp.width == 1
    assert not stamp.solid
    assert stamp.footprint[-1] == UNDER


@pytest.mark.parametrize("name", CROPS)
@pytest.mark.parametrize("left", range(SHAPES))
@pytest.mark.parametrize("right", range(SHAPES))
def test_rows_run_on(name, left, right):
    """Where two tiles meet, whatever their variants, the gap is no wider than a few pixels: nobody sees the seam."""
    assert widest_gap(row_of(name, left, right)[:, TILE // 2 : -TILE // 2]) <= TILE // 8


@pytest.mark.parametrize("variant", range(SHAPES))
def test_a_flower_bed_shows_no_soil(variant):
    """Next to nothing of the ground is seen through leaves and blossoms."""
    assert row_of("flower bed", variant).mean() > LUSH


@pytest.mark.parametrize("sides", range(SIDES))
def test_a_kerb_runs_where_a_bed_ends(sides):
    """Stones along each open side, none between two tiles of one bed."""
    pixels = picture_of("flower bed", variant=sides).below.pixels[..., :3]
    edges = {NORTH: pixels[0, 8:24], EAST: pixels[8:24, -KERB], SOUTH: pixels[-KERB, 8:24], WEST: pixels[8:24, 0]}
    for side, edge in edges.items():
        stone = {tuple(tone[:3]) for tone in STONE} >= {tuple(map(int, pixel)) for pixel in edge}
        assert stone == (not sides & side), side


@pytest.mark.parametrize("name", CROPS)
def test_a_crop_has_several_looks(name):
    """Variants repeat after SHAPES; a crop with a colour of its own choice is really painted in it."""
    step = SIDES if name == "flower bed" else 1
    once, again = picture_of(name, variant=step).below, picture_of(name, variant=step + SHAPES * step).below
    assert (once.pixels == again.pixels).all()
    if colour := stamps()[name].colour:
        other = "blue" if colour != "blue" else "red"
        assert (picture_of(name, other).below.pixels != picture_of(name).below.pixels).any()
