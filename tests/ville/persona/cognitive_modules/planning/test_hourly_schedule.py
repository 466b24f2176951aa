"""Laws of the hourly schedule: every answer becomes a whole day."""

from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.cognitive_modules.planning.plan import hourly_schedule
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Schedule
from ville.persona.prompt_template.ask import read_answer
from ville.persona.prompt_template.plan_questions import HourlyActivity, HourlySchedule

CLOCK = st.times().map(lambda moment: moment.replace(second=0, microsecond=0))
WHAT = st.sampled_from(["reading", "baking", "lunch (at home)", "sleeping", "x (("])
SAID = st.lists(st.builds(HourlyActivity, start=CLOCK, end=CLOCK, activity=WHAT), min_size=1, max_size=8)
LINES = st.lists(
    st.sampled_from(["get up at 6:30", "have lunch at noon", "read", "go to bed at 23:00", ""]), max_size=5
)
HOURS = st.integers(0, 23)


def row(start, end, what):
    return HourlyActivity(start=start, end=end, activity=what)


def rows_of(schedule):
    """Start and activity of each row."""
    return [(slot.start / 60, slot.activity.what) for slot in schedule.slots()]


@given(SAID, HOURS, LINES)
def test_every_answer_gives_a_whole_day_that_begins_asleep(said, wake_up_hour, day_plan):
    """Whatever is said, it takes 1,440 minutes, with sleep until the wake-up hour and no two equal rows in sequence."""
    schedule = hourly_schedule(said, wake_up_hour, day_plan)
    assert schedule.minutes == MINUTES_PER_DAY
    assert all(schedule.at(minute).what == "sleeping" for minute in range(0, wake_up_hour * 60, 30))
    assert all(one.what != other.what for one, other in zip(schedule, schedule.activities[1:], strict=False))
    assert Schedule.from_rows(schedule.rows()) == schedule


@given(st.lists(CLOCK, min_size=1, max_size=8, unique=True).map(sorted), LINES)
def test_a_day_without_gaps_is_kept_to_the_minute(times, day_plan):
    """The day plan changes nothing where the answer says what is done."""
    ends = [*times[1:], time()]
    said = [row(start, end, f"part {start}") for start, end in zip(times, ends, strict=True)]
    schedule = hourly_schedule(said, 0, day_plan)
    for minute in range(times[0].hour * 60 + times[0].minute, MINUTES_PER_DAY):
        begun = max(start for start in times if start <= time(*divmod(minute, 60)))
        assert schedule.at(minute).what == f"part {begun}"


def test_an_activity_of_brackets_alone_is_left_out():
    """Instead of being taken for sleep. If there are no others, a correction is asked for."""
    question = HourlySchedule("", "Ada", date(2023, 2, 13), 7, ())
    said = [{"from": "7:00", "to": "12:00", "activity": "baking"}, {"from": "12:00", "to": "13:00", "activity": "( ."}]
    assert read_answer(question, str({"activities": said})).activities == [row("7:00", "12:00", "baking")]
    with pytest.raises(ValueError, match="activity"):
        read_answer(question, str({"activities": said[1:]}))


def test_gaps_are_filled_from_the_day_plan():
    """With the line that has begun last; a line without a time begins an hour after the one before."""
    said = [row("8", "9", "baking"), row("17:00", "20:00", "reading")]
    plan = ["get up at 7am", "bake", "have lunch at noon", "walk in the park from 2 PM to 4 PM", "go to bed at 23:00"]
    assert rows_of(hourly_schedule(said, 7, plan)) == [
        (0, "sleeping"), (7, "get up at 7am"), (8, "baking"), (9, "bake"), (12, "have lunch at noon"),
        (14, "walk in the park from 2 PM to 4 PM"), (17, "reading"), (20, "walk in the park from 2 PM to 4 PM"),
        (22, "sleeping"),
    ]  # fmt: skip


def test_of_two_lines_of_a_plan_at_the_same_time_the_second_counts():
    """The first is over when the second begins, whatever they say."""
    plan = ["wake up at 7:00", "bake at 7:00"]
    assert rows_of(hourly_schedule([row("12:00", "13:00", "lunch")], 7, plan))[1] == (7, "bake at 7:00")


def test_overlaps_go_to_what_begins_later_or_is_shorter():
    """An interrupted activity goes on afterwards; one over midnight ends there."""
    said = [row("9:00", "17:00", "baking"), row("12:00", "13:00", "lunch"), row("9:00", "9:30", "sweeping"),
            row("17:00", "6:00", "reading")]  # fmt: skip
    assert rows_of(hourly_schedule(said, 9, ())) == [
        (0, "sleeping"), (9, "sweeping"), (9.5, "baking"), (12, "lunch"), (13, "baking"), (17, "reading")
    ]  # fmt: skip


def test_an_answer_of_one_activity_is_not_a_day_in_bed():
    """Without a plan, what is said fills the day until the night."""
    assert rows_of(hourly_schedule([row("7:00", "8:00", "getting up")], 7, ())) == [
        (0, "sleeping"), (7, "getting up"), (22, "sleeping")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (7, time(7)), ("7", time(7)), ("07:00", time(7)), ("7:30 PM", time(19, 30)), ("12am", time()),
        ("noon", time(12)), ("24:00", time()), ("7:30:00", time(7, 30)),
        ("12:15 p.m.", time(12, 15)), (" Midnight ", time()),
    ],
)  # fmt: skip
def test_times_are_read_as_they_are_meant(written, meant):
    """Numbers, either clock, and the two that have names."""
    assert row(written, "0:00", "reading").start == meant


@pytest.mark.parametrize("written", ["25:00", "7:61", "soon", "", None, -1, "7 to 8:00"])
def test_what_is_no_time_is_refused(written):
    """With an example for the model."""
    with pytest.raises(ValueError, match="such as 7:30"):
        row(written, "0:00", "reading")
