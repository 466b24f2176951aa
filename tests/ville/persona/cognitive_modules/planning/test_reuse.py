"""Laws of the lifestyle policy: what is used again, when, and when a model is asked all the same."""

import json
from dataclasses import replace

import pytest

from ville.persona.cognitive_modules.mind import remember
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.perceive import perceive
from ville.persona.cognitive_modules.planning.next_action import begin_next_action
from ville.persona.cognitive_modules.planning.reschedule import reschedule
from ville.persona.cognitive_modules.planning.subtasks import decompose
from ville.persona.cognitive_modules.react import react
from ville.persona.cognitive_modules.retrieve import recall
from ville.persona.cognitive_modules.view import CarryOn
from ville.persona.memory_structures.action import ActionPlace
from ville.persona.memory_structures.lifestyle_policy import LifestylePolicy
from ville.persona.memory_structures.schedule import Activity, Schedule, Slot
from ville.persona.memory_structures.stream.concept_node import thought
from ville.world.address import Tile

ADA, BEN = "Ada Stone", "Ben Reed"
ON = MindSettings(policy_store="simulation", questions="paper")
RATING = "perceive/how_important"
SUBTASKS, WHERE, HOW = "plan/subtasks", "plan/where_and_how", "react/how_to_react"
AT_HOME = {"sector": "Ada's flat", "arena": "main room", "game_object": "bed"}


def person(hamlet, **state):
    mind = hamlet.person(ADA, Tile(7, 2), **state).mind
    mind.settings = ON
    return mind


async def decomposed(hamlet, mind, what, minutes=60):
    """Decompose an activity, note it, and return the subtasks."""
    decomposition = await decompose(mind, hamlet.moment(), Slot(480, 480 + minutes, Activity(what, minutes)))
    for note in decomposition.notes:
        note()
    return decomposition.subtasks


@pytest.mark.parametrize("minutes", [60, 61, 95, 240])
async def test_the_subtasks_of_an_activity_are_used_again_a_few_times_in_the_minutes_at_hand(hamlet, oracle, minutes):
    """Then the model is asked anew, and its answer takes their place."""
    mind = person(hamlet)
    first = await decomposed(hamlet, mind, "baking")
    for _ in range(ON.policy_repeats):
        again = await decomposed(hamlet, mind, "baking", minutes)
        assert [each.what for each in again] == [each.what for each in first]
        assert sum(each.minutes for each in again) == minutes
    assert len(oracle.asked(SUBTASKS)) == 1
    oracle.teach(SUBTASKS, {"subtasks": [{"what": "baking all in one", "minutes": 60}]})
    for _ in range(1 + ON.policy_repeats):
        assert [each.what for each in await decomposed(hamlet, mind, "baking")] == ["baking all in one"]
    assert len(oracle.asked(SUBTASKS)) == 2


@pytest.mark.parametrize(("other", "is_alike"), [("bakign", True), ("dill", False)])
async def test_a_text_whose_vector_is_close_counts_as_the_same(hamlet, oracle, other, is_alike):
    mind = person(hamlet)
    await decomposed(hamlet, mind, "baking")
    await decomposed(hamlet, mind, other)
    assert len(oracle.asked(SUBTASKS)) == (1 if is_alike else 2)


async def test_what_a_model_did_not_answer_is_not_used_again(hamlet, oracle):
    mind = person(hamlet)
    oracle.teach(SUBTASKS, {"subtasks": []})
    await decomposed(hamlet, mind, "baking")
    assert mind.policy.as_json() == {}


async def test_places_that_are_no_option_any_more_are_left_open(hamlet, oracle):
    """The model is asked for them when they begin."""
    mind = person(hamlet)
    oracle.teach(SUBTASKS, {"subtasks": [{"what": "resting", "minutes": 60, **AT_HOME}]})
    (resting,) = await decomposed(hamlet, mind, "baking")
    assert resting.site == ("Ada's flat", "main room", "bed")
    steps = mind.policy.subtasks["baking"].answer
    mind.policy.subtasks.note("baking", (steps[0]._replace(place=ActionPlace("Moon", "crater", "rock")),))
    (resting,) = await decomposed(hamlet, mind, "baking")
    assert resting.site == ("", "", "")


async def test_a_place_is_used_again_only_while_the_object_is_free(hamlet, oracle):
    """There is one bed: while Ben is in it, the model is asked where to rest."""
    day = Schedule.whole_day([Activity("resting", 30) for _ in range(48)])
    mind = person(hamlet, schedule=day, hourly_schedule=day)
    for _ in range(2):
        await begin_next_action(mind, hamlet.moment())
        mind.scratch.action_places = {}
    assert len(oracle.asked(WHERE)) == 1
    hamlet.person(BEN, Tile(6, 2), doing="sleeping")
    await begin_next_action(mind, hamlet.moment())
    assert len(oracle.asked(WHERE)) == 2


