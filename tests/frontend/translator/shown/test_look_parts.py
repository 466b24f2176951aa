"""Every part of a look that a page offers can be drawn, and shows."""

import pytest

from town_builder.art.people.sheet import sheet
from translator.shown import look_parts
from translator.storage.town.drawn_looks import look_of

PLAIN = {
    "skin": "tan",
    "eyes": "brown",
    "hair": {"cut": "short", "colour": "black"},
    "clothes": {"top": "grey", "bottom": "grey"},
}


def entry(part, value):
    """An entry of a looks file in which one part is another."""
    hair, clothes = PLAIN["hair"], PLAIN["clothes"]
    coloured = {value: "yellow"} if value else {}
    return {
        "skin": lambda: {**PLAIN, "skin": value},
        "hair": lambda: {**PLAIN, "hair": {**hair, "colour": value}},
        "cut": lambda: {**PLAIN, "hair": {**hair, "cut": value}},
        "beard": lambda: {**PLAIN, "face": {"beard": value or None}},
        "fit": lambda: {**PLAIN, "clothes": {**clothes, "fit": value}},
        "top": lambda: {**PLAIN, "clothes": {**clothes, "top": value}},
        "bottom": lambda: {**PLAIN, "clothes": {**clothes, "bottom": value}},
        "detail": lambda: {**PLAIN, "clothes": {**clothes, "details": coloured}},
        "thing": lambda: {**PLAIN, "worn": coloured},
    }[part]()


OFFERED = {
    "skin": look_parts.SKIN,
    "hair": look_parts.HAIR,
    "cut": look_parts.CUT,
    "beard": look_parts.BEARD,
    "fit": look_parts.FIT,
    "top": look_parts.CLOTH,
    "bottom": look_parts.CLOTH,
    "detail": look_parts.DETAIL,
    "thing": look_parts.WORN,
}


@pytest.mark.parametrize("part", OFFERED)
def test_no_two_choices_look_alike(part):
    """Each is seen on the sprite sheet."""
    drawn = {value: sheet(look_of(entry(part, value))).pixels.tobytes() for value in OFFERED[part]}
    assert len({*drawn.values()}) == len(drawn)
