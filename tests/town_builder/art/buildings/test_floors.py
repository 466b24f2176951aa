"""Floors are complete, low in contrast and distinct."""

import numpy as np

from town_builder.art.buildings.floors import FLOORS, VARIANTS, floor
from town_builder.art.canvas import OPAQUE, TILE

LOUD = 28
"""Upper limit of the standard deviation of brightness (of 255), so that furniture stands out."""


def brightness(picture):
    return picture.pixels[..., :3].astype(float) @ np.array([0.3, 0.59, 0.11])


def test_a_floor_covers_its_tile():
    """Floors have no transparent pixel."""
    for name in FLOORS:
        for variant in range(VARIANTS):
            tile = floor(name, variant)
            assert (tile.width, tile.height) == (TILE, TILE), (name, variant)
            assert (tile.pixels[..., 3] == OPAQUE).all(), (name, variant)


def test_a_floor_stays_quiet():
    """The contrast of a floor is low."""
    for name in FLOORS:
        assert brightness(floor(name)).std() < LOUD, name


def test_variants_share_their_brightness():
    """All variants of a floor have a similar brightness."""
    for name in FLOORS:
        means = [brightness(floor(name, variant)).mean() for variant in range(VARIANTS)]
        assert max(means) - min(means) < 6, name


def test_no_two_floors_look_alike():
    """There are at least eight floors, all different."""
    assert len({floor(name).pixels.tobytes() for name in FLOORS}) == len(FLOORS) >= 8
