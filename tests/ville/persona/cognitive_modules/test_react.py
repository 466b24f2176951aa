"""Laws of reactions to other personas: with the questions of the paper a model decides, and else it is drawn."""

from copy import deepcopy
from dataclasses import replace
from datetime import timedelta

import pytest

from ville.persona.cognitive_modules.conversing.social_memory import PLAN
from ville.persona.cognitive_modules.meanwhile import conclude
from ville.persona.cognitive_modules.mind import add_to_stream
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.cognitive_modules.musing import Musing
from ville.persona.cognitive_modules.perceive import perceive
from ville.persona.cognitive_modules.react import react
from ville.persona.cognitive_modules.retrieve import recall
from ville.persona.cognitive_modules.view import CarryOn, Talk, WaitUntil
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY
from ville.persona.memory_structures.social_impression import SocialImpression
from ville.persona.memory_structures.stream.concept_node import talk, thought
from ville.persona.prompt_template.conversation_answers import Afterthought, Appointment
from ville.storage.dates import time_text
from ville.world.address import Tile
from ville.world.tile_event import Event

ADA, BEN = "Ada Stone", "Ben Reed"
HOW = "react/how_to_react"
PAPER = MindSettings(questions="paper")


async def reaction_of(hamlet, mind):
    moment = hamlet.moment()
    return await react(mind, moment, recall(mind.stream, await perceive(mind, moment)))


@pytest.fixture
def mind(hamlet):
    """Ada walks to the counter and sees Ben."""
    hamlet.person(BEN, Tile(6, 2), doing="wiping the counter")
    mind = hamlet.person(ADA, Tile(7, 2), doing="having tea (boiling water)", planned_path=[Tile(6, 2)]).mind
    mind.settings = PAPER
    return mind


async def test_a_new_persona_in_sight_prompts_a_question(hamlet, oracle, mind):
    """With every choice that is allowed."""
    assert await reaction_of(hamlet, mind) == CarryOn()
    (request,) = oracle.asked(HOW)
    assert request.fields["choices"] == ("talk", "wait", "carry on")
    assert request.fields["own_doing"] == "on the way to having tea (boiling water)"
    assert (request.fields["other"], request.fields["last_talk"]) == (BEN, "never")


@pytest.mark.parametrize(("prompts", "told"), [("full", True), ("brief", False)])
async def test_a_brief_question_says_less(hamlet, oracle, mind, prompts, told):
    """Who she is and a few memories, but nothing of her day; the choices are the same."""
    mind.settings = replace(PAPER, prompts=prompts)
    jokes = [f"{BEN} told joke {number}" for number in range(30)]
    heard = [thought(hamlet.now, (BEN, "told", joke), joke, poignancy=3) for joke in jokes]
    add_to_stream(mind, [(each, [1.0] * 13) for each in heard])
    await reaction_of(hamlet, mind)
    (request,) = oracle.asked(HOW if told else f"{HOW}_briefly")
    assert ("Lifestyle: " in request.fields["identity"]) is told
    assert (len(request.fields["memories"]) > 6) is told
    assert request.fields["choices"] == ("talk", "wait", "carry on")


@pytest.mark.parametrize("social", [True, False])
async def test_with_social_memory_a_reaction_rests_on_the_impression_of_the_other(hamlet, oracle, mind, social):
    """It comes first, as a thought, and fewer memories are told; the plan of the day is none of them."""
    mind.settings = replace(PAPER, social_memory=social)
    mind.scratch.note_impression(BEN, SocialImpression(f"{ADA} and {BEN} are friends.", "trust"))
    day = f"{ADA} wants to tell {BEN} this plan"
    plan = thought(hamlet.now, (ADA, PLAN, "today"), day, poignancy=5)
    heard = [thought(hamlet.now, (BEN, "told", "a joke"), f"joke {number}", poignancy=3) for number in range(30)]
    add_to_stream(mind, [(each, [1.0] * 13) for each in (plan, *heard)])
    await reaction_of(hamlet, mind)
    (request,) = oracle.asked(HOW)
    told = [memory.text for memory in request.fields["memories"]]
    assert (told[0] == f"{ADA} and {BEN} are friends. (feeling: trust)") is social
    assert (len(told) <= 7) is social
    assert (day in told) is not social


