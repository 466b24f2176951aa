"""Outdoor stamps from all modules."""

import numpy as np
import pytest

from town_builder.art.canvas import TILE
from town_builder.art.catalogue import picture_of, stamps
from town_builder.art.drawing import DRAWINGS
from town_builder.art.palette import RAMPS

stamps()
MODULES = ("trees", "shrubs", "fences", "wild", "street", "square", "yard")
OUTDOORS = sorted(name for name, drawing in DRAWINGS.items() if drawing.__module__.split(".")[-1] in MODULES)


def test_pictures_fill_their_footprint() -> None:
    """Pictures have the size of their stamp, and every solid tile shows something."""
    for name in OUTDOORS:
        rows = stamps()[name].footprint
        picture = picture_of(name)
        assert (picture.below.width, picture.below.height) == (len(rows[0]) * TILE, len(rows) * TILE), name
        for y, row in enumerate(rows):
            for x, place in enumerate(row):
                if place == "#":
                    assert picture.below.crop(x * TILE, y * TILE, TILE, TILE).drawn.any(), name


def test_the_same_words_give_the_same_pixels() -> None:
    """A drawing depends only on colour and variant, whichever variant it is."""
    for name in OUTDOORS:
        for variant in (0, 1, 7, 15):
            once, again = picture_of(name, variant=variant), picture_of(name, variant=variant)
            assert np.array_equal(once.below.pixels, again.below.pixels), name


@pytest.mark.slow
def test_every_colour_is_accepted() -> None:
    """Any ramp of the palette changes only the colours, not the shape."""
    for name in OUTDOORS:
        plain = picture_of(name).below.drawn.sum()
        for colour in RAMPS:
            assert abs(int(picture_of(name, colour).below.drawn.sum()) - int(plain)) <= plain // 50, name


def test_colours_are_visible() -> None:
    """A stamp with a configurable colour looks different in another one."""
    for name in sorted(name for name in OUTDOORS if stamps()[name].colour):
        assert not np.array_equal(picture_of(name, "teal").below.pixels, picture_of(name, "yellow").below.pixels), name


@pytest.mark.parametrize("name", ["oak", "slim tree", "pine", "great oak", "bush", "flowers", "tall grass"])
def test_plants_vary(name: str) -> None:
    """Four variants of a plant are four different pictures."""
    assert len({picture_of(name, variant=variant).below.pixels.tobytes() for variant in range(4)}) == 4


@pytest.mark.parametrize("name", ["oak", "slim tree", "pine", "great oak"])
def test_the_last_row_shows_the_trunk(name: str) -> None:
    """In the last row the tree is at most half as wide as its crown."""
    opaque = picture_of(name).below.pixels[..., 3] == 255
    widths = opaque.any(0).sum(), opaque[-TILE // 2 :].any(0).sum()
    assert widths[1] * 2 < widths[0] * (2 if name == "slim tree" else 1)