async def test_what_was_rated_on_an_earlier_day_keeps_its_importance(hamlet, oracle):
    """Whatever its subtask is now. Without a policy, it is rated every day."""
    mind = person(hamlet, doing="having tea")
    mind.settings = replace(mind.settings, questions="paper")
    hamlet.person(BEN, Tile(6, 2), doing="wiping the counter (left side)")
    await perceive(mind, hamlet.moment())
    asked = len(oracle.history)
    mind.scratch.sights = {}
    hamlet.people[BEN].scratch.begin(hamlet.action(BEN, "wiping the counter (right side)"))
    hamlet.arrive()
    (node,) = [each for each in await perceive(mind, hamlet.moment()) if each.subject == BEN]
    assert (node.poignancy, len(oracle.history)) == (4, asked)


@pytest.mark.parametrize(("rating", "again"), [(1, True), (7, False)])
async def test_what_is_ordinary_of_one_person_is_ordinary_of_all(hamlet, oracle, rating, again):
    """Important activities are rated for each person anew."""
    mind = person(hamlet, doing="having tea")
    mind.settings = replace(mind.settings, questions="paper")
    hamlet.person(BEN, Tile(6, 2), doing="wiping the counter")
    oracle.teach(RATING, lambda request: {"scores": [rating] * len(request.fields["happenings"])})
    await perceive(mind, hamlet.moment())
    hamlet.person("Cleo Vance", Tile(6, 3), doing="wiping the counter (left side)")
    asked = len(oracle.asked(RATING))
    (node,) = [each for each in await perceive(mind, hamlet.moment()) if each.subject == "Cleo Vance"]
    assert (node.poignancy, len(oracle.asked(RATING)) == asked) == (rating, again)


@pytest.fixture
def meet(hamlet):
    """Let Ada meet Ben as if for the first time this hour; return what she does."""
    mind = person(hamlet, doing="having tea (boiling water)")
    mind.settings = replace(mind.settings, questions="paper")
    hamlet.person(BEN, Tile(6, 2))

    async def met(doing="wiping the counter"):
        mind.scratch.sights = {}
        hamlet.people[BEN].scratch.begin(hamlet.action(BEN, f"{doing} {hamlet.step}", "hamlet:Cafe:bar:counter"))
        hamlet.pass_time()
        moment = hamlet.moment()
        return await react(mind, moment, recall(mind.stream, await perceive(mind, moment)))

    met.mind = mind
    return met


async def test_who_carried_on_does_so_again_until_something_is_learnt(hamlet, oracle, meet):
    """A notable thought about the other, or using the decision several times, makes the model decide again."""
    for _ in range(1 + ON.policy_repeats):
        assert await meet() == CarryOn()
    assert len(oracle.asked(HOW)) == 1
    await meet()
    assert len(oracle.asked(HOW)) == 2
    news = thought(hamlet.now, (BEN, "is", "rich"), f"{BEN} has won a prize.", poignancy=8, keywords=(BEN,))
    await remember(meet.mind, hamlet.moment(), [news])
    await meet()
    assert len(oracle.asked(HOW)) == 3


async def test_a_decision_to_talk_is_never_used_again(oracle, meet):
    oracle.teach(HOW, {"choice": "talk"})
    for count in range(1, 4):
        await meet()
        assert len(oracle.asked(HOW)) == count


@pytest.mark.parametrize(("minutes", "rows"), [(30, [["reading (books)", 15], ["reading (papers)", 15]]), (61, None)])
async def test_an_interruption_within_an_activity_shortens_the_rest_of_it(hamlet, oracle, minutes, rows):
    """If the activity is over by then, a model plans what comes next."""
    hourly = Schedule.whole_day([Activity("sleeping", 480), Activity("reading", 60), Activity("walking", 900)])
    parts = [Activity("books", 30, "reading"), Activity("papers", 30, "reading")]
    now = Schedule.whole_day([Activity("sleeping", 480), *parts, Activity("walking", 900)])
    mind = person(hamlet, schedule=now, hourly_schedule=hourly)
    schedule = await reschedule(mind, hamlet.moment(), "talking", minutes)
    assert schedule.minutes == 1440
    assert len(oracle.asked("plan/reschedule")) == (0 if rows else 1)
    if rows:
        talk = ["reading (talking)", minutes]
        assert schedule.rows() == [["sleeping", 480], talk, *rows, ["walking", 900]]
    await reschedule(mind, hamlet.moment(), "putting out a fire", minutes, alarming=True)
    assert len(oracle.asked("plan/reschedule")) == (1 if rows else 2)


async def test_nothing_is_looked_up_or_noted_without_a_policy(hamlet, oracle):
    mind = person(hamlet)
    mind.settings = MindSettings(questions="paper")
    for _ in range(2):
        await decomposed(hamlet, mind, "baking")
    assert len(oracle.asked(SUBTASKS)) == 2
    assert hamlet.embedder.batches == []
    assert mind.policy.as_json() == {}


async def test_a_policy_is_read_as_it_was_written(hamlet, meet):
    await meet()
    await decomposed(hamlet, meet.mind, "baking")
    await decomposed(hamlet, meet.mind, "baking")
    written = json.loads(json.dumps(meet.mind.policy.as_json()))
    assert LifestylePolicy.read(ADA, written).as_json() == written
    assert {*written} == {"subtasks", "ratings", "encounters"}
