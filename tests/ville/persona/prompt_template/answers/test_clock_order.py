"""Laws of reading a day: times of a 12-hour clock are put in order, in whatever form the day is written."""

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.prompt_template.answers.clock_order import in_order, lines_in_order
from ville.persona.prompt_template.answers.clock_times import in_24_hours, read_time
from ville.persona.prompt_template.ask import read_answer
from ville.persona.prompt_template.plan_questions import DayPlan, HourlySchedule

TODAY = date(2023, 2, 13)
HOURS = HourlySchedule("", "Ada", TODAY, 7, ())
PLAN = DayPlan("", "Ada", TODAY, 7, ())
HALF_DAY = 12 * 60
DAYS = st.lists(st.integers(6 * 60, 24 * 60 - 1), min_size=1, max_size=12, unique=True).map(sorted)
"""Minutes at which activities begin, from six in the morning."""


def clock(minute):
    return f"{minute // 60}:{minute % 60:02}"


def starts_of(answer):
    return [row.start.hour * 60 + row.start.minute for row in answer.activities]


@given(DAYS)
def test_a_day_in_order_stays_as_it_is(starts):
    """To the minute, also with the night after midnight at its end."""
    assert in_order(starts) == starts
    assert in_order([*starts, 30]) in ([*starts, 30], [*starts, 30 + HALF_DAY])
    lines = [f"work at {clock(start)}" for start in starts]
    assert lines_in_order(lines) == lines


@given(DAYS)
def test_a_day_on_a_12_hour_clock_is_read_as_meant(starts):
    """If no half of a day is left out: activities begin at least every six hours."""
    whole = sorted({*starts, *range(6 * 60, 24 * 60, 6 * 60)})
    written = [start if start < HALF_DAY + 60 else start - HALF_DAY for start in whole]
    assert in_order(written) == whole
    rows = [{"from": clock(start), "to": clock(start), "activity": "x"} for start in written]
    assert starts_of(read_answer(HOURS, json.dumps({"activities": rows}))) == whole
    plans = read_answer(PLAN, json.dumps({"plans": [f"work at {clock(start)}" for start in written]})).plans
    assert plans == [f"work at {clock(start)}" for start in whole]


def test_an_end_on_a_12_hour_clock_follows_its_beginning():
    """An activity until one o'clock at noon does not last until midnight; sleep does."""
    said = [("9:00", "1:00", "work"), ("1:00", "6:00", "lunch"), ("6:00", "11:00", "x"), ("11:00", "7:00", "sleeping")]
    rows = [dict(zip(("from", "to", "activity"), row, strict=True)) for row in said]
    ends = [row.end.hour for row in read_answer(HOURS, json.dumps(rows)).activities]
    assert ends == [13, 18, 23, 7]


def test_sleep_from_twelve_on_begins_the_day():
    """It is not at noon."""
    assert in_order([HALF_DAY, 7 * 60, HALF_DAY], asleep=True) == [0, 7 * 60, HALF_DAY]


def test_a_day_without_order_is_refused_once():
    """And read as it stands on the last attempt."""
    said = json.dumps({"plans": ["get up at 9:00", "have dinner at 18:00", "have lunch at 12:00"]})
    with pytest.raises(ValueError, match="24-hour clock"):
        read_answer(PLAN, said)
    assert read_answer(PLAN, said, last=True).plans[-1] == "have lunch at 12:00"


