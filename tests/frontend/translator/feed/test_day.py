"""A day is told as it was: what was done covers it once, chapters follow it, the plan is judged by it."""

from itertools import pairwise

import pytest
from edges import edged
from hypothesis import given
from hypothesis import strategies as st

from translator.feed.day import DAY, DoneStretch, PlanState, beside_plan, chapters, stretches
from translator.feed.doings import doings
from translator.feed.feed import FeedEntry, FeedKind
from translator.feed.timeline import ConversationSpan

ADA, BEN = "Ada Stone", "Ben van Reed"
RECORDS = {0: "sleeping @ Town:Home:room:bed", 6: "getting up (stretching) @ Town:Home:room:bed"}
ENTRIES = [
    FeedEntry(6, FeedKind.WAKES, (BEN, ADA)),
    FeedEntry(8, FeedKind.BEGINS, (BEN,), "Park", "running"),
    FeedEntry(10, FeedKind.BEGINS, (ADA,), "Shop", "selling tea"),
    FeedEntry(30, FeedKind.SLEEPS, (BEN,)),
]
TALKS = [ConversationSpan(12, 14, [BEN, ADA], "conversing about tea"), ConversationSpan(20, 21, [BEN, "Eve"], "x")]
SLEEP = DoneStretch(0, 400, "sleeping", asleep=True)


def done(end=40):
    """Return what Ada did: each step is a minute."""
    shown = lambda step: {"description": RECORDS[step]}  # noqa: E731
    return doings(ADA, ENTRIES, TALKS, span=(0, end), shown=shown)


def test_what_one_persona_did_follows_from_what_all_did():
    """Others' entries and talks leave no trace; a conversation interrupts an activity, which then goes on."""
    assert [(one.first, one.end, one.task, one.place, one.partners) for one in done()] == [
        (0, 6, "sleeping", "Home", ()),
        (6, 10, "getting up", "Home", ()),
        (10, 12, "selling tea", "Shop", ()),
        (12, 15, "tea", "", (BEN,)),
        (15, 40, "selling tea", "Shop", ()),
    ]


@pytest.mark.parametrize("end", range(1, 41))
def test_every_step_is_told_once(end):
    """Up to the moment asked for, and not beyond."""
    told = done(end)
    assert (told[0].first, told[-1].end) == (0, end)
    assert all(one.end == other.first for one, other in pairwise(told))


def test_a_day_takes_what_is_its_own():
    """Steps of ten seconds; what began before midnight is cut there."""
    today = stretches(done(), midnight=12, steps_a_minute=6)
    assert (today[0].start, today[0].task) == (0, "tea")
    assert today[-1].end == pytest.approx(28 / 6)
    assert stretches(done(), midnight=-6 * DAY, steps_a_minute=6) == []


minutes = st.sampled_from([1, DAY - 1, DAY, DAY + 1]) | st.integers(1, 400)
tasks = st.lists(st.tuples(st.sampled_from(["sleeping", "reading", "cooking"]), minutes), max_size=12)


def as_stretches(rows):
    """Done one after the other."""
    found, start = [], 0
    for task, minutes in rows:
        found.append(DoneStretch(start, min(DAY, start + minutes), task, asleep=task == "sleeping"))
        start += minutes
    return [one for one in found if one.start < DAY]


@given(tasks, edged(1, DAY))
def test_chapters_cover_the_day_in_order(rows, until):
    """Whatever was done: from midnight to the moment, without gaps, none twice, but for the two ends of the night."""
    told = chapters(as_stretches(rows), until)
    assert (told[0].start, told[-1].end) == (0, until)
    assert all(one.end == other.start for one, other in pairwise(told))
    kinds = [one.kind for one in told if one.kind != "night"]
    assert len(kinds) == len(set(kinds))
    assert kinds == [kind for kind in ("morning", "noon", "afternoon", "evening") if kind in kinds]


def test_a_chapter_begins_where_something_begins():
    """Lunch at half past twelve is where noon begins; going on after a talk is not a beginning."""
    day = [
        SLEEP,
        DoneStretch(400, 710, "selling tea"),
        DoneStretch(710, 715, "tea", partners=(BEN,)),
        DoneStretch(715, 750, "selling tea"),
        DoneStretch(750, 800, "eating lunch"),
        DoneStretch(800, 1330, "reading"),
        DoneStretch(1330, DAY, "sleeping", asleep=True),
    ]
    told = {one.start: one for one in chapters(day)}
    assert [told[start].kind for start in (0, 400, 750, 800, 1330)] == [
        "night", "morning", "noon", "afternoon", "night",
    ]  # fmt: skip
    assert told[400].tasks == ("selling tea",)
    assert told[750].tasks == ("eating lunch",)
    assert told[0].tasks == ("sleeping",)


@given(tasks, tasks, edged(0, DAY))
def test_a_plan_is_judged_by_what_was_done(plan, actual, now):
    """Kept if it was done, dropped if not at all, ahead if its time has not come; what was done instead lies within."""
    rows = beside_plan(plan, as_stretches(actual), now)
    assert [row.task for row in rows] == [
        task for number, (task, _) in enumerate(plan) if plan[number - 1 : number] == [] or plan[number - 1][0] != task
    ]
    for row in rows:
        inside = [
            (one, min(one.end, row.end, now) - max(one.start, row.start))
            for one in as_stretches(actual)
            if min(one.end, row.end, now) > max(one.start, row.start)
        ]
        passed = sum(minutes for _, minutes in inside)
        share = sum(minutes for one, minutes in inside if one.task == row.task) / passed if passed else None
        expected = {None: PlanState.AHEAD, 0.0: PlanState.DROPPED, 1.0: PlanState.KEPT}
        assert row.state is expected.get(share, row.state)
        assert all(row.start <= one.start < one.end <= min(row.end, now) for one in row.instead)
        assert row.task not in {one.task for one in row.instead}
