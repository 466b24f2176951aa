"""Days and conversations."""

from datetime import date, datetime

from edges import edged
from hypothesis import given
from hypothesis import strategies as st

from translator.feed.timeline import ConversationTracker, DayStart, days
from ville.storage.records.meta import Meta

HELLO, BYE = [["Ada", "Hello."], ["Ben", "Hello."]], [["Ben", "Bye."]]


def heard(*steps):
    tracker = ConversationTracker()
    for step, chats in enumerate(steps):
        talking = {name: {"chat": chat, "description": f"talking @ {name}"} for name, chat in chats.items()}
        tracker.add(step, talking)
    return [(talk.first, talk.last, talk.names) for talk in tracker.conversations]


def test_a_conversation_lasts_while_it_is_shown():
    """From its first step to its last, with all who show it."""
    both = {"Ada": HELLO, "Ben": HELLO}
    assert heard({}, both, both, both, {}) == [(1, 3, ["Ada", "Ben"])]


def test_a_conversation_says_what_it_is_about():
    """As those who have it are described at its beginning, without the address."""
    tracker = ConversationTracker()
    for step, what in enumerate(("talking @ noon about tea", "talking about cake")):
        tracker.add(step, {"Ada": {"chat": HELLO, "description": f"{what} @ <persona> Ben"}})
    assert [talk.about for talk in tracker.conversations] == ["talking @ noon about tea"]


def test_a_new_opening_is_a_new_conversation():
    """Two in a row are two, and so are the same words after a pause."""
    first, second = {"Ada": HELLO, "Ben": HELLO}, {"Ada": BYE, "Ben": BYE}
    assert heard(first, second, {}, second) == [(0, 0, ["Ada", "Ben"]), (1, 1, ["Ada", "Ben"]), (3, 3, ["Ada", "Ben"])]


def test_a_transcript_may_grow():
    """Some engines show the lines as they are spoken: it is the same conversation."""
    assert heard({"Ada": HELLO[:1]}, {"Ada": HELLO, "Ben": HELLO}) == [(0, 1, ["Ada", "Ben"])]


def test_conversations_do_not_mix():
    """Two pairs talk at the same time."""
    others = [["Dan", "Well?"]]
    step = {"Ada": HELLO, "Ben": HELLO, "Cleo": others, "Dan": others}
    assert heard(step, step) == [(0, 1, ["Ada", "Ben"]), (0, 1, ["Cleo", "Dan"])]


def test_whoever_speaks_takes_part():
    """Also a user in a role, who is nowhere in town."""
    assert heard({"Ada": [["a reporter", "Ada?"], ["Ada", "Yes."]]}) == [(0, 0, ["Ada", "a reporter"])]


@given(st.lists(st.booleans(), max_size=20))
def test_every_step_with_talk_lies_in_one_conversation(talking):
    """And every conversation has talk in each of its steps."""
    found = heard(*({"Ada": HELLO} if talk else {} for talk in talking))
    covered = [step for first, last, _ in found for step in range(first, last + 1)]
    assert covered == [step for step, talk in enumerate(talking) if talk]


def meta(hour, seconds):
    return Meta("base", date(2023, 2, 13), datetime(2023, 2, 13, hour), seconds, "small", (), 0)


def test_a_run_has_its_days():
    """Each with the first step that falls into it; the last day is that of the last step."""
    assert days(meta(0, 10), 8640) == [DayStart(date(2023, 2, 13), 0)]
    assert days(meta(0, 10), 8641) == [DayStart(date(2023, 2, 13), 0), DayStart(date(2023, 2, 14), 8640)]
    assert days(meta(6, 10), 8640) == [DayStart(date(2023, 2, 13), 0), DayStart(date(2023, 2, 14), 6480)]
    assert days(meta(0, 10), 0) == [DayStart(date(2023, 2, 13), 0)]


@given(edged(0, 23), edged(1, 86_400), edged(1, 50))
def test_days_begin_where_the_clock_says(hour, seconds, steps):
    """By the plain way: ask every step for its date."""
    run = meta(hour, seconds)
    firsts = {}
    for step in range(steps):
        firsts.setdefault(run.time_of(step).date(), step)
    assert {day.date: day.first for day in days(run, steps) if day.date in firsts} == firsts