FORMS = [
    '[{"from": "7:00", "to": "8:00", "activity": "washing"}, {"from": "8:00", "to": "12:00", "activity": "baking"}]',
    '{"from": "7:00", "to": "8:00", "activity": "washing"}\n{"from": "8:00", "to": "12:00", "activity": "baking"}',
    '["7:00 - 8:00: washing", "8:00 - 12:00: baking"]',
    '{"activities": "7:00 to 8:00 washing\\n8:00 to 12:00 baking"}',
    '{"activities": {"7:00 - 8:00": "washing", "8:00 - 12:00": "baking"}}',
    '{"7:00 - 8:00": "washing", "8:00 - 12:00": "baking"}',
    '{"activities": [{"time": "7:00 - 8:00", "activity": "washing"}, {"time": "8:00 - 12:00", "task": "baking"}]}',
    '{"activities": [{"from": "7:00 - 8:00", "activity": "washing"}, {"from": "8:00–12:00", "activity": "baking"}]}',
    (
        '{"schedule": [{"start_time": "7:00", "end_time": "8:00", "activity": "washing"},'
        ' {"start_time": "8:00", "end_time": "12:00", "activity": "baking"}]}'
    ),
    '{"activities": [{"from": "7:00", "activity": "washing"}, {"from": "8:00", "to": "12:00", "activity": "baking"}]}',
    (
        '{"activities": [{"from": "2023-02-13T07:00:00", "to": "2023-02-13T08:00:00", "activity": "washing"},'
        ' {"from": "08:00:00", "to": "12:00:00Z", "activity": "baking"}]}'
    ),
    (
        '{"activities": [{"from": "seven", "to": "eight", "activity": "washing"},'
        ' {"from": "eight o\'clock", "to": "noon", "activity": "baking"}]}'
    ),
]


@pytest.mark.parametrize("text", FORMS)
def test_a_day_is_read_in_whatever_form_it_is_written(text):
    """At the first attempt."""
    rows = read_answer(HOURS, text).activities
    assert [(f"{row.start:%H}-{row.end:%H}", row.activity) for row in rows] == [
        ("07-08", "washing"),
        ("08-12", "baking"),
    ]


PLANS = [
    '{"plans": [{"time": "7:00", "activity": "get up"}, {"time": "8:00", "activity": "bake"}]}',
    '{"plans": [{"what": "get up", "at": "7:00"}, {"what": "bake", "at": "8:00"}]}',
    '{"plans": {"7:00": "get up", "8:00": "bake"}}',
    '{"plan": "get up", "time": "7:00"}\n{"plan": "bake", "time": "8:00"}',
    '{"plans": [{"plan": "get up at 7:00"}, "bake at 8:00"]}',
]


@pytest.mark.parametrize("text", PLANS)
def test_a_plan_may_be_of_objects(text):
    """They become lines with their time."""
    assert read_answer(PLAN, text).plans == ["get up at 7:00", "bake at 8:00"]


@pytest.mark.parametrize(
    ("written", "minute"),
    [
        ("half past seven", "7:30"),
        ("ten minutes to eight", "7:50"),
        ("a quarter past nine in the evening", "21:15"),
        ("seven thirty", "7:30"),
        ("2023-02-13T19:30", "19:30"),
        ("2023-02-13 07:30:00.000+01:00", "7:30"),
    ],
)
def test_times_in_words_and_in_iso_are_read(written, minute):
    """To the minute."""
    assert clock(read_time(written).hour * 60 + read_time(written).minute) == minute


@given(st.times(), st.sampled_from(["%I:%M %p", "%I:%M%p"]), st.sampled_from(["at {} or so", "{}.", "({})"]))
def test_times_of_a_12_hour_clock_are_rewritten(moment, manner, sentence):
    """As on a 24-hour clock, wherever they stand in a text, and once only."""
    text = in_24_hours(sentence.format(moment.strftime(manner)))
    assert text == sentence.format(f"{moment.hour}:{moment:%M}") == in_24_hours(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("from 5pm to 7pm", "from 17:00 to 19:00"),
        ("from 5 to 7 pm", "from 17:00 to 19:00"),
        ("11-1pm", "11:00-13:00"),
        ("at 7 a.m. she", "at 7:00 she"),
        ("12 am, 12 pm", "0:00, 12:00"),
        ("I am 34. Am I?", "I am 34. Am I?"),
    ],
)
def test_spans_of_a_12_hour_clock_are_rewritten(text, meant):
    """Both ends; what is no time stays."""
    assert in_24_hours(text) == meant
