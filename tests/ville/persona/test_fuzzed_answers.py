"""Laws that hold for any answer of a model: many random ones to every question, valid and invalid."""

import importlib
import json
import pkgutil
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, time

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from random_answers import RandomChat
from stored_texts import PLAN_OF_A_DAY, is_safe, texts

import ville.persona.prompt_template as shelf
from ville.persona.cognitive_modules.conversing.converse import converse, start_conversation
from ville.persona.cognitive_modules.conversing.whisper_thoughts import take_in, thoughts_from_whispers
from ville.persona.cognitive_modules.planning.reschedule import reschedule
from ville.persona.cognitive_modules.reflect import reflect
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Schedule
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.prompt_template import caps
from ville.persona.prompt_template.ask import Caller, ask, read_answer
from ville.persona.prompt_template.blanks import (
    DialogueTurn,
    NumberedMemories,
    PlaceOptions,
    QuotedMemory,
    SaidOfLate,
    ScheduleEntry,
)
from ville.persona.prompt_template.day_questions import DayLine
from ville.persona.prompt_template.question import all_questions, schema_of
from ville.reply_form import ReplyForm
from ville.world.address import AnywhereIn, AtPlace, AtTile, NearPersona, Tile, parse_destination

for module in pkgutil.iter_modules(shelf.__path__):
    importlib.import_module(f"{shelf.__name__}.{module.name}")
QUESTIONS = sorted(all_questions(), key=lambda question: question.template)
ADA, BEN = BOTH = "Ada Stone", "Ben Reed"
MORNING = datetime(2023, 2, 13, 8, 5)  # noqa: DTZ001 - game time has no zone
MEMORIES = (QuotedMemory(MORNING, "Ben likes tea"), QuotedMemory(MORNING, "rain is falling", "thought", 4))
VALUES = {
    "identity": f"Name: {ADA}", "name": ADA, "first_name": "Ada", "other": BEN, "today": MORNING.date(),
    "now": MORNING, "start": MORNING, "memories": MEMORIES, "statements": NumberedMemories(MEMORIES),
    "options": PlaceOptions({"Cafe": {"cafe": ("counter", "table")}, "Park": {"park": ()}}), "wake_up_hour": 7,
    "minutes": 60, "remaining": 90, "count": 3, "happenings": ("a bed is idle", "Ben Reed is whistling"),
    "choices": ("talk", "carry on"), "transcript": (DialogueTurn(ADA, "Hello."), DialogueTurn(BEN, "Good day.")),
    "planned": (ScheduleEntry(MORNING, 90, "reading"),), "day": ("7:00 AM: baking",),
    "first": ADA, "second": BEN, "most": 16, "first_memories": MEMORIES, "second_memories": MEMORIES,
    "mind": MEMORIES, "parts_of_work": 1,
    "day_plan": ("get up at 7:00", "bake"), "home": "Cafe > cafe", "places": ("home", "Cafe"), "eating": ("home",),
    "earlier": SaidOfLate(ADA, (DialogueTurn(ADA, "It rains."), DialogueTurn(BEN, "It does."))),
    "form": ReplyForm("choice", ("sleeping", "a @ b", "talk to Ben Reed")),
    "lines": (DayLine(time(7), time(9)), DayLine(time(9), time(10), "having lunch"), DayLine(time(10), time(22))),
}  # fmt: skip
"""For the blanks of all questions; what is not here is a text."""

LONGEST = 2 * caps.BLANK

seeds = given(seed=st.integers(0, 2**32))
often = settings(
    max_examples=40,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def an_example(question):
    return question(**{name: VALUES.get(name, "something") for name in question.__dataclass_fields__})


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.__name__)
@often
@seeds
async def test_every_question_returns_a_valid_answer(kind, seed):
    """Whatever the model says, the result has the type of the question and passes its check."""
    question = an_example(kind)
    answer = await ask(Caller(chat=RandomChat(seed), persona=ADA, step=0), question)
    assert isinstance(answer, kind.answer)
    question.check(answer)


