"""Laws of days that are begun by rule, whatever fills their gaps."""

import re
from collections import Counter
from dataclasses import replace
from datetime import time, timedelta
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ville.persona.cognitive_modules.planning.day_frame import MEAL, DaySpan, WorkSpan, frame_of, habits_of
from ville.persona.cognitive_modules.planning.plan import DayChange, plan_the_day
from ville.persona.memory_structures.facts.commitment import Commitment
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, SLEEPING
from ville.persona.prompt_template.ask import ATTEMPTS

FILL = "day/fill_the_day"
LIFESTYLE = "Ada wakes up around 6am, eats dinner around 18:00 and goes to bed around 10pm."
SPOILT = st.sampled_from(
    ["", "having dinner", "sleeping", "going to bed", "baking", "having breakfast at the Moon", "reading", "GAP (x)"]
)
"""Texts that a model may write into any gap."""
WHERE = st.sampled_from(["home", "Cafe", "Park", "Moon", ""])
ROW = st.fixed_dictionaries({"what": SPOILT, "where": WHERE})
TIMED = st.dictionaries(st.sampled_from(["07:30", "09:00", "9:45", "25:99", "noon"]), ROW)
"""Rows by their times."""


@pytest.fixture
def ada(hamlet):
    hamlet.questions = "situated"
    mind = hamlet.person().mind
    mind.scratch.identity = replace(mind.scratch.identity, lifestyle=LIFESTYLE, daily_plan_req="")
    return mind


async def planned(hamlet, mind):
    """Return the day of a persona: minute of the beginning and activity, in order."""
    hamlet.now = hamlet.now.replace(hour=0, minute=0)
    await plan_the_day(mind, hamlet.moment(), DayChange.FIRST)
    return [(slot.start, slot.end, slot.activity.what) for slot in mind.scratch.hourly_schedule.slots()]


def meal_hours(day):
    """Return the hours at which meals begin, by meal."""
    return {found[0]: start / 60 for start, _, what in day if (found := MEAL.search(what))}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(rows=st.lists(ROW, max_size=20) | TIMED, lunch=WHERE)
async def test_a_day_is_in_order_whatever_a_model_says(hamlet, oracle, ada, rows, lunch):
    """It begins and ends asleep, with meals at mealtimes, and nothing that belongs to the night by day."""
    oracle.teach(FILL, {**(rows if isinstance(rows, dict) else {"gaps": rows}), "lunch": lunch})
    day = await planned(hamlet, ada)
    assert (day[0], day[-1]) == ((0, 360, SLEEPING), (1320, MINUTES_PER_DAY, SLEEPING))
    assert [start for start, _, _ in day] == [0, *(end for _, end, _ in day[:-1])]
    hours = meal_hours(day)
    assert (hours.keys(), 7 <= hours["breakfast"] <= 8) == ({"breakfast", "lunch", "dinner"}, True)
    assert (11 <= hours["lunch"] <= 13.5, hours["dinner"]) == (True, 18)
    assert [what for _, _, what in day if what == SLEEPING] == [SLEEPING] * 2
    assert len([what for _, _, what in day if MEAL.search(what)]) == 3


async def test_one_question_makes_a_day(hamlet, oracle, ada):
    """Its lines are the intentions of the day, and remembered as in the released code."""
    await planned(hamlet, ada)
    assert oracle.titles == [FILL]
    first, *_, last = ada.scratch.daily_req
    assert (first, last) == ("wake up and complete the morning routine at 6am", "go to bed at 10pm")
    (plan,) = [node for node in ada.stream.newest("thought", 5) if "plan for" in node.description]
    assert plan.description.startswith("This is Ada Stone's plan for Monday February 13: wake up and complete")


async def test_a_place_is_said_once(hamlet, oracle, ada):
    """The words of a gap count if they name a place; meals are where they were said to be."""
    rows = [{"what": "painting", "where": "Park"}, {"what": "playing in the Cafe", "where": "Park"}]
    oracle.teach(FILL, {"gaps": rows * 9})
    whats = {what for _, _, what in await planned(hamlet, ada)}
    assert {"painting at Park", "playing in the Cafe"} <= whats
    assert not any(re.search("Cafe.*Park", what) for what in whats)


