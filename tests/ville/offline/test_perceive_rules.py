"""Importance without a model: from a made bed to a break-up, and less for what one knows already."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ville.persona.prompt_template.blanks import NumberedTexts
from ville.persona.prompt_template.perceive_questions import HowImportant

ADA = "Name: Ada Stone\nAge: 30\nCurrently: Ada Stone mends shoes."


def weight(ask, happening, identity=ADA):
    return ask(HowImportant(identity, "Ada", NumberedTexts((happening,)))).scores[0]


@pytest.mark.parametrize(
    ("lighter", "heavier"),
    [
        ("bed is idle", "Ada Stone is writing a letter"),
        ("Ben Reed is eating dinner", "Ben Reed is practising the guitar"),
        ("Ben Reed is practising the guitar", "Ada Stone heard from Ben Reed that there is a job"),
        ("Ada Stone has told Ben Reed about the shop", "Ada Stone was invited to a wedding"),
        ("Ada Stone was invited to a wedding", "Ben Reed is in love with Ada Stone"),
        ("Ben Reed is in love with Ada Stone", "Ada Stone and Ben Reed broke up"),
        ("Ada Stone and Ben Reed broke up", "Ada Stone's father died"),
    ],
)
def test_some_things_weigh_more_than_others(ask, lighter, heavier):
    """The order is the one that anybody would give."""
    assert weight(ask, lighter) < weight(ask, heavier)


def test_the_scale_has_both_ends(ask):
    """A bed is 1, a death is 10. (paper §4.1: brushing teeth to a break-up)"""
    assert weight(ask, "bed is idle") == 1
    assert weight(ask, "Ada Stone's mother died") == 10


def test_a_party_is_seen_without_excitement(ask):
    """A sight of the whole evening weighs little each time, or a host would reflect without end."""
    for sight in ("Ben Reed is dancing at the party", "Ben Reed is thanking the guests for the party"):
        assert weight(ask, sight) <= 3


def test_talk_of_what_is_on_the_mind_already_excites_less(ask):
    """The same talk weighs more for whom it is new, and more when one takes part than when one walks past."""
    busy = "Name: Ada Stone\nCurrently: Ada Stone has heard that Sam Moore is running for mayor."
    own = "Ada Stone is conversing about Sam Moore running for mayor"
    assert weight(ask, own, busy) < weight(ask, own)
    assert weight(ask, own.replace("Ada Stone", "Ben Reed")) < weight(ask, own)


def test_ones_own_concerns_weigh_more(ask, cast):
    """The same deed means more to whom it touches."""
    happening = "Maria Lopez is working on problem sheets for the physics degree"
    assert weight(ask, happening, cast["Maria Lopez"].identity()) > weight(ask, happening)


@settings(max_examples=200)
@given(happenings=st.lists(st.text(max_size=60), min_size=1, max_size=8), identity=st.text(max_size=80))
def test_anything_can_be_weighed(ask, happenings, identity):
    """As many scores as happenings, each from 1 to 10; the order does not matter."""
    scores = ask(HowImportant(identity, "Ada", NumberedTexts(tuple(happenings)))).scores
    assert scores == ask(HowImportant(identity, "Ada", NumberedTexts(tuple(reversed(happenings))))).scores[::-1]
