"""Times of day and dates, read and spoken."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.llm.offline.english.hours import (
    DAY,
    Span,
    day_in,
    minutes_of,
    span_in,
    spoken_day,
    spoken_hour,
    spoken_span,
    without_times,
)

MINUTES = st.integers(0, DAY - 1)


@given(MINUTES)
def test_a_spoken_hour_is_understood(minutes):
    """What is said is what is heard."""
    assert minutes_of(spoken_hour(minutes)) == minutes


@given(st.integers(0, DAY - 2), st.integers(1, DAY - 1))
def test_a_spoken_span_is_understood(start, length):
    """From when to when, on the same day."""
    span = Span(start, min(DAY - 1, start + length))
    assert span_in(f"a concert {spoken_span(span)}") == span


@given(st.dates(date(1990, 1, 1), date(2060, 12, 31)), st.integers(-150, 150))
def test_a_spoken_day_is_the_nearest_one(today, ahead):
    """Month and day without a year mean the nearest such day."""
    day = date.fromordinal(today.toordinal() + ahead)
    assert day_in(spoken_day(day), today) == day


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("from 5 to 7pm", Span(17 * 60, 19 * 60)), ("between nine and five o'clock", Span(9 * 60, 17 * 60)),
        ("at noon", Span(12 * 60)), ("at half past six", Span(18 * 60 + 30)), ("until midnight", Span(None, DAY)),
        ("at 7:15 am", Span(7 * 60 + 15)), ("somewhen", Span()),
    ],
)  # fmt: skip
def test_hours_as_people_write_them(text, span):
    """A bare small hour is meant in the afternoon, a range by its end."""
    assert span_in(text) == span


def test_a_plan_without_its_times():
    """Only the times go."""
    assert without_times("have lunch at noon at the cafe") == "have lunch at the cafe"
    assert without_times("work behind the counter from 8am to 6pm") == "work behind the counter"


@given(st.text(max_size=60), st.dates(date(1990, 1, 1), date(2060, 12, 31)))
def test_any_text_can_be_searched_for_times(text, today):
    """What names no time has none; nothing fails."""
    span_in(text)
    day_in(text, today)
    without_times(text)