@pytest.mark.parametrize(
    "row",
    [
        {"what": "reading", "where": "Park"}, {"what": "going to bed", "where": "home"}, {"what": "the Moon Market"},
        {"what": "being a bit of a bookworm"}, {"what": "talking to Ben Reed"},
    ],
)  # fmt: skip
async def test_no_free_activity_takes_the_whole_day(hamlet, oracle, ada, row):
    """A model that says the same of every gap, or nothing usable, leaves room for other things that Ada likes."""
    oracle.teach(FILL, {"gaps": [row] * 9})
    minutes = Counter()
    for start, end, what in await planned(hamlet, ada):
        minutes[what] += end - start
    free = {what: most for what, most in minutes.items() if what != SLEEPING and not MEAL.search(what)}
    assert max(free.values()) <= 4 * 60
    assert len(free) >= 5
    assert not any(re.search("Moon|bookworm|talking", what) for what in free)


async def test_an_appointment_is_kept_free_of_all_else(hamlet, ada):
    """Dinner is eaten before or after it."""
    when = hamlet.now.replace(hour=17, minute=0)
    party = Commitment(what="celebrating", day=when.date(), at=time(17), minutes=120, place="Cafe", made=when,
                       source="talk")  # fmt: skip
    ada.facts.commitments.note(party)
    day = await planned(hamlet, ada)
    assert (1020, 1140, "celebrating at Cafe") in day
    assert meal_hours(day)["dinner"] == 19


async def test_without_an_answer_the_day_is_spent_at_home(hamlet, oracle, ada):
    """The frame of the day stays, with meals where they are usually eaten."""
    oracle.teach(FILL, "nonsense")
    day = await planned(hamlet, ada)
    assert len(oracle.titles) == ATTEMPTS
    whats = {what for _, _, what in day}
    assert "relaxing at home" in whats
    assert whats & {"having lunch at home", "having lunch at Cafe"}


async def test_a_model_is_asked_for_different_things(hamlet, oracle, ada):
    """In lists of as many as there are gaps; half of those in the hours of work are for work, in turns with others."""
    things = [f"{what}ing" for what in ("bak", "paint", "read", "sing", "danc", "draw", "row", "knit", "sew", "hik")]

    def listed(request):
        left = iter(things)
        keys = request.schema["properties"]
        return {key: [next(left) for _ in range(part["minItems"])] for key, part in keys.items()}

    oracle.teach(FILL, listed)
    day = [what for _, _, what in await planned(hamlet, ada)]
    (request,) = oracle.asked(FILL)
    work, free = request.schema["properties"]
    assert re.match(r"(?:one|\d different) parts? of the work or studies of Ada", work)
    assert re.match(r"(?:one|\d different) things? that Ada does in free time", free)
    own = request.fields["parts_of_work"]
    filled = [what.partition(" at ")[0] for what in day if what.partition(" at ")[0] in things]
    assert sorted(filled) == sorted(things[: len(filled)])
    assert [things.index(what) < own for what in filled[: 2 * own]] == [True, False] * own


REQUIREMENT = "From 9:00 to 18:00 Ada Stone sells bread behind the counter of the Cafe."
WORK = "selling bread behind the counter of the Cafe"


async def test_work_with_hours_is_done_at_its_hours(hamlet, oracle, ada):
    """Whatever a model says, but for an hour of something else there; one eats where one works, if there is food."""
    ada.scratch.identity = replace(ada.scratch.identity, daily_plan_req=REQUIREMENT)
    oracle.teach(FILL, {"gaps": [{"what": "painting", "where": "Park"}] * 12})
    day = await planned(hamlet, ada)
    hours = [(start, end, what) for start, end, what in day if 9 * 60 <= start < 18 * 60]
    assert (hours[0][0], hours[-1][1]) == (9 * 60, 18 * 60)
    assert {what for _, _, what in hours} == {WORK, "having lunch at Cafe", "painting at Cafe"}
    assert [end - start for start, end, what in hours if "painting" in what] == [60]
    assert not any(WORK in what for start, _, what in day if not 9 * 60 <= start < 18 * 60)