async def test_choosing_to_talk_changes_nothing_yet(hamlet, oracle, mind):
    """The conversation also depends on the other."""
    oracle.teach(HOW, {"choice": "talk"})
    before = replace(mind.scratch)
    assert await reaction_of(hamlet, mind) == Talk(BEN)
    assert (mind.scratch.action, mind.scratch.schedule, mind.scratch.conversation) == (
        before.action, before.schedule, None,
    )  # fmt: skip


async def test_waiting_begins_at_once(hamlet, oracle, mind):
    """The persona waits where it is until the other has finished, and its schedule makes room."""
    oracle.teach(HOW, {"choice": "wait"})
    ends = hamlet.people[BEN].scratch.action.ends
    assert await reaction_of(hamlet, mind) == WaitUntil(ends - timedelta(minutes=1))
    action = mind.scratch.action
    assert (action.description, action.address, action.emoji) == (
        "waiting to start boiling water",
        "<waiting> 7 2",
        "⌛",
    )
    assert (action.event, action.ends) == ((ADA, "waiting to start", "boiling water"), ends)
    assert mind.scratch.schedule.minutes == MINUTES_PER_DAY
    assert "baking (waiting to start boiling water)" in {row.text for row in mind.scratch.schedule.activities}


@pytest.mark.parametrize("cool_down", [0, 800])
async def test_no_question_without_a_choice(hamlet, oracle, mind, cool_down):
    """For example right after a conversation, with nothing to wait for."""
    mind.scratch.cool_downs[BEN] = cool_down
    mind.scratch.planned_path = []
    assert await reaction_of(hamlet, mind) == CarryOn()
    assert len(oracle.asked(HOW)) == (0 if cool_down else 1)


@pytest.mark.parametrize(
    ("minutes", "walking", "doing", "asked"),
    [
        (10, False, "wiping the counter (rinsing the cloth)", 1),
        (70, False, "wiping the counter (rinsing the cloth)", 2),
        (10, True, "wiping the counter (rinsing the cloth)", 2),
        (10, False, "counting the money", 2),
    ],
)
async def test_the_same_activity_is_no_new_occasion(hamlet, mind, minutes, *, walking, doing, asked):
    """Another subtask within the hour prompts no question, unless there is something to wait for."""
    if not walking:
        mind.scratch.planned_path = []
    await reaction_of(hamlet, mind)
    hamlet.now += timedelta(minutes=minutes)
    ben = hamlet.people[BEN].scratch
    before = ben.visible_event()
    ben.begin(hamlet.action(BEN, doing))
    others = [event for event in hamlet.maze.events_at(Tile(6, 2)) if event != before]
    hamlet.maze.replace_events(Tile(6, 2), [*others, ben.visible_event()])
    await reaction_of(hamlet, mind)
    assert len(hamlet.oracle.asked(HOW)) == asked


async def test_objects_never_cause_a_reaction(hamlet, oracle):
    """Neither does the persona itself."""
    mind = hamlet.person(ADA, Tile(7, 2), doing="having tea").mind
    hamlet.maze.add_event(Tile(6, 2), Event("the Town:Cafe:cafe:stove", "is", "burning", "burning"))
    assert await reaction_of(hamlet, mind) == CarryOn()
    assert oracle.asked(HOW) == []


async def test_a_known_event_causes_no_reaction(hamlet, oracle, mind):
    """For example a persona that does what it did a moment ago."""
    await reaction_of(hamlet, mind)
    hamlet.pass_time()
    await reaction_of(hamlet, mind)
    assert len(oracle.asked(HOW)) == 1


