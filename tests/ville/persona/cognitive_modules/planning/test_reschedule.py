"""Laws of replanning after an interruption."""

from datetime import timedelta

import pytest
from edges import edged, minutes_around
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ville.persona.cognitive_modules.planning.reschedule import replanned_window, reschedule
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Activity, Schedule

HOURLY = Schedule.whole_day(
    [
        Activity("sleeping", 420),
        Activity("baking", 60),
        Activity("tea", 60),
        Activity("reading", 780),
        Activity("bath", 120),
    ]
)


@pytest.mark.parametrize(
    ("begins", "ends", "window"),
    [
        (430, 440, (420, 540)),
        (500, 510, (480, 1320)),
        (600, 610, (540, 1320)),
        (1300, 1330, (540, 1440)),
        (1400, 1440, (1320, 1440)),
    ],
)
def test_the_current_block_is_replanned_with_the_next_if_it_is_short(begins, ends, window):
    """A block of two hours stands alone; the last one ends at midnight; none ends before the interruption.

    docs/migration/faults.md, 38.
    """
    assert replanned_window(HOURLY, begins, ends) == window


@given(st.lists(minutes_around(1, 500), max_size=9), edged(0, MINUTES_PER_DAY - 1), edged(1, 300))
def test_the_replanned_window_contains_the_interruption(blocks, begins, minutes):
    """For any schedule, including an empty one, and within the day."""
    hourly = Schedule(tuple(Activity(str(number), length) for number, length in enumerate(blocks)))
    ends = min(begins + minutes, MINUTES_PER_DAY)
    first, last = replanned_window(hourly, begins, ends)
    assert 0 <= first <= begins < ends <= last <= MINUTES_PER_DAY


async def test_an_interruption_is_a_subtask_of_what_it_interrupts(hamlet, oracle):
    """Earlier rows stay, later ones are as answered, everything outside the window stays."""
    oracle.teach(
        "plan/reschedule",
        {"activities": [{"what": "baking (washing up)", "minutes": 5}, {"what": "tea", "minutes": 795}]},
    )
    mind = hamlet.person(schedule=HOURLY, hourly_schedule=HOURLY).mind
    hamlet.now += timedelta(minutes=10)
    schedule = await reschedule(mind, hamlet.moment(), "conversing about bread", 30)
    assert schedule.rows() == [
        ["sleeping", 420], ["baking", 60], ["tea", 10], ["tea (conversing about bread)", 30],
        ["baking (washing up)", 5], ["tea", 795], ["bath", 120],
    ]  # fmt: skip
    assert Schedule.from_rows(schedule.rows()) == schedule
    assert oracle.history[0].fields["remaining"] == 800


async def test_an_interruption_of_a_subtask_is_not_nested(hamlet):
    """It becomes a subtask of the same activity."""
    schedule = HOURLY.decomposed(2, [("boiling water", 30), ("pouring", 30)])
    mind = hamlet.person(schedule=schedule, hourly_schedule=HOURLY).mind
    changed = await reschedule(mind, hamlet.moment(), "waiting", 10)
    assert changed.at(480).text == "tea (waiting)"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    lengths=st.lists(minutes_around(0, 400), min_size=1, max_size=6),
    second=edged(0, 86399),
    minutes=edged(1, 300),
)
async def test_after_any_interruption_the_day_has_1440_minutes(hamlet, oracle, lengths, second, minutes):
    """Whether the answer fits or not, and also shortly before midnight."""
    activities = [{"what": f"thing {number}", "minutes": length} for number, length in enumerate(lengths)]
    oracle.teach("plan/reschedule", {"activities": activities})
    hamlet.now = hamlet.now.replace(hour=0) + timedelta(seconds=second)
    mind = hamlet.person(schedule=HOURLY, hourly_schedule=HOURLY).mind
    schedule = await reschedule(mind, hamlet.moment(), "waiting", minutes)
    assert schedule.minutes == MINUTES_PER_DAY
    assert any(row.what == "waiting" for row in schedule.activities)


async def test_no_question_if_no_time_is_left(hamlet, oracle):
    """An interruption that lasts until midnight leaves nothing to plan."""
    hamlet.now = hamlet.now.replace(hour=23, minute=30)
    mind = hamlet.person(schedule=HOURLY, hourly_schedule=HOURLY).mind
    schedule = await reschedule(mind, hamlet.moment(), "waiting", 60)
    assert (schedule.activities[-1].text, schedule.activities[-1].minutes) == ("bath (waiting)", 30)
    assert oracle.history == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(minute=edged(0, MINUTES_PER_DAY - 1), minutes=edged(1, 300))
async def test_what_follows_an_interruption_keeps_its_hours(hamlet, oracle, minute, minutes):
    """With situated questions, which ask nothing: only the interrupted activity becomes shorter."""
    hamlet.questions = "situated"
    hamlet.now = hamlet.now.replace(hour=0, minute=0) + timedelta(minutes=minute)
    mind = hamlet.person(schedule=HOURLY, hourly_schedule=HOURLY).mind
    schedule = await reschedule(mind, hamlet.moment(), "waiting", minutes)
    ends = min(minute + minutes, MINUTES_PER_DAY)
    assert (oracle.history, schedule.minutes) == ([], MINUTES_PER_DAY)
    assert list(schedule.between(0, minute)) == list(HOURLY.between(0, minute))
    assert [row.what for row in schedule.between(minute, ends)] == ["waiting"]
    assert list(schedule.between(ends, MINUTES_PER_DAY)) == list(HOURLY.between(ends, MINUTES_PER_DAY))


async def test_after_an_alarm_the_time_is_planned_anew(hamlet, oracle):
    """Minutes do not say what is left to do then."""
    hamlet.questions = "situated"
    mind = hamlet.person(schedule=HOURLY, hourly_schedule=HOURLY).mind
    await reschedule(mind, hamlet.moment(), "putting out a fire", 10, alarming=True)
    assert oracle.titles == ["plan/reschedule"]