async def test_an_appointment_wins_over_work(hamlet, ada):
    """Work goes on before and after it."""
    ada.scratch.identity = replace(ada.scratch.identity, daily_plan_req=REQUIREMENT)
    when = hamlet.now.replace(hour=14, minute=0)
    ada.facts.commitments.note(
        Commitment(what="celebrating", day=when.date(), at=time(14), minutes=60, place="Park", made=when, source="talk")
    )
    day = await planned(hamlet, ada)
    party = day.index((14 * 60, 15 * 60, "celebrating at Park"))
    assert WORK in {day[party + 1][2], day[party + 2][2]}


async def test_whether_to_go_to_an_occasion_is_asked_though_there_is_work(hamlet, oracle, ada):
    """Who has only heard of it may go, or work on."""
    ada.scratch.identity = replace(
        ada.scratch.identity, daily_plan_req=REQUIREMENT, currently="Ben gives a party today from 3pm to 5pm."
    )
    await planned(hamlet, ada)
    (request,) = oracle.asked(FILL)
    assert "15:00" in {f"{line.start:%H:%M}" for line in request.fields["lines"] if not line.what}


async def test_without_a_usable_answer_work_goes_on(hamlet, oracle, ada):
    """Also in the hour that was free for something else; a small model fills it with meals."""
    ada.scratch.identity = replace(ada.scratch.identity, daily_plan_req=REQUIREMENT)
    oracle.teach(FILL, {"gaps": [{"what": "eating breakfast", "where": "home"}] * 12})
    day = await planned(hamlet, ada)
    assert {what for start, _, what in day if 9 * 60 <= start < 18 * 60} == {WORK, "having lunch at Cafe"}
    assert WORK not in {what for start, _, what in day if start >= 18 * 60}


async def test_a_new_morning_keeps_work_and_appointments(hamlet, oracle, ada):
    """Whatever a model makes of the present concerns."""
    ada.scratch.identity = replace(ada.scratch.identity, daily_plan_req=REQUIREMENT)
    when = hamlet.now.replace(day=15, hour=17)
    ada.facts.commitments.note(
        Commitment(what="celebrating spring", day=when.date(), at=time(17), made=when, source="talk")
    )
    oracle.teach("day/bring_up_to_date", {"currently": "Ada Stone bakes bread.", "daily_requirement": "Sleep."})
    await plan_the_day(ada, hamlet.moment(), DayChange.NEW)
    identity = ada.scratch.identity
    assert identity.daily_plan_req == REQUIREMENT
    assert identity.currently == (
        "Ada Stone bakes bread. Ada Stone has an appointment on Wednesday February 15 at 17:00: celebrating spring."
    )


@given(
    wakes=st.integers(0, 23),
    appointments=st.lists(st.tuples(st.integers(0, 1439), st.integers(1, 600)), max_size=6),
    texts=st.lists(st.text(max_size=30) | st.sampled_from(["from 5pm to 7pm", "at noon", "until 3am"]), max_size=4),
    lifestyle=st.sampled_from(["", LIFESTYLE, "goes to bed around 2am", "eats dinner around 5pm, in bed at 8pm"]),
    duties=st.lists(st.tuples(st.integers(0, 1439), st.integers(1, 900)), max_size=3),
    seed=st.integers(0, 9),
)
def test_a_frame_has_no_hole_and_no_overlap(wakes, appointments, texts, lifestyle, *, duties, seed):
    """Whatever is appointed or one's duty, and at any hour of getting up."""
    habits = habits_of(lifestyle, wakes)
    rows = [DaySpan(start, min(1440, start + length), "meeting") for start, length in appointments]
    work = [WorkSpan(start, min(1440, start + length), "working", "Cafe", eats="Cafe") for start, length in duties]
    frame = frame_of(habits, rows, texts, Random(seed), duties=work)  # noqa: S311 - no secrets
    assert [each.start for each in frame] == [habits.wakes, *(each.end for each in frame[:-1])]
    assert all(each.start < each.end for each in frame)
    assert frame[-1].end == habits.beds <= timedelta(days=1).total_seconds() / 60
