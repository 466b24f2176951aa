"""Wall hangings and rugs."""

import pytest

from town_builder.art.canvas import TILE
from town_builder.art.catalogue import picture_of, stamps
from town_builder.art.drawing import DRAWINGS
from town_builder.stamps import UNDER

OURS = {name: DRAWINGS[name].__module__.rpartition(".")[2] for name in stamps()}
HANGINGS = [name for name, module in OURS.items() if module == "hangings"]
RUGS = [name for name, module in OURS.items() if module == "rugs"]


def test_they_fill_their_footprint_and_cover_no_people():
    """Pictures have the size of the footprint, cover no people and are not solid."""
    for name in [*HANGINGS, *RUGS]:
        for variant in range(6):
            picture, stamp = picture_of(name, variant=variant), stamps()[name]
            size = (stamp.width * TILE, stamp.height * TILE)
            assert (picture.below.width, picture.below.height) == size, (name, variant)
            assert picture.cover is None, (name, variant)
            assert set("".join(stamp.footprint)) == {UNDER}, (name, variant)


def test_a_hanging_thing_keeps_off_the_edges():
    """It touches only the upper edge of its tile, so that adjacent ones stay apart."""
    for name in HANGINGS:
        for variant in range(6):
            drawn = picture_of(name, variant=variant).below.pixels[..., 3] > 200
            assert not drawn[-1].any(), (name, variant)
            assert not drawn[:, 0].any(), (name, variant)
            assert not drawn[:, -1].any(), (name, variant)


@pytest.mark.parametrize("name", [name for name in [*HANGINGS, *RUGS] if stamps()[name].colour])
def test_colour_is_visible(name):
    """Another colour gives another picture."""
    assert picture_of(name, "red").below.pixels.tobytes() != picture_of(name, "blue").below.pixels.tobytes()


def test_pictures_differ_from_house_to_house():
    """The variant chooses among several paintings and posters."""
    for name in ("painting", "poster"):
        assert len({picture_of(name, variant=variant).below.pixels.tobytes() for variant in range(6)}) >= 3
