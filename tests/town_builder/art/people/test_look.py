"""Looks are validated on creation."""

from typing import Any

import pytest

from town_builder.art.people.look import Clothes, Face, Hair, Look, UnknownChoiceError

HAIR, CLOTHES = Hair("bob", "black"), Clothes("red", "blue")
WRONG: list[tuple[type, dict[str, Any], str]] = [
    (Hair, {"cut": "bobb", "colour": "black"}, "hair cut 'bobb' is unknown; choose one of: afro, bald, bob"),
    (Hair, {"cut": "bob", "colour": "plaid"}, "hair colour 'plaid'"),
    (Hair, {"cut": "bob", "colour": "black", "fringe": "none"}, "fringe 'none'"),
    (Hair, {"cut": "bob", "colour": "black", "tie": "silk"}, "tie 'silk'"),
    (Face, {"mouth": "yawn"}, "mouth 'yawn'"),
    (Face, {"brows": "none"}, "brows 'none'"),
    (Face, {"marks": ("scar",)}, "mark 'scar'"),
    (Face, {"beard": "long"}, "beard 'long'"),
    (Face, {"beard_colour": "plaid"}, "beard colour 'plaid'"),
    (Clothes, {"top": "glass", "bottom": "blue"}, "cloth colour 'glass'"),
    (Clothes, {"top": "red", "bottom": "blue", "fit": "kilt"}, "fit 'kilt'"),
    (Clothes, {"top": "red", "bottom": "blue", "sleeves": "wide"}, "sleeves 'wide'"),
    (Clothes, {"top": "red", "bottom": "blue", "details": {"cape": "red"}}, "detail 'cape'"),
    (Clothes, {"top": "red", "bottom": "blue", "details": {"apron": "tartan"}}, "cloth colour 'tartan'"),
    (Look, {"skin": "green", "eyes": "blue", "hair": HAIR, "clothes": CLOTHES}, "skin 'green'"),
    (Look, {"skin": "tan", "eyes": "red", "hair": HAIR, "clothes": CLOTHES}, "eyes 'red'"),
    (Look, {"skin": "tan", "eyes": "blue", "hair": HAIR, "clothes": CLOTHES, "build": "tall"}, "build 'tall'"),
    (
        Look,
        {"skin": "tan", "eyes": "blue", "hair": HAIR, "clothes": CLOTHES, "worn": {"crown": "red"}},
        "thing 'crown'",
    ),
]


@pytest.mark.parametrize(("part", "choices", "expected"), WRONG)
def test_an_invalid_choice_is_reported_with_the_valid_ones(part: type, choices: dict[str, Any], expected: str) -> None:
    """An unknown choice raises an error of one line that lists the valid ones."""
    with pytest.raises(UnknownChoiceError) as caught:
        part(**choices)
    assert expected in str(caught.value)
    assert "choose one of: " in str(caught.value)
    assert "\n" not in str(caught.value)
