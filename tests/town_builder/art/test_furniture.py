"""Furniture fills its tiles, takes its colour, and leaves the faces of people visible."""

import numpy as np
import numpy.typing as npt
import pytest

from town_builder.art.canvas import OPAQUE, TILE, Canvas
from town_builder.art.catalogue import picture_of, stamps
from town_builder.art.drawing import DRAWINGS
from town_builder.art.palette import RAMPS

FURNITURE = [name for name in stamps() if DRAWINGS[name].__module__.startswith("town_builder.art.furniture.")]
COLOURED = [name for name in FURNITURE if stamps()[name].colour]
PLAIN = [name for name in FURNITURE if not stamps()[name].colour]
BEDS = ["bed", "double bed", "bunk bed"]
SEATS = ["sofa", "long sofa", "library sofa", "armchair", "bar stool", "bean bag", "garden chair", "toilet", "bathtub"]
HEAD = slice(2, 12)
"""Pixel rows of a tile that show the face of a person, standing or drawn a few pixels higher."""
LAP = slice(20, 28)
"""Pixel rows of a tile that show the legs of a person."""


def tile(canvas: Canvas | None, at: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Return the mask of the opaque pixels of one tile."""
    assert canvas is not None
    x, y = at
    return canvas.pixels[y * TILE : (y + 1) * TILE, x * TILE : (x + 1) * TILE, 3] == OPAQUE


def picture_bytes(name: str, colour: str | None = None, variant: int = 0) -> bytes:
    picture = picture_of(name, colour, variant)
    return b"".join(canvas.pixels.tobytes() for canvas in (picture.below, picture.cover) if canvas)


def test_pictures_have_the_size_of_their_footprint() -> None:
    """Pictures and covers have the size of the footprint, for every variant."""
    for name in FURNITURE:
        for variant in [0, 1, 2, 7]:
            stamp, picture = stamps()[name], picture_of(name, variant=variant)
            for canvas in filter(None, (picture.below, picture.cover)):
                assert (canvas.width, canvas.height) == (stamp.width * TILE, stamp.height * TILE), (name, variant)


def test_solid_tiles_are_visible() -> None:
    """The picture covers at least a tenth of every solid tile."""
    for name in FURNITURE:
        picture = picture_of(name)
        assert all(tile(picture.below, at).mean() > 1 / 10 for at in stamps()[name].solid), name


def test_the_same_picture_every_time() -> None:
    """The pixels depend only on name, colour and variant."""
    for name in FURNITURE:
        assert picture_bytes(name, variant=3) == picture_bytes(name, variant=3), name


@pytest.mark.slow
def test_every_colour_gives_another_picture() -> None:
    """A stamp with a colour can be painted in any ramp, and all results differ."""
    for name in COLOURED:
        pictures = {picture_bytes(name, colour) for colour in RAMPS}
        assert len(pictures) == len(RAMPS), name


def test_fixed_colours_ignore_the_ramp() -> None:
    """A stamp without a colour ignores the given ramp."""
    for name in PLAIN:
        assert picture_bytes(name, "red") == picture_bytes(name, "teal"), name


def test_nothing_hides_a_face() -> None:
    """On each use tile, covers leave two thirds of the face visible."""
    for name in FURNITURE:
        cover = picture_of(name).cover
        if cover is not None:
            assert all(tile(cover, at)[HEAD, 8:24].mean() < 1 / 3 for at in stamps()[name].use), name


@pytest.mark.parametrize("name", BEDS)
def test_sleepers_lie_under_the_quilt(name: str) -> None:
    """The quilt covers a sleeper from the shoulders down, and not the pillow."""
    for at in stamps()[name].use:
        assert tile(picture_of(name).cover, at)[20:, 8:24].all()
        assert not tile(picture_of(name).cover, at)[:17].any()


@pytest.mark.parametrize("name", SEATS)
def test_seats_cover_legs(name: str) -> None:
    """The front of a seat is drawn over the legs of the sitter."""
    for at in stamps()[name].use:
        assert tile(picture_of(name).cover, at)[LAP, 12:20].mean() > 1 / 5


def test_covers_repeat_the_picture() -> None:
    """A cover repeats pixels of the picture below it, so that empty furniture looks the same."""
    for name in [name for name in FURNITURE if picture_of(name).cover and name != "shower"]:
        picture = picture_of(name)
        assert picture.cover is not None, name
        shown = picture.cover.drawn
        assert (picture.cover.pixels[shown] == picture.below.pixels[shown]).all(), name
