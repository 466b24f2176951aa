"""Reacting without a model: who goes up to whom, and how often."""

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ville.persona.prompt_template.blanks import QuotedMemory
from ville.persona.prompt_template.react_questions import HowToReact

NOON = datetime(2023, 2, 13, 12)
PARTY = "{name} is giving a Valentine's Day party at Hobbs Cafe on February 14th, 2023, from 5pm to 7pm"


def reacts(
    ask,
    who,
    other,
    *,
    seed=1,
    own="reading",
    their="having a coffee",
    last="never",
    choices=("talk", "carry on"),
    more=(),
):
    memories = (*who.memories, *(QuotedMemory(NOON, text, "thought") for text in more))
    question = HowToReact(who.identity(), who.name, NOON, other, own, their, last, memories, choices)
    return ask(question, seed=seed).choice


def share(ask, who, other, **circumstances):
    """How often out of three hundred times two would talk."""
    return sum(reacts(ask, who, other, seed=seed, **circumstances) == "talk" for seed in range(300)) / 300


def test_nobody_is_woken(ask, cast):
    """Who sleeps, or passes somebody who sleeps, does not talk."""
    for seed in range(100):
        assert reacts(ask, cast["Isabella Rodriguez"], "Maria Lopez", seed=seed, their="sleeping") == "carry on"


@pytest.mark.parametrize("doing", ["taking a shower", "using the toilet", "brushing the teeth", "getting dressed"])
def test_people_are_left_alone_in_the_bathroom(ask, cast, doing):
    """Nobody speaks to who washes or dresses, nor from there to anybody."""
    for seed in range(100):
        assert reacts(ask, cast["Isabella Rodriguez"], "Maria Lopez", seed=seed, their=doing) == "carry on"
        assert reacts(ask, cast["Isabella Rodriguez"], "Maria Lopez", seed=seed, own=doing) == "carry on"


def test_people_do_not_talk_all_the_time(ask, cast):
    """Of a hundred chances most pass; after a talk of ten minutes ago nearly all."""
    who = cast["Jane Moreno"]
    assert 0 < share(ask, who, "Tamara Taylor") < 0.3
    assert share(ask, who, "Tamara Taylor", last="today, 10 minutes ago, conversing about soup") < 0.05


def test_news_loosens_the_tongue(ask, cast):
    """Who has something of their own to tell goes up to others more often than the same person without it."""
    who = cast["Maria Lopez"]
    news = (PARTY.format(name=who.name),)
    assert share(ask, who, "Klaus Mueller", more=news) > share(ask, who, "Klaus Mueller")


def test_friends_before_strangers(ask, cast):
    """One talks more to those one likes than to those one does not know."""
    who = cast["Isabella Rodriguez"]
    assert share(ask, who, "Maria Lopez") > share(ask, who, "Ove Lund")


def test_who_needs_what_another_uses_waits(ask, cast):
    """One shower, two people: the second waits, if waiting is among the choices."""
    choices = ("wait", "carry on")
    assert reacts(ask, cast["Klaus Mueller"], "Wolfgang Schulz", own="taking a shower", their="taking a shower",
                  choices=choices) == "wait"  # fmt: skip
    assert (
        reacts(ask, cast["Klaus Mueller"], "Wolfgang Schulz", own="reading", their="reading", choices=choices)
        == "carry on"
    )


@settings(max_examples=60)
@given(
    texts=st.lists(st.text(max_size=40), max_size=5), names=st.tuples(st.text(min_size=1, max_size=20), st.text()),
    last=st.text(max_size=40), choices=st.sampled_from([("carry on",), ("talk", "carry on"), ("wait", "carry on")]),
)  # fmt: skip
def test_any_meeting_has_an_answer(ask, texts, names, last, choices):
    """Whoever meets whom, the choice is one that the situation allows."""
    name, other = names
    memories = tuple(QuotedMemory(NOON, text, "event") for text in texts)
    ask(HowToReact(f"Name: {name}", name, NOON, other, "reading", "reading", last, memories, choices))
