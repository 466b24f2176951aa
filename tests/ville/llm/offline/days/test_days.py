"""Days: what a requirement asks for, and that a plan in words is read back as it was meant."""

from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.llm.offline.days.agenda import hours_of, lines_of
from ville.llm.offline.days.day import day_of
from ville.llm.offline.days.duties import duties_of
from ville.llm.offline.english.verbs import gerund
from ville.llm.offline.people.person import Person

MONDAY = date(2023, 2, 13)


@pytest.mark.parametrize(
    ("requirement", "start", "end", "place"),
    [
        ("From 8am to 8pm Ada keeps Hill Cafe open and stands behind the counter.", 8, 20, "Hill Cafe"),
        ("Ada works behind the counter of the Old Shop from 9am to 5pm.", 9, 17, "Old Shop"),
        ("Ada teaches at Oak Hill College from 10am to 2pm.", 10, 14, "Oak Hill College"),
        ("Ada goes to the library of Oak Hill College early in the morning, studies until 3pm.", 7, 15, "Oak Hill"),
    ],
)
def test_a_requirement_is_kept(requirement, start, end, place):
    """From when to when, and where."""
    duties = duties_of(Person("Ada Stone", requirement=requirement, learned="Ada Stone studies law."))
    assert (duties[0].start, duties[-1].end) == (start * 60, end * 60)
    assert all(place in duty.what for duty in duties)


@given(st.integers(3, 11), st.integers(20, 26), st.integers(0, 50))
def test_a_plan_in_words_means_the_same_hours(wakes, beds, seed):
    """Hours become lines with times, and lines the same hours again."""
    lifestyle = (
        f"Ada Stone goes to bed around {(beds - 1) % 12 + 1}{'pm' if beds < 24 else 'am'}, wakes up around {wakes}am."
    )
    ada = Person("Ada Stone", lifestyle=lifestyle)
    hours = day_of(ada, MONDAY, wakes=wakes, going=(), rng=Random(seed))  # noqa: S311 - a seeded day
    meant = ["sleeping" if hour == "sleep" else gerund(hour) for hour in hours]
    assert hours_of(lines_of(hours, ada), ada, wakes) == meant


@given(st.text(max_size=150), st.sampled_from(["", "Ada Stone studies law.", "Ada Stone keeps bees."]))
def test_any_requirement_can_be_read(requirement, learned):
    """What cannot be understood asks for nothing, or for something that fits into a day."""
    for duty in duties_of(Person("Ada Stone", requirement=requirement, learned=learned)):
        assert duty.start is None or 0 <= duty.start <= 24 * 60