HARSH = st.sampled_from(["", " ", "(", "sleeping", "null", "9" * 400, "x" * LONGEST, "word. " * (LONGEST // 6)])


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.__name__)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_every_question_has_a_fallback_and_a_prompt(kind, data):
    """Whatever texts the state has, also longer ones than models may give."""
    question = an_example(kind)
    texts = {name: data.draw(HARSH) for name in vars(question) if isinstance(getattr(question, name), str)}
    question = replace(question, **texts)
    assert isinstance(question.fallback(), kind.answer)
    assert question.render()


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.__name__)
def test_random_answers_are_both_valid_and_invalid(kind):
    """Self-test: otherwise the tests here would try nothing."""
    question = an_example(kind)
    valid = 0
    for seed in range(100):
        with suppress(ValueError):
            read_answer(question, RandomChat(seed).text(schema_of(kind.answer), question.blanks()))
            valid += 1
    assert 1 < valid < 90


def legal(address, maze):
    """Return whether an address is on the map, next to a persona, or a tile to wait on."""
    match parse_destination(address):
        case AtPlace(place):
            return str(place) in maze.address_tiles
        case AnywhereIn(arena):
            return str(arena) in maze.address_tiles
        case AtTile(tile):
            return tile in {tile for tiles in maze.address_tiles.values() for tile in tiles}
        case NearPersona(name):
            return name in {ADA, BEN}


def check_whole(person, maze):
    scratch = person.scratch
    assert scratch.schedule.minutes == scratch.hourly_schedule.minutes == MINUTES_PER_DAY
    assert all(activity.minutes >= 0 and activity.what for activity in scratch.schedule)
    assert legal(scratch.action.address, maze)
    assert all(1 <= node.poignancy <= 10 for node in person.mind.stream)
    kept = [
        text
        for part in (scratch.as_json(), *(node.as_json() for node in person.mind.stream))
        for _, text in texts(json.loads(json.dumps(part)))
    ]
    assert all(is_safe(text.replace("\n", "\x00")) and len(text) < PLAN_OF_A_DAY for text in kept)


@often
@seeds
async def test_random_answers_never_damage_a_mind(hamlet, seed):
    """After steps, replanning and a whisper, days have 1,440 minutes and addresses are on the map."""
    hamlet = type(hamlet)()
    person = hamlet.person(ADA, schedule=Schedule(()))
    hamlet.person(BEN, tile=hamlet.tiles[ADA], doing="whistling")
    moment = replace(hamlet.moment(ADA), caller=Caller(RandomChat(seed), ADA, hamlet.step))
    await person.think(moment.view, moment.caller, moment.embedder)
    check_whole(person, hamlet.maze)
    schedule = await reschedule(person.mind, moment, "talking about the rain", 1 + seed % 300)
    assert schedule.minutes == MINUTES_PER_DAY
    take_in(person.mind, moment, await thoughts_from_whispers(person.mind, moment, ["The rain will stop."]))
    check_whole(person, hamlet.maze)


STATES: list[dict] = [
    {},
    {"relationship": {name: {"relationship": "x" * caps.RELATIONSHIP, "feeling": "y" * caps.FEELING} for name in BOTH}},
    {"relationship": {ADA: {"relationship": None, "feeling": None}, BEN: None}},
    {"relationship": None, "daily_plan_req": None, "chat": None, "daily_req": []},
]
"""Parts of scratch.json as older and other engines may leave them."""


@often
@seeds
async def test_random_conversations_never_damage_two_minds(hamlet, seed):
    """Includes both schedules and the thoughts afterwards, whatever they thought of each other before."""
    hamlet = type(hamlet)()
    both = [hamlet.person(name, tile=Tile(1, 1), doing="whistling") for name in BOTH]
    for one in both:
        saved = json.loads(json.dumps(one.scratch.as_json()))
        one.mind.scratch = Scratch.load(one.name, saved | STATES[seed % len(STATES)])
    sides = [(one.mind, replace(hamlet.moment(one.name), caller=Caller(RandomChat(seed), one.name, 1))) for one in both]
    if (conversed := await converse(*sides)) is not None:
        await start_conversation(*sides, conversed)
    for one in both:
        one.mind.scratch.importance_trigger_curr = 0
        moment = replace(hamlet.moment(one.name), caller=Caller(RandomChat(seed), one.name, 1))
        await reflect(one.mind, moment, one.scratch.conversation)
        check_whole(one, hamlet.maze)
