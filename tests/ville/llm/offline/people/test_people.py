"""Who people are, how they stand to each other, and what they make of an invitation."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.llm.offline.english.hours import HOUR
from ville.llm.offline.people.news import news_in
from ville.llm.offline.people.opinions import eagerness, feeling, keeps_word, shift_during, wants_to_go
from ville.llm.offline.people.person import Person, person
from ville.llm.offline.people.ties import closeness, is_family, tie

TODAY = date(2023, 2, 13)
PARTY = news_in("Isabella Rodriguez is giving a party at Hobbs Cafe on February 14th, 2023, from 5pm to 7pm", TODAY)[0]
ADA, BEN = "Ada Stone", "Ben Reed"


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("Ben Reed is Ada Stone's husband", True), ("Ada Stone loves Ben Reed, her husband", True),
        ("Ada Stone and Ben Reed are married", True), ("Ben Reed is Ada Stone's son", True),
        ("Ada Stone knows Ben Reed and his wife", False), ("Ben Reed works with Ada Stone's husband", False),
        ("Ada Stone likes Ben Reed better than her husband", False), ("Ada Stone and Ben Reed are friends", False),
    ],
)  # fmt: skip
def test_family_is_whoever_the_text_says(text, family):
    """Not everybody who is mentioned beside a husband is one."""
    assert is_family(ADA, BEN, [text]) is family


def test_friends_are_closer_than_acquaintances_and_those_than_strangers():
    """Closeness orders people as one would."""
    friend = closeness(ADA, BEN, ["Ada Stone and Ben Reed are close friends"])
    known = closeness(ADA, BEN, ["Ada Stone knows Ben Reed from the shop"])
    assert friend > known > closeness(ADA, BEN, []) > 0
    assert tie(ADA, BEN, []) == ""


@given(st.integers(-2, 2), st.sampled_from(["outgoing", "shy", "rude", "odd", ""]))
def test_one_goes_rather_to_those_one_likes(liking, innate):
    """Whatever the temper."""
    who = Person(ADA, innate=innate)
    assert eagerness(who, liking) >= eagerness(who, liking - 1)


def test_dislike_is_seen():
    """Words give away what somebody feels, and nothing is felt for whom nothing is said of."""
    assert feeling(["Ada Stone cannot stand Ben Reed"], BEN) < 0 < feeling(["Ada Stone likes Ben Reed"], BEN)
    assert feeling(["Ada Stone likes Ben Reed"], "Ove Lund") == 0


def test_the_host_comes():
    """Always, and keeps word."""
    host = Person("Isabella Rodriguez")
    assert wants_to_go(host, PARTY, (), TODAY)
    assert keeps_word(host, PARTY)


def test_a_decision_stands():
    """Who has said yes means yes, who has said no means no, whatever the lot says."""
    for name in ("Ada Stone", "Ben Reed", "Ove Lund", "Nia Sol", "Cleo Moor"):
        first = name.split()[0]
        told = "was invited by Isabella Rodriguez to the party at Hobbs Cafe on February 14th, 2023, from 5pm to 7pm"
        assert wants_to_go(Person(name), PARTY, (f"{name} {told}, and {first} wants to go",), TODAY)
        assert not wants_to_go(Person(name), PARTY, (f"{name} {told}, but {first} cannot go",), TODAY)


def test_who_stands_behind_a_counter_is_tied_down():
    """For the hours of the shift only."""
    requirement = "From {} Ben Reed stands behind the counter of the Old Shop."
    assert shift_during(PARTY, Person(BEN, requirement=requirement.format("4pm to 10pm")))
    assert not shift_during(PARTY, Person(BEN, requirement=requirement.format("8am to 4pm")))


@pytest.mark.parametrize(
    ("lifestyle", "wakes", "beds"),
    [
        ("Ada Stone goes to bed around 11pm, wakes up around 6am, eats dinner around 5pm.", 6, 23),
        ("Ada wakes up at 10am and goes to bed at 2am.", 10, 26),
        ("Ada gets up at half past six and falls asleep at nine.", 6.5, 21),
        ("Ada likes tea.", 7, 22.5),
    ],
)
def test_a_lifestyle_tells_when_somebody_sleeps(lifestyle, wakes, beds):
    """Hours as people write them; a bedtime after midnight belongs to the day before."""
    ada = Person(ADA, lifestyle=lifestyle)
    assert (ada.wakes / HOUR, ada.beds / HOUR) == (wakes, beds)


@given(st.text(max_size=200))
def test_any_identity_describes_somebody(text):
    """With a name, a hour to wake and an hour to sleep."""
    somebody = person(text)
    assert somebody.name
    assert 0 <= somebody.wakes < somebody.beds
