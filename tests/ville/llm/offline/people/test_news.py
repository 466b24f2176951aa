"""News: read out of any text that tells it, and put into words again unharmed."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.llm.offline.english.hours import Span
from ville.llm.offline.people.news import News, merged, news_in, news_known

TODAY = date(2023, 2, 13)
PARTY = "Isabella Rodriguez is giving a Valentine's Day party at Hobbs Cafe on February 14th, 2023, from 5pm to 7pm"


@given(
    who=st.sampled_from(["Ada Stone", "Ove Lund", "Bao de la Cruz"]),
    what=st.sampled_from(["birthday party", "concert", "farewell picnic", "wedding", "exhibition"]),
    place=st.sampled_from(["Hobbs Cafe", "Johnson Park", "The Rose and Crown Pub"]),
    ahead=st.integers(0, 90), hours=st.tuples(st.integers(7, 20), st.integers(1, 3)),
)  # fmt: skip
def test_what_is_told_is_understood(who, what, place, ahead, hours):
    """Whose, what, where, on which day, from when to when: nothing is lost between mouth and ear."""
    start, length = hours
    item = News(what.split()[-1], who, what, TODAY + timedelta(ahead), Span(start * 60, (start + length) * 60), place)
    (heard,) = news_in(f"{item.as_sentence()}.", TODAY)
    assert (heard.who, heard.day, heard.span, heard.place) == (item.who, item.day, item.span, item.place)
    assert heard.is_same(item)


@pytest.mark.parametrize(
    "told",
    [
        "There is a rooftop concert at Hobbs Cafe tonight at 8 pm",
        "There will be a rooftop concert at Hobbs Cafe this evening at 8pm.",
        (
            "For Ada Stone's planning: Ada Stone has told Ove Lund that there will be a rooftop concert at Hobbs Cafe "
            "on February 13th, 2023, at 8pm, and Ove wants to go"
        ),
        (
            "For Ove Lund's planning: Ove Lund heard from Ada Stone that there will be a rooftop concert at Hobbs Cafe "
            "on February 13th, 2023, at 8pm"
        ),
    ],
)
def test_what_is_nobodys_stays_nobodys(told):
    """An occasion without a host is news if it is known when and where; who tells it does not become its host."""
    (item,) = news_in(told, TODAY, "Ada Stone")
    assert (item.who, item.what, item.place, item.span.start) == ("", "rooftop concert", "Hobbs Cafe", 20 * 60)
    assert item.day == TODAY


def test_yesterdays_tonight_is_over():
    """What was remembered of a day is understood from that day."""
    told = "There is a rooftop concert at Hobbs Cafe tonight at 8 pm"
    (item,) = news_known([(told, TODAY - timedelta(1))])
    assert item.day == TODAY - timedelta(1)


def test_hearing_twice_is_knowing_once():
    """The same occasion told in two ways is one, with all that is known of it."""
    (item,) = merged((*news_in(PARTY, TODAY), *news_in("Isabella Rodriguez's party on February 14th", TODAY)))
    assert item.span == Span(17 * 60, 19 * 60)
    assert item.place == "Hobbs Cafe"


@pytest.mark.parametrize(
    "text",
    [
        f"Ben Reed is conversing about {PARTY}", "Isabella Rodriguez is in love with Ben Reed, a secret",
        "Who is running for mayor?", "Ada Stone likes parties", "This is Ada Stone's plan for Monday: a party at 5pm",
    ],
)  # fmt: skip
def test_what_is_no_news(text):
    """Talk overheard, secrets, questions, likings and plans."""
    assert news_in(text, TODAY) == ()


def test_an_occasion_is_over_when_its_hours_are():
    """It has begun at its hour, and is over at its end, not before."""
    (item,) = news_in(PARTY, TODAY)
    five, seven = datetime(2023, 2, 14, 17), datetime(2023, 2, 14, 19)
    minute = timedelta(minutes=1)
    assert (item.has_begun(five - minute), item.has_begun(five)) == (False, True)
    assert (item.is_over(seven - minute), item.is_over(seven)) == (False, True)


def test_a_candidacy_is_told_in_anybodys_words():
    """By oneself, by others, to the one it is about."""
    for text, teller, listener in (
        ("I'm running for mayor in next month's local election.", "Sam Moore", "Ada Stone"),
        ("My husband Sam Moore is running for mayor in next month's local election.", "Jennifer Moore", "Ada Stone"),
        ("I hear that you are running for mayor.", "Ada Stone", "Sam Moore"),
    ):
        (item,) = news_in(text, TODAY, teller, listener)
        assert (item.kind, item.who) == ("candidacy", "Sam Moore")


@given(st.text(max_size=120), st.dates(date(1990, 1, 1), date(2060, 12, 31)))
def test_any_text_can_be_read(text, today):
    """Most texts tell nothing new; none fails."""
    news_in(text, today)
