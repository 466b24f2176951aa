"""The catalogue of pictures is complete and reports unknown names."""

import pytest

from town_builder.art.canvas import TILE
from town_builder.art.catalogue import STEPS, CatalogueError, picture_of, ramp_of, stamps
from town_builder.art.drawing import DRAWINGS
from town_builder.art.palette import RAMPS
from town_builder.compose.things import VARIETY


def test_stamps_and_drawings_are_the_same_names() -> None:
    """Every stamp has a drawing, and every drawing has a stamp."""
    assert set(stamps()) == set(DRAWINGS)


def test_pictures_keep_to_their_tiles() -> None:
    """Pictures are not empty and stay inside the footprint of their stamp."""
    for name in stamps():
        stamp, picture = stamps()[name], picture_of(name)
        for canvas in filter(None, (picture.below, picture.cover)):
            assert canvas.width <= stamp.width * TILE, name
            assert canvas.height <= stamp.height * TILE, name
        assert picture.below.drawn.any(), name


def test_own_colour_is_the_default() -> None:
    """Without a colour a stamp has its colour in stamps.yaml."""
    bed = stamps()["bed"]
    assert bed.colour is not None
    assert (picture_of("bed").below.pixels == picture_of("bed", bed.colour).below.pixels).all()


@pytest.mark.parametrize("name", [name for name, stamp in stamps().items() if stamp.variants])
def test_every_named_variant_is_a_look_of_its_own(name: str) -> None:
    """Each named variant gives a different picture, and all of them also occur by chance."""
    variants = stamps()[name].variants
    looks = {picture_of(name, variant=number).below.pixels.tobytes() for number in range(len(variants))}
    assert len(looks) == len(set(variants)) == len(variants) <= VARIETY


def test_every_ramp_is_long_enough_to_paint_with() -> None:
    """Ramps for drawings have at least five steps; short ones are extended at the light end."""
    for colour in RAMPS:
        ramp = ramp_of(colour)
        assert len(ramp) >= STEPS, colour
        assert ramp[: len(RAMPS[colour])] == RAMPS[colour], colour


@pytest.mark.parametrize(
    ("name", "colour", "hint"),
    [("bedd", None, "'bed'"), ("bed", "blu", "'blue'"), ("zeppelin", None, "stamps.yaml")],
)
def test_unknown_names_get_one_clear_line(name: str, colour: str | None, hint: str) -> None:
    """The message names the unknown name, and the nearest known name or where to find one."""
    with pytest.raises(CatalogueError, match=hint) as problem:
        picture_of(name, colour)
    assert repr(colour or name) in str(problem.value)
    assert "\n" not in str(problem.value)
