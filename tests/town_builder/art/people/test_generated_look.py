"""Looks generated from names."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from town_builder.art.people.figure import frame
from town_builder.art.people.generated_look import look_for
from town_builder.art.people.pose import Pose, View
from town_builder.art.people.sheet import sheet

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=[]), max_size=300)
STAND = Pose(View.FRONT, 0)


@given(ANY_TEXT)
@settings(max_examples=60)
def test_any_name_has_a_look(name: str) -> None:
    """Every text, even an empty one or lone surrogates, has a reproducible look that can be drawn."""
    look = look_for(name)
    assert look_for(name) == look
    assert frame(look, STAND).drawn.sum() > 300


@given(st.text(max_size=30))
@settings(max_examples=60)
def test_unicode_normalization_does_not_matter(name: str) -> None:
    """Composed and decomposed letters give the same look."""
    assert look_for(unicodedata.normalize("NFD", name)) == look_for(unicodedata.normalize("NFC", name))


def test_different_names_are_different_people() -> None:
    """Of a thousand names almost none share a look, and of forty none share a sheet."""
    looks = [look_for(f"Somebody {number}") for number in range(1000)]
    assert len(set(map(repr, looks))) > 990
    assert len({sheet(look).pixels.tobytes() for look in looks[:40]}) == 40


def test_generated_looks_are_diverse() -> None:
    """A thousand names produce every skin, every haircut of both style sets, hats and bare heads."""
    looks = [look_for(f"Passer-by {number}") for number in range(1000)]
    assert len({look.skin for look in looks}) == 5
    assert len({look.hair.cut for look in looks}) == 19
    assert {bool(look.worn) for look in looks} == {True, False}


def test_related_choices_fit_together() -> None:
    """Lashes and beards exclude each other, and old hair is grey or white."""
    looks = [look_for(f"Neighbour {number}") for number in range(1000)]
    assert not [look for look in looks if look.face.beard and "lashes" in look.face.marks]
    assert {look.hair.colour for look in looks if "wrinkles" in look.face.marks} == {"grey", "white"}
