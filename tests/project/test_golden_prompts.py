"""Prompts word for word: a rendered example of every question, stored under tests/golden/prompts.

Look at every changed prompt. If it is right, store it with `pytest tests/project --write-golden`.
"""

import importlib
import json
import pkgutil
from dataclasses import fields, replace
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest

import ville.persona.prompt_template as shelf
from ville.persona.prompt_template.blanks import (
    AheadToday,
    DialogueTurn,
    NumberedMemories,
    NumberedTexts,
    PlaceOptions,
    QuotedMemory,
    SaidOfLate,
    ScheduleEntry,
    SituatedSelf,
    TalkOfToday,
    Today,
)
from ville.persona.prompt_template.converse_questions import (
    AfterConversation,
    AfterImpression,
    AfterSmallTalk,
    ConversationGist,
    Impression,
    NextUtterance,
    Relationship,
    UtteranceByImpression,
)
from ville.persona.prompt_template.day_questions import (
    BringUpToDate,
    DayLine,
    FillTheDay,
    StepByStep,
    StepByStepBriefly,
    WhereUsually,
)
from ville.persona.prompt_template.perceive_questions import HowImportant, HowImportantBriefly
from ville.persona.prompt_template.plan_questions import (
    DayPlan,
    HourlySchedule,
    Reschedule,
    ReviseIdentity,
    Subtasks,
    SubtasksBriefly,
    WakeUpHour,
    WhereAndHow,
)
from ville.persona.prompt_template.question import Question, all_questions
from ville.persona.prompt_template.react_questions import HowToReact, HowToReactBriefly, HowToRespond
from ville.persona.prompt_template.reflect_questions import DirectInsights, FocalPoints, Insights
from ville.persona.prompt_template.talk_questions import (
    Anthropomorphising,
    ChangedToday,
    Interview,
    TypedInterview,
    Whispered,
    WhispersMatter,
)
from ville.persona.prompt_template.whole_talk_question import WholeTalk
from ville.reply_form import reply_form

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "prompts"
PAPER = GOLDEN.with_name("paper")
"""Prompts and schemas as they were before there were situated questions. Runs recorded then are replayed with them."""
OF_SITUATED = {"at_hand", "cue", "manner", "first_now", "second_now"}
"""Fields that only situated questions have."""
for module in pkgutil.iter_modules(shelf.__path__):
    importlib.import_module(f"{shelf.__name__}.{module.name}")

NAME, FIRST, OTHER = "Ada Stone", "Ada", "Ben Reed"
IDENTITY = """\
Name: Ada Stone
Age: 34
Innate traits: kind, curious
Learned traits: Ada Stone bakes bread and has done so all her life.
Currently: Ada Stone tries out a new kind of bread.
Lifestyle: Ada Stone goes to bed around 10pm and wakes up around 5am.
Daily plan requirement: Ada Stone opens the bakery at 7am.
Current Date: Monday February 13"""
CHARACTER = IDENTITY.partition("\nLifestyle")[0]
TODAY = date(2023, 2, 13)


def at(hour: int, minute: int = 0) -> datetime:
    return datetime.combine(TODAY, time(hour, minute))


REMEMBERED = (
    QuotedMemory(
        at(0) - timedelta(hours=5.5),
        "Ada Stone means to ask Ben Reed about the fair",
        "thought",
        6,
        "yesterday 6:30 PM",
    ),
    QuotedMemory(at(8, 5), "Ben Reed is buying two loaves of rye bread", poignancy=3, age="today 8:05 AM"),
)
HOME = "Ada's flat > main room"
OPTIONS = PlaceOptions({"Ada's flat": {"main room": ("bed", "desk")}, "Bakery": {"shop": ("counter",), "yard": ()}})
DAY = ("5:00 AM: getting ready", "6:00 AM: baking bread", "7:00 AM: selling it")
SAID = (
    DialogueTurn(NAME, "Good morning, Ben. Will you come to the fair?"),
    DialogueTurn(OTHER, "On Saturday? Gladly."),
)
SAID_BEFORE = SaidOfLate(NAME, (DialogueTurn(NAME, "The fair is on Saturday."), DialogueTurn(OTHER, "I see.")))
AT_HAND = SituatedSelf(
    at(8, 20),
    FIRST,
    "in the street",
    "selling bread",
    at(12),
    heading="Bakery (shop)",
    ahead=(AheadToday(at(12), "having lunch", "home"), AheadToday(at(13), "tidying up the shop")),
    facing=OTHER,
    feeling="sympathy",
    promises=("to show Ben Reed the fair, Saturday 10:00, Main Square",),
)


