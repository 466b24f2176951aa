"""Saying the same of another person."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.llm.offline.english.grammar import (
    HE,
    SHE,
    THEY,
    in_first_person,
    predicates,
    pronoun_in,
    sentences,
    to_first,
    to_third,
)

ADA = "Ada Stone"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("You love your cafe", "Ada Stone loves her cafe"),
        ("You are going to run for mayor", "Ada Stone is going to run for mayor"),
        ("Ben Reed is your husband", "Ben Reed is Ada Stone's husband"),
        (
            "You have known Ben Reed for years, and he likes you",
            "Ada Stone has known Ben Reed for years, and he likes her",
        ),
        ("Everybody knows that you do not sing", "Everybody knows that Ada Stone does not sing"),
        ("You don't trust Ben Reed", "Ada Stone does not trust Ben Reed"),
    ],
)
def test_you_becomes_the_person(said, told):
    """A whisper is a thought about oneself: name first, pronouns after, verbs in the third person."""
    assert to_third(said, ADA, SHE) == told


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("Ada Stone and Ben Reed are friends, and Ada likes Ben.", "Ben Reed and I are friends, and I like Ben."),
        ("Ada Stone has told Ben Reed about it", "I have told Ben Reed about it"),
        ("Ben Reed is Ada Stone's husband", "Ben Reed is my husband"),
        ("Ben Reed gave Ada Stone a book", "Ben Reed gave me a book"),
    ],
)
def test_the_person_becomes_i(told, said):
    """As one speaks of oneself."""
    assert in_first_person(told, ADA) == said


@pytest.mark.parametrize(
    ("predicate", "said"),
    [
        ("is finishing his book", "I'm finishing my book"), ("has a wife", "I have a wife"),
        ("hears out somebody he disagrees with", "I hear out somebody I disagree with"),
        ("knows which drawer holds what", "I know which drawer holds what"),
    ],
)  # fmt: skip
def test_a_predicate_in_the_first_person(predicate, said):
    """The verb and the pronouns turn."""
    assert to_first(predicate, HE) == said


def test_pronouns_by_the_text():
    """The one that is used most; they, if none is."""
    assert pronoun_in("She paints her wall. He helps.") is SHE
    assert pronoun_in("Ada paints.") is THEY


def test_a_sentence_falls_into_its_verbs():
    """One piece for each thing that somebody does."""
    said = "Ada Stone is painting a wall, and goes to bed early"
    assert predicates(said, ADA, SHE) == ["is painting a wall", "goes to bed early"]


def test_sentences_end_where_they_end():
    """Abbreviations do not end them."""
    assert sentences("Mr. Reed came. He left! Did he?") == ["Mr. Reed came", "He left!", "Did he?"]


@given(st.text(max_size=80), st.text(min_size=1, max_size=20))
def test_any_text_can_be_turned(text, name):
    """Nothing fails, whatever is whispered to whomever."""
    for pronoun in (HE, SHE, THEY):
        to_third(text, name, pronoun)
        to_first(text, pronoun)
    in_first_person(text, name)
