"""Laws of decomposing activities."""

import pytest
from edges import minutes_around
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.cognitive_modules.planning.subtasks import decompose, needs_subtasks, slots_to_split
from ville.persona.memory_structures.schedule import Activity, Schedule

DAY = Schedule.whole_day([Activity("sleeping", 420), Activity("baking", 60), Activity("reading", 600)])


@pytest.mark.parametrize(
    ("what", "minutes", "of", "steps"),
    [
        ("baking", 60, None, True),
        ("baking", 59, None, False),
        ("baking", 60, "baking", False),
        ("sleeping", 60, None, False),
        ("lying in bed", 60, None, False),
        ("going to bed", 60, None, True),
        ("going to bed", 120, None, False),
        ("getting ready to sleep", 60, None, True),
    ],
)
def test_only_long_waking_activities_have_subtasks(what, minutes, of, steps):
    """An hour or more, not a subtask, not sleep (docs/migration/faults.md, 48: by whole phrases)."""
    assert needs_subtasks(Activity(what, minutes, of)) is steps


@pytest.mark.parametrize(
    ("minute", "split"),
    [
        (0, (None, None)),
        (360, (None, "baking")),
        (420, ("baking", "reading")),
        (480, ("reading", None)),
        (1439, (None, None)),
    ],
)
def test_the_current_and_the_next_hour_are_decomposed(minute, split):
    """Each only if it still has to be, and never the same row twice."""
    assert tuple(slot.activity.what if slot else None for slot in slots_to_split(DAY, minute, by_rule=False)) == split


@given(st.lists(st.tuples(st.text(max_size=8), minutes_around(-5, 200)), max_size=8), st.integers(0, 2))
def test_a_decomposed_schedule_is_a_whole_day(steps, row):
    """Whatever the subtasks, it keeps its 1,440 minutes and its other rows (docs/migration/faults.md, 33)."""
    assert DAY.decomposed(row, steps).minutes == 1440


async def test_parentheses_of_a_subtask_are_removed(hamlet, oracle):
    """They would be read as a nested subtask."""
    mind = hamlet.person().mind
    oracle.teach("plan/subtasks", {"subtasks": [{"what": "baking (bread :) )", "minutes": 60}]})
    _, slot = slots_to_split(DAY, 360, by_rule=False)
    (step,) = (await decompose(mind, hamlet.moment(), slot)).subtasks
    schedule = DAY.decomposed(1, [(step.what, step.minutes)])
    assert schedule[1].text == "baking (baking bread :)"
    assert Schedule.from_rows(schedule.rows()) == schedule


@pytest.mark.parametrize(
    ("what", "steps", "asked"),
    [
        ("humming", [], 0),
        ("humming and whistling", ["kneading dough", "resting"], 1),
        ("doing the laundry", None, 0),
        ("taking a nap", [], 0),
    ],
)
async def test_steps_are_asked_only_where_words_name_several(hamlet, oracle, *, what, steps, asked):
    """With situated questions. Those of usual activities are known, and what is one thing is done as a whole."""
    hamlet.questions = "situated"
    day = Schedule.whole_day([Activity("sleeping", 420), Activity(what, 120)])
    mind = hamlet.person(schedule=day, hourly_schedule=day).mind
    found = (await decompose(mind, hamlet.moment(), slots_to_split(day, 420, by_rule=True)[0])).subtasks
    assert len(oracle.titles) == asked
    assert len(found) > 1 if steps is None else [step.what for step in found] == steps
    assert sum(step.minutes for step in found) in {0, 120}


@pytest.mark.parametrize(("minutes", "split"), [(29, False), (30, True), (59, True)])
async def test_usual_steps_divide_short_activities_too(hamlet, oracle, *, minutes, split):
    """With situated questions, where they take no question; what is short and has no usual steps is never asked."""
    hamlet.questions = "situated"
    for what, divided in (("having breakfast", split), ("humming and whistling", False)):
        day = Schedule.whole_day([Activity("sleeping", 420), Activity(what, minutes)])
        mind = hamlet.person(schedule=day, hourly_schedule=day).mind
        slot, _ = slots_to_split(day, 420, by_rule=True)
        assert (len((await decompose(mind, hamlet.moment(), slot)).subtasks) > 1) is divided
    assert not oracle.titles