async def test_one_of_several_personas_is_chosen_by_seed(hamlet, oracle, mind):
    """The same seed chooses the same one; over many seeds each is chosen."""
    hamlet.person("Cy Doe", Tile(8, 2), doing="reading")
    moment = hamlet.moment()
    recalled = recall(mind.stream, await perceive(mind, moment))
    for seed in [*range(12), 0]:
        await react(mind, replace(moment, caller=replace(moment.caller, seed=seed)), recalled)
    chosen = [request.fields["other"] for request in oracle.asked(HOW)]
    assert set(chosen) == {BEN, "Cy Doe"}
    assert chosen[0] == chosen[-1]


async def test_the_question_quotes_what_to_tell(hamlet, oracle, mind):
    """Memories are retrieved about the other and about news; each is quoted once."""
    await reaction_of(hamlet, mind)
    memories = oracle.asked(HOW)[0].fields["memories"]
    assert f"{BEN} is wiping the counter" in {memory.text for memory in memories}
    assert len(memories) == len({(memory.when, memory.text) for memory in memories})


async def test_an_encounter_is_drawn_and_not_asked(hamlet, oracle, mind):
    """Over many seeds some begin a talk, and most pass; the same seed does the same again."""
    mind.settings = MindSettings()
    mind.scratch.begin(hamlet.action(ADA, "having tea", "the Town:Cafe:cafe:table"))
    hamlet.people[BEN].scratch.begin(hamlet.action(BEN, "wiping the counter", "the Town:Cafe:cafe:counter"))
    moment = hamlet.moment()
    recalled = recall(mind.stream, await perceive(mind, moment))
    seeds = [*range(300), *range(300)]
    chosen = [await react(mind, replace(moment, caller=replace(moment.caller, seed=seed)), recalled) for seed in seeds]
    assert chosen[:300] == chosen[300:]
    assert 0 < chosen[:300].count(Talk(BEN)) < 30
    assert oracle.asked(HOW) == []


async def test_news_of_the_last_talk_is_told_though_it_is_still_thought_about(hamlet, mind):
    """Whoever goes on meanwhile goes up to another with the seeds with which it would if it had thought first; with
    most others, it does not wait.
    """
    mind.settings, said = MindSettings(thinking="meanwhile"), ((ADA, "There is a fair."),)
    hamlet.now += timedelta(hours=4)
    mind.scratch.begin(hamlet.action(ADA, "having tea", "the Town:Cafe:cafe:table"))
    hamlet.people[BEN].scratch.begin(hamlet.action(BEN, "wiping the counter", "the Town:Cafe:cafe:counter"))
    triple, about = (ADA, "chat with", "Cy Doe"), {"partner": "Cy Doe", "transcript": said, "kept": None}
    chat = talk(hamlet.now, triple, "conversing about a fair", poignancy=3, keywords=("Cy Doe",), transcript=said)
    add_to_stream(mind, [(chat, [1.0] * 13)])
    thoughts = {"for_planning": "", "memo": "There is a fair on Sunday."}
    kept = {name: Afterthought(text=text, poignancy=8).model_dump() for name, text in thoughts.items()}
    found = {**kept, "today": Appointment().model_dump(), "impression": None}
    due = time_text(hamlet.now + timedelta(minutes=20))
    mind.musings.append(Musing.read(ADA, {"kind": "talk", "due": due, "about": about, "found": found}))
    moment = hamlet.moment()
    recalled, went, waited = recall(mind.stream, await perceive(mind, moment)), [], 0
    for seed in range(150):
        here = replace(moment, caller=replace(moment.caller, seed=seed))
        pending, thought_first = deepcopy(mind), deepcopy(mind)
        await conclude(thought_first, here, "talk")
        went.append(await react(thought_first, here, recalled))
        assert await react(pending, here, recalled) == went[-1]
        waited += not pending.musings
    assert went.count(Talk(BEN)) > 15
    assert 0 < waited < 75
