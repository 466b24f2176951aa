"""Laws of schedules."""

import json

import pytest
from edges import edged, minutes_around
from hypothesis import example, given
from hypothesis import strategies as st

from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Activity, Schedule

texts = st.text(st.sampled_from("ab ()"), max_size=12)
rows = st.lists(st.tuples(texts, minutes_around(-60, 600)).map(list), max_size=8)
activities = st.lists(st.builds(Activity, st.sampled_from("abc"), minutes_around(-30, 900)), max_size=6)


def by_minute(schedule: Schedule) -> list[str]:
    return [activity.text for activity in schedule.activities for _ in range(activity.minutes)]


@given(rows)
def test_unchanged_rows_are_written_as_they_were(rows):
    """Including empty and negative ones."""
    assert Schedule.from_rows(rows).rows() == rows


@given(activities)
def test_a_whole_day_stays_as_it_is(activities):
    """Every other schedule becomes one."""
    schedule = Schedule(tuple(activities))
    whole = schedule.whole()
    assert whole == Schedule.whole_day(activities)
    assert whole.whole() is whole


def test_minutes_are_whole():
    """Whatever another program has written."""
    assert json.dumps(Schedule.from_rows([["a", 60.0]]).rows()) == '[["a", 60]]'


@pytest.mark.parametrize(
    ("text", "of", "what"),
    [
        ("sleeping", None, "sleeping"),
        ("baking (kneading dough)", "baking", "kneading dough"),
        ("baking (kneading (rye) dough)", "baking", "kneading (rye) dough"),
        ("lunch (at home) (on the way to work)", "lunch (at home)", "on the way to work"),
        ("(alone)", None, "(alone)"),
        ("a (b) c", None, "a (b) c"),
        ("a)", None, "a)"),
    ],
)
def test_the_last_parentheses_are_a_subtask(text, of, what):
    """A text without any is a whole activity."""
    assert Activity.parse(text, 5) == Activity(what, 5, of)
    assert Activity.parse(text, 5).text == text


@given(activities)
@example([])
@example([Activity("a", 24 * 60 - 1)])
@example([Activity("a", 24 * 60)])
@example([Activity("a", 24 * 60), Activity("b", 1)])
def test_a_whole_day_has_1440_minutes(activities):
    """Empty rows are dropped, midnight cuts, sleep fills up; planned minutes stay."""
    day = Schedule.whole_day(activities)
    planned = by_minute(Schedule(tuple(activities)))[:MINUTES_PER_DAY]
    assert day.minutes == MINUTES_PER_DAY == 24 * 60
    assert all(activity.minutes > 0 for activity in day.activities)
    assert by_minute(day) == planned + ["sleeping"] * (MINUTES_PER_DAY - len(planned))


@given(activities, st.data())
def test_a_minute_is_in_one_row(activities, data):
    """It begins at or before the minute and ends after it; often the minute is the first or the last of a row."""
    day = Schedule.whole_day(activities)
    edges = sorted({minute for slot in day.slots() for minute in (slot.start, slot.end - 1)})
    minute = data.draw(st.sampled_from(edges) | edged(0, MINUTES_PER_DAY - 1))
    slot = list(day.slots())[day.index(minute)]
    assert slot.start <= minute < slot.end
    assert by_minute(day)[minute] == day.at(minute).text


def test_a_minute_after_the_end_is_in_the_last_row():
    """A file may have a short day. Without rows there is an error."""
    assert Schedule.from_rows([["a", 60], ["b", 0], ["c", -20]]).index(100) == 2
    with pytest.raises(ValueError, match="no rows"):
        Schedule().index(0)


@given(activities, st.data())
def test_decomposing_changes_only_that_row(activities, data):
    """The parts take exactly its minutes and have its name; every other minute stays."""
    day = Schedule.whole_day(activities)
    index = data.draw(edged(0, len(day) - 1))
    parts = data.draw(st.lists(st.tuples(st.sampled_from("xyz"), minutes_around(-5, 400)), max_size=5))
    slot = list(day.slots())[index]
    new, old = by_minute(day.decomposed(index, parts)), by_minute(day)
    assert new[: slot.start] == old[: slot.start]
    assert new[slot.end :] == old[slot.end :]
    assert len(new) == MINUTES_PER_DAY
    inside = [f"{slot.activity.text} ({what})" for what, minutes in parts for _ in range(minutes)][: len(old)]
    end = min(slot.end, slot.start + len(inside))
    assert new[slot.start : end] == inside[: end - slot.start]
    assert all(text == new[end - 1] for text in new[end : slot.end]) or not inside


@given(activities, activities, edged(0, MINUTES_PER_DAY), edged(0, MINUTES_PER_DAY))
@example([], [Activity("x", 1)], 0, MINUTES_PER_DAY)
@example([Activity("a", 60)], [Activity("x", 1), Activity("y", 1)], 0, 1)
@example([Activity("a", 60)], [Activity("x", 9)], MINUTES_PER_DAY - 1, MINUTES_PER_DAY)
@example([Activity("a", 60)], [Activity("x", 9)], 60, 60)
@example([Activity("a", 60)], [], 59, 61)
def test_replacing_a_window_changes_only_its_minutes(activities, inserted, one, other):
    """The last new activity is extended to fit; outside, everything stays."""
    start, end = sorted((one, other))
    day = Schedule.whole_day(activities)
    changed = day.with_window(start, end, inserted)
    new, old = by_minute(changed), by_minute(day)
    assert (changed.minutes, min(activity.minutes for activity in changed.activities) > 0) == (MINUTES_PER_DAY, True)
    assert new[:start] == old[:start]
    assert new[end:] == old[end:]
    wanted = by_minute(Schedule(tuple(inserted)))[: end - start]
    assert new[start : start + len(wanted)] == wanted
    if wanted:
        assert set(new[start + len(wanted) : end]) <= {wanted[-1]}
    else:
        assert new == old