EXAMPLES: list[Question] = [
    WakeUpHour(IDENTITY, FIRST),
    ReviseIdentity(IDENTITY, FIRST, TODAY, "Ada Stone tries out a new kind of bread.", "", REMEMBERED),
    BringUpToDate(IDENTITY, FIRST, TODAY, "Ada Stone tries out a new kind of bread.", "", REMEMBERED),
    DayPlan(IDENTITY, FIRST, TODAY, 5, ()),
    HourlySchedule(IDENTITY, FIRST, TODAY, 5, ("bake bread from 5:00 to 7:00", "open the bakery at 7:00")),
    *(
        kind(
            IDENTITY,
            FIRST,
            options=OPTIONS,
            here=HOME,
            home=HOME,
            day=DAY,
            activity="baking bread",
            start=at(6),
            minutes=60,
        )
        for kind in (Subtasks, SubtasksBriefly)
    ),
    *(
        kind(
            CHARACTER,
            FIRST,
            day=DAY,
            activity="baking bread",
            start=at(6),
            minutes=60,
        )
        for kind in (StepByStep, StepByStepBriefly)
    ),
    WhereUsually("baking bread"),
    FillTheDay(
        IDENTITY,
        FIRST,
        TODAY,
        wake_up_hour=5,
        lines=(
            DayLine(time(5), time(6), "getting up", "home"),
            DayLine(time(6), time(12)),
            DayLine(time(12), time(13), "having lunch"),
            DayLine(time(13), time(22)),
        ),
        places=("home", "Bakery"),
        appointments=("today at 17:00: seeing Ben Reed",),
        yesterday=("07:00: selling bread at Bakery",),
        eating=("home",),
        mind=REMEMBERED,
    ),
    WhereAndHow(
        IDENTITY,
        NAME,
        action="kneading dough",
        activity="baking bread",
        now=at(6, 10),
        here=HOME,
        home=HOME,
        options=OPTIONS,
    ),
    Reschedule(
        IDENTITY,
        NAME,
        planned=(ScheduleEntry(at(8), 30, "selling bread"), ScheduleEntry(at(8, 30), 90, "tidying up the shop")),
        happened="conversing about the fair",
        start=at(8, 20),
        minutes=4,
        remaining=96,
        day=DAY,
    ),
    *(
        kind(CHARACTER, FIRST, NumberedTexts(("Ben Reed is buying two loaves of rye bread", "oven is on fire")))
        for kind in (HowImportant, HowImportantBriefly)
    ),
    *(
        kind(
            IDENTITY,
            NAME,
            now=at(8, 20),
            other=OTHER,
            own_doing="selling bread",
            other_doing="buying two loaves of rye bread",
            last_talk="never",
            memories=REMEMBERED,
            choices=("talk", "carry on"),
        )
        for kind in (HowToReact, HowToReactBriefly)
    ),
    HowToRespond(
        IDENTITY,
        NAME,
        now=at(8, 20),
        noticed="stove is burning",
        where="Bakery > shop",
        thing="stove",
        own_doing="selling bread",
        home="Ada's flat > main room",
        others=("Ben Reed: buying two loaves of rye bread", "Cleo Vance: on the way to having breakfast"),
        memories=REMEMBERED,
        options=PlaceOptions({"Ada's flat": {"main room": ("bed", "desk")}, "Bakery": {"shop": ("counter", "stove")}}),
    ),
    Relationship(
        IDENTITY, NAME, OTHER, REMEMBERED, "Ada Stone and Ben Reed are friends. (feeling: sympathy)", at_hand=AT_HAND
    ),
    NextUtterance(
        IDENTITY,
        NAME,
        OTHER,
        now=at(8, 20),
        place="shop in Bakery",
        situation="Ada Stone was selling bread when Ben Reed came in.",
        relationship="Ben Reed is a customer whom Ada Stone likes.",
        last_talk="never",
        memories=REMEMBERED,
        transcript=SAID,
        earlier=SAID_BEFORE,
        at_hand=AT_HAND,
        manner="warmly, curiously",
    ),
    Impression(CHARACTER, NAME, OTHER, "Ada Stone and Ben Reed are friends. (feeling: sympathy)", REMEMBERED),
    UtteranceByImpression(
        CHARACTER,
        NAME,
        OTHER,
        now=at(8, 20),
        place="shop in Bakery",
        situation="Ada Stone was selling bread when Ben Reed came in.",
        impression="Ben Reed is a customer whom Ada Stone likes.\nBen Reed has asked about the fair.",
        memories=REMEMBERED,
        transcript=SAID,
        earlier=SAID_BEFORE,
        at_hand=AT_HAND,
        manner="warmly, curiously",
    ),
    AfterImpression(CHARACTER, NAME, OTHER, "", at(8, 24), SAID, DAY[1:]),
    WholeTalk(
        NAME,
        OTHER,
        first_identity=CHARACTER,
        first_impression="Ben Reed is a customer whom Ada Stone likes.",
        first_memories=REMEMBERED,
        first_day=DAY[1:],
        second_identity="Name: Ben Reed\nAge: 40",
        second_impression="Ben Reed and Ada Stone hardly know each other.",
        second_memories=(),
        second_day=(),
        first_earlier=SAID_BEFORE,
        first_now=AT_HAND,
        now=at(8, 20),
        place="shop in Bakery",
        situation="Ada Stone was selling bread when Ben Reed came in.",
        most=16,
    ),
    ConversationGist(SAID),
    AfterConversation(IDENTITY, NAME, OTHER, at(8, 24), SAID, DAY, at_hand=AT_HAND),
    AfterSmallTalk(IDENTITY, NAME, OTHER, at(8, 24), SAID, DAY, at_hand=AT_HAND),
    FocalPoints(IDENTITY, NAME, REMEMBERED, 3),
    Insights(IDENTITY, NAME, "What does Ben Reed mean to Ada Stone?", NumberedMemories(REMEMBERED), 5),
    DirectInsights(CHARACTER, NAME, NumberedMemories(REMEMBERED), 5),
    Whispered(IDENTITY, NAME, "You have heard that there will be a fair on Saturday"),
    WhispersMatter(CHARACTER, FIRST, NumberedTexts(("Ada Stone is giving a fair", "Ben Reed is Ada Stone's brother"))),
    ChangedToday(NAME, "The bakery stays closed today", at(5, 30), DAY[1:]),
    Interview(
        IDENTITY,
        NAME,
        REMEMBERED,
        (DialogueTurn("Interviewer", "What is on your mind today?"),),
        today=Today(
            at(9),
            "shop in Bakery",
            "selling bread",
            (ScheduleEntry(at(7), 300, "selling bread"),),
            (TalkOfToday(at(8, 20), OTHER, "conversing about the fair"),),
        ),
        at_hand=AT_HAND,
    ),
    TypedInterview(
        IDENTITY,
        NAME,
        REMEMBERED,
        (DialogueTurn("Interviewer", "How well do you know Ben Reed?"),),
        today=Today(at(9), "shop in Bakery", "selling bread", (ScheduleEntry(at(7), 300, "selling bread"),), ()),
        at_hand=AT_HAND,
        form=reply_form({"scale": [1, 7], "labels": ["not at all", "very well"]}),
    ),
    Anthropomorphising("Do you love me?"),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_prompts_have_not_changed(example, request):
    """Each rendered example equals the stored one, to the letter."""
    golden = GOLDEN / example.template
    if request.config.getoption("--write-golden"):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(example.render() + "\n", "utf-8")
    how = "If the new prompt is right, store it: pytest tests/project --write-golden"
    assert golden.read_text("utf-8") == example.render() + "\n", how


@pytest.mark.parametrize("kept", sorted(PAPER.rglob("*.txt")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_questions_of_the_paper_stay_as_they_are(kept):
    """To the letter, with their schemas: the ledger of an older run is found by them."""
    template = kept.relative_to(PAPER).as_posix()
    (example,) = (each for each in EXAMPLES if each.template == template)
    schemas = json.loads((PAPER / "schemas.json").read_text("utf-8"))
    example = replace(example, **dict.fromkeys(OF_SITUATED & {field.name for field in fields(example)}))
    assert example.render("paper") + "\n" == kept.read_text("utf-8")
    assert example.schema() == schemas[example.title]


def test_a_brief_prompt_is_shorter():
    """Even if it is given the same."""
    asked = {example.title: len(example.render()) for example in EXAMPLES}
    brief = {title: length for title, length in asked.items() if title.endswith("_briefly")}
    assert len(brief) == 4
    assert not [title for title, length in brief.items() if length >= asked[title.removesuffix("_briefly")]]


def test_every_question_has_one_example():
    """And every stored file has a question."""
    asked = sorted(question.template for question in all_questions())
    assert sorted(example.template for example in EXAMPLES) == asked
    assert sorted(path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*.txt")) == asked


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_a_fallback_is_a_valid_answer(example):
    """It fits its question."""
    example.check(type(example).answer.model_validate(example.fallback().model_dump()))
