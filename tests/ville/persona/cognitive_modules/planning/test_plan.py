"""Laws of planning a day."""

from dataclasses import replace
from datetime import timedelta

import pytest

from ville.errors import Unreachable
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.planning.plan import DayChange, day_change, plan, plan_the_day

ADA = "Ada Stone"


@pytest.mark.parametrize(
    ("before", "day"),
    [(None, DayChange.FIRST), (timedelta(seconds=10), DayChange.SAME), (timedelta(hours=9), DayChange.NEW)],
)
def test_the_day_change_follows_from_the_last_step(hamlet, before, day):
    """Without one it is the first day; with another date a new one."""
    scratch = hamlet.person().scratch
    scratch.curr_time = None if before is None else hamlet.now - before
    assert day_change(scratch, hamlet.now) is day


async def test_the_identity_is_not_revised_on_the_first_day(hamlet, oracle):
    """There are no memories yet to revise it with."""
    mind = hamlet.person().mind
    before = mind.scratch.identity
    await plan_the_day(mind, hamlet.moment(), DayChange.FIRST)
    assert mind.scratch.identity == before
    assert oracle.titles == ["plan/wake_up_hour", "plan/day_plan", "plan/hourly_schedule"]


@pytest.mark.parametrize(
    ("lifestyle", "questions", "asked"),
    [
        ("Ada wakes up around 6am.", "situated", False), ("Ада встаёт в 6 утра.", "situated", False),
        ("Ada likes tea.", "situated", True), ("Ada wakes up at 6 on weekdays.", "situated", True),
        ("Ada wakes up around 6am.", "paper", True),
    ],
)  # fmt: skip
async def test_the_hour_of_getting_up_is_asked_only_if_it_is_not_known(hamlet, oracle, lifestyle, questions, asked):
    """Or if everything is asked. The day begins at that hour either way."""
    oracle.teach("plan/wake_up_hour", {"wake_up_hour": 9})
    mind = hamlet.person().mind
    mind.settings = MindSettings(questions=questions)
    mind.scratch.identity = replace(mind.scratch.identity, lifestyle=lifestyle)
    await plan_the_day(mind, hamlet.moment(), DayChange.FIRST)
    assert ("plan/wake_up_hour" in oracle.titles) == asked
    day = "plan/day_plan" if questions == "paper" else "day/fill_the_day"
    assert oracle.asked(day)[0].fields["wake_up_hour"] == (9 if asked else 6)


async def test_a_new_day_has_new_intentions(hamlet, oracle):
    """Identity, daily requirement and day plan are replaced; `Status:` is removed.

    docs/migration/faults.md, 31.
    """
    mind = hamlet.person(daily_req=["yesterday's errand"]).mind
    await plan_the_day(mind, hamlet.moment(), DayChange.NEW)
    assert mind.scratch.daily_req == ["wake up at 7 am", "bake bread at 8 am", "go to bed at 10 pm"]
    assert mind.scratch.identity.currently == "Ada looks forward to the party."
    assert mind.scratch.identity.daily_plan_req == "Bake a cake."
    assert oracle.asked("plan/revise_identity")[0].fields["currently"] == "Ada plans a party."
    assert "party" in oracle.asked("plan/day_plan")[0].fields["identity"]


async def test_the_plan_is_remembered_in_the_words_of_the_released_code(hamlet):
    """A thought of poignancy 5, with weekday and month in full."""
    mind = hamlet.person().mind
    await plan_the_day(mind, hamlet.moment(), DayChange.FIRST)
    (node,) = mind.stream.newest("thought")
    assert node.description == (
        "This is Ada Stone's plan for Monday February 13: wake up at 7 am, bake bread at 8 am, go to bed at 10 pm."
    )
    assert (node.triple, node.poignancy) == ((ADA, "plan", "Monday February 13"), 5)
    assert (node.keywords, node.filling, node.expiration) == (("plan",), None, hamlet.now + timedelta(days=30))


@pytest.mark.parametrize("title", ["plan/revise_identity", "plan/day_plan", "plan/hourly_schedule"])
async def test_a_failed_call_leaves_the_day_unplanned(hamlet, oracle, title):
    """Nothing changes before all answers are there."""
    mind = hamlet.person().mind
    before = (mind.scratch.identity, mind.scratch.schedule, mind.scratch.daily_req)
    oracle.teach(title, Unreachable("no answer"))
    with pytest.raises(Unreachable):
        await plan_the_day(mind, hamlet.moment(), DayChange.NEW)
    assert (mind.scratch.identity, mind.scratch.schedule, mind.scratch.daily_req) == before
    assert len(mind.stream) == 0


async def test_an_action_may_continue_after_midnight(hamlet, oracle):
    """A new plan does not end it early (docs/migration/faults.md, 22)."""
    mind = hamlet.person(doing="dancing").mind
    action = mind.scratch.action
    await plan(mind, hamlet.moment(), DayChange.NEW)
    assert mind.scratch.action is action
    hamlet.now += timedelta(hours=1)
    await plan(mind, hamlet.moment(), DayChange.SAME)
    assert mind.scratch.action is not action
    assert len(oracle.asked("plan/day_plan")) == 1
