"""Verb forms."""

import pytest

from ville.llm.offline.english.verbs import BASES, base, doing, gerund, ing, is_third, plain, third


def test_every_verb_comes_back_from_its_third_person():
    """`studies` is `study`, `goes` is `go`, `fixes` is `fix`, for each verb that the rules know."""
    assert [verb for verb in BASES if base(third(verb)) != verb or not is_third(third(verb))] == []


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("stop", "stopping"),
        ("lie", "lying"),
        ("make", "making"),
        ("see", "seeing"),
        ("be", "being"),
        ("read", "reading"),
    ],
)
def test_ing_forms(verb, form):
    """Doubled letters, silent e, ie."""
    assert ing(verb) == form


@pytest.mark.parametrize(
    ("phrase", "form"),
    [
        ("wake up and complete the morning routine", "waking up and completing the morning routine"),
        ("have a coffee and watch the street", "having a coffee and watching the street"),
        ("go for a walk and a swim", "going for a walk and a swim"),
        ("lunch with Ben", "lunch with Ben"),
    ],
)
def test_a_plan_becomes_a_doing(phrase, form):
    """Verbs joined by `and` turn with the first; nouns stay."""
    assert gerund(phrase) == form


def test_is_painting_and_paints_are_the_same_doing():
    """Both say what somebody is at."""
    assert doing("is painting a wall") == doing("paints a wall") == "painting a wall"


def test_a_doing_becomes_a_plan_and_a_doing_again():
    """For each verb that the rules know; what begins with no verb stays as it is."""
    assert [verb for verb in BASES if plain(f"{ing(verb)} it") != f"{verb} it"] == []
    assert plain("writing and filming a series") == "write and film a series"
    assert plain("morning prayers") == "morning prayers"
