"""Kinds of ground have complete sets of tiles that lie over grass."""

import numpy as np
import pytest

from town_builder.art.canvas import TILE
from town_builder.art.ground.autotile import EVERYWHERE, MASKS
from town_builder.art.ground.grass import GRASS_TILES, grass_at
from town_builder.art.ground.ground import TERRAINS, VARIANTS, spread, variant_at
from town_builder.art.palette import GRASS

KINDS = sorted(TERRAINS)
SIZE = (TILE, TILE, 4)


@pytest.mark.parametrize("kind", KINDS)
def test_every_ground_has_all_its_tiles(kind: str) -> None:
    """Each of the 47 masks has a tile, all different."""
    tiles = [TERRAINS[kind].tile(mask).pixels for mask in MASKS]
    assert {tile.shape for tile in tiles} == {SIZE}
    assert len({tile.tobytes() for tile in tiles}) == len(MASKS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_middle_hides_the_grass(kind: str) -> None:
    """A surrounded tile is opaque in every variant, and all variants differ."""
    tiles = [TERRAINS[kind].smooth(EVERYWHERE, variant).pixels for variant in range(VARIANTS)]
    assert all((tile[..., 3] == 255).all() for tile in tiles)
    assert len({tile.tobytes() for tile in tiles}) == VARIANTS


@pytest.mark.parametrize("kind", KINDS)
def test_tips_show_where_three_cells_meet(kind: str) -> None:
    """A tip exists exactly where two adjacent sides and the diagonal between have the ground."""
    terrain = TERRAINS[kind]
    for neighbours in range(256):
        corners = ((0, 1, 2), (2, 3, 4), (4, 5, 6), (6, 7, 0))
        inner = any(all(neighbours >> bit & 1 for bit in corner) for corner in corners)
        assert (terrain.tip(neighbours) is not None) == inner


def test_grass_is_whole_and_quiet() -> None:
    """There are at least eight different grass tiles, opaque and mostly of one green."""
    assert len({tile.pixels.tobytes() for tile in GRASS_TILES}) == len(GRASS_TILES) >= 8
    for tile in GRASS_TILES:
        assert (tile.pixels[..., 3] == 255).all()
        assert (tile.pixels == np.array(GRASS[3], np.uint8)).all(-1).mean() > 0.75


def test_a_lawn_uses_all_its_grass() -> None:
    """On a large lawn every grass tile occurs, and none covers more than a third."""
    chosen = np.bincount([grass_at(x, y) for x in range(140) for y in range(100)], minlength=len(GRASS_TILES))
    assert chosen.min() > 0
    assert chosen.max() < chosen.sum() / 3


def test_patterns_run_on() -> None:
    """The four tiles around any corner have the four variants of the pattern."""
    assert {variant_at(x, y) for x in (6, 7) for y in (9, 10)} == set(range(VARIANTS))
    assert variant_at(3, 5) == variant_at(5, 3) == variant_at(139, 99)


def test_a_street_runs_on_beneath_the_square_it_meets() -> None:
    """A lower ground is also painted under adjacent cells of an upper one, and nowhere else."""
    street, square = {(0, 0), (1, 0)}, {(2, 0), (3, 0)}
    assert spread("path", {"path": street, "plaza": square}) == street | {(2, 0)}
    assert spread("plaza", {"path": street, "plaza": square}) == square
    assert spread("path", {"path": street, "meadow": square}) == street
