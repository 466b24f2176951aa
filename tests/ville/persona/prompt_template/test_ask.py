"""Laws of asking: valid answers pass, malformed ones are sent back, finally the fallback is used and counted."""

import json
from contextlib import suppress
from datetime import datetime
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import TimedOut, TooLong, Unreachable
from ville.llm.gateway import ChatReply
from ville.llm.wire.responses import CUT_OFF
from ville.persona.prompt_template.answers.json_values import json_values
from ville.persona.prompt_template.answers.meant import meant_item, meant_text
from ville.persona.prompt_template.ask import ATTEMPTS, ask, read_answer
from ville.persona.prompt_template.blanks import (
    DialogueTurn,
    NumberedMemories,
    NumberedTexts,
    PlaceOptions,
    QuotedMemory,
    ScheduleEntry,
    blank_text,
)
from ville.persona.prompt_template.caps import BLANK, EXCERPT, GIST, MEMORY, QUOTED
from ville.persona.prompt_template.converse_questions import ConversationGist, Relationship
from ville.persona.prompt_template.perceive_questions import HowImportant
from ville.persona.prompt_template.plan_questions import (
    DayPlan,
    Reschedule,
    ReviseIdentity,
    Subtasks,
    WakeUpHour,
    Whereabouts,
)
from ville.persona.prompt_template.question import essential, schema_of
from ville.persona.prompt_template.reflect_questions import FocalPoints, Insights
from ville.plain_text import one_line

QUESTION = WakeUpHour(identity="Name: Ada Stone", first_name="Ada")
HAPPENINGS = HowImportant("Name: Ada Stone", "Ada", NumberedTexts(("bed is idle", "rain is falling")))


async def test_a_valid_answer_takes_one_call(chat, caller):
    """The tally counts no correction."""
    chat.enqueue({"wake_up_hour": 6})
    assert (await ask(caller, QUESTION)).wake_up_hour == 6
    assert (len(chat.history), caller.tally.corrected, caller.tally.fallbacks) == (1, 0, [])


async def test_a_malformed_answer_is_sent_back_with_its_fault(chat, caller):
    """The second request contains the first exchange."""
    chat.enqueue({"wake_up_hour": 31}, {"wake_up_hour": 7})
    assert (await ask(caller, QUESTION)).wake_up_hour == 7
    question, answer, correction = chat.history[1].messages
    assert question == chat.history[0].messages[0]
    assert "31" in answer.content
    assert "wake_up_hour" in correction.content


async def test_after_malformed_answers_the_fallback_is_used_and_counted(chat, caller):
    """The tally has the title of the question."""
    chat.enqueue(*["I cannot say."] * ATTEMPTS)
    assert await ask(caller, QUESTION) == QUESTION.fallback()
    assert (caller.tally.corrected, caller.tally.fallbacks) == (ATTEMPTS, ["plan/wake_up_hour"])


async def test_a_failed_call_is_raised(chat, caller):
    """The caller decides what a ModelError means for the step."""
    chat.enqueue(Unreachable("no line"))
    with pytest.raises(Unreachable):
        await ask(caller, QUESTION)


@pytest.mark.parametrize(
    "first", [TimedOut("no answer within 30 s"), ChatReply('{"currently": "busy with', "m", fault=CUT_OFF)]
)
async def test_a_question_that_took_too_long_is_put_briefly(chat, caller, first):
    """With fewer memories and only what is needed of the answer, not word for word and with the bad answer."""
    memories = tuple(QuotedMemory("yesterday", f"thought {number}") for number in range(8))
    question = Relationship("Name: Ada Stone", "Ada Stone", "Ben Reed", memories)
    chat.enqueue(first, {"relationship": "a friend"})
    answer = await ask(caller, question)
    assert (answer.relationship, answer.feeling) == ("a friend", "")
    whole, brief = chat.history
    assert (len(whole.messages), len(brief.messages)) == (1, 1)
    assert "thought 0" in whole.messages[0].content
    assert "thought 0" not in brief.messages[0].content
    assert list(whole.schema["properties"]) == ["relationship", "feeling"]
    assert list(brief.schema["properties"]) == ["relationship"]


async def test_a_brief_question_that_times_out_fails(chat, caller):
    """There is nothing shorter to ask."""
    chat.enqueue(TimedOut("late"), TimedOut("late"))
    with pytest.raises(TimedOut):
        await ask(caller, QUESTION)


async def test_brief_answers_that_run_on_end_in_the_fallback(chat, caller):
    """After as many attempts as others."""
    chat.enqueue(*[ChatReply("on and on", "m", fault=CUT_OFF)] * (1 + ATTEMPTS))
    assert await ask(caller, QUESTION) == QUESTION.fallback()


def test_an_answer_without_required_parts_keeps_its_schema():
    """All of a place is optional."""
    schema = schema_of(Whereabouts)
    assert essential(schema) == schema


@pytest.mark.parametrize(
    "text",
    [
        '{"wake_up_hour": 6}',
        '```json\n{"wake_up_hour": 6}\n```',
        'Gladly! {"wake_up_hour": "6",} - is that early?',
        '<think>{"wake_up_hour": 9}? No.</think>{"wake_up_hour": 6}',
        '{"wake_up_hour": 6, "because": "the sun\nrises"}',
        '{"wake_up_hour": 9}? No: I was asked for one hour.</think>{"wake_up_hour": 6}',
        'With {braces} in the prose:\n```json\n{"wake_up_hour": 6,}\n```\nand {after} it.',
    ],
)
def test_text_around_an_answer_does_not_matter(text):
    """Nor do fences, thinking, trailing commas, raw newlines and numbers in quotes."""
    assert read_answer(QUESTION, text).wake_up_hour == 6


@pytest.mark.parametrize(
    "text",
    ['{"wake_up_hour": ' * 5000 + "6" + "}" * 5000, '{"wake_up_hour": ' + "9" * 5000 + "}", '{"wake_up_hour": NaN}'],
)
def test_an_extreme_answer_is_malformed(text):
    """Too deeply nested, a number of five thousand digits, a number that is none."""
    with pytest.raises(ValueError, match=r"."):
        read_answer(QUESTION, text)


@pytest.mark.parametrize(
    "text", ["[1," * 2000, '{"a": ' * 2000, "[" * 2000 + "]" * 2000, '{"a": [' + '{"b": x},' * 500]
)
def test_the_work_of_reading_is_bounded(monkeypatch, text):
    """A broken answer is read two hundred times at most, not from every bracket to every end."""
    module, lengths = import_module(json_values.__module__), list[int]()
    parsed = module._parsed
    monkeypatch.setattr(module, "_parsed", lambda part: (lengths.append(len(part)), parsed(part))[1])
    with suppress(ValueError):
        json_values(text)
    assert sum(lengths) <= 200 * len(text)


@given(st.text())
def test_any_text_is_an_answer_or_a_value_error(text):
    """No text of a model raises anything else."""
    with suppress(ValueError):
        assert json_values(text)


@pytest.mark.parametrize("scores", [[1], [1, 2, 3], [0, 5], [5, 11]])
def test_a_question_checks_what_its_answer_type_cannot(scores):
    """One score per happening, each from 1 to 10."""
    with pytest.raises(ValueError, match="scores"):
        read_answer(HAPPENINGS, f'{{"scores": {scores}}}')


OLD, NEW = (QuotedMemory(datetime(2023, 2, day), f"day {day}") for day in (1, 9))  # noqa: DTZ001 - game time has no zone
MEMORIES = DayPlan(
    identity="Name: Ada Stone", first_name="Ada", today=NEW.when.date(), wake_up_hour=7, memories=(NEW, OLD)
)


async def test_a_question_that_is_too_long_is_asked_without_its_older_memories(chat, caller):
    """The newer half stays in order; everything else stays the same."""
    chat.enqueue(TooLong("no room"), {"plans": ["tea at 9:00"]})
    assert (await ask(caller, MEMORIES)).plans == ["tea at 9:00"]
    first, second = (request.messages[0].content for request in chat.history)
    assert second == first.replace(f"\n{blank_text((OLD,))}", "")
    assert caller.tally.cut == 1


async def test_a_question_that_is_always_too_long_falls_back(chat, caller):
    """The fallback is counted, and the run continues."""
    chat.enqueue(*[TooLong("no room")] * 3)
    assert await ask(caller, MEMORIES) == MEMORIES.fallback()
    assert (caller.tally.cut, caller.tally.fallbacks) == (2, ["plan/day_plan"])


def test_a_long_transcript_loses_its_older_half():
    """If there are no memories to leave out."""
    remarks = tuple(DialogueTurn("Ada", str(number)) for number in range(3))
    question = ConversationGist(transcript=remarks)
    assert question.shorter().transcript == remarks[2:]
    assert question.shorter().shorter().shorter() is None


def test_memories_keep_their_numbers_when_some_are_left_out():
    """An insight refers to its evidence by number."""
    question = Insights(identity="", name="Ada", about="tea", statements=NumberedMemories((NEW, OLD)), count=1)
    assert blank_text(question.shorter().statements) == f"0. {blank_text(NEW)}"
    assert question.shorter().shorter().shorter() is None


@pytest.mark.parametrize(("text", "kept"), [("I will not.", 2), ("", 1)])
async def test_a_reply_with_a_fault_is_malformed(chat, caller, text, kept):
    """A refused or truncated reply is not read; an empty one is not sent back."""
    chat.enqueue(ChatReply(text, "m", fault="the answer broke off"), {"wake_up_hour": 7})
    assert (await ask(caller, QUESTION)).wake_up_hour == 7
    assert "the answer broke off" in chat.history[1].messages[-1].content
    assert len(chat.history[1].messages) == 1 + kept


GIST_OF = ConversationGist(transcript=(DialogueTurn("Ada", "Tea?"),))
everything = st.text(st.characters(exclude_categories=()), min_size=1, max_size=GIST)


@given(everything)
def test_control_characters_of_an_answer_are_removed(text):
    """A text becomes one plain line, alone or in a list; one without anything left is empty."""
    plain = meant_text(text)
    assert plain == one_line(plain)
    with suppress(ValueError):
        assert read_answer(GIST_OF, json.dumps({"about": text})).about == plain
        assert plain
    focus = FocalPoints(identity="", name="Ada", memories=(), count=1)
    assert read_answer(focus, json.dumps({"questions": [text]})).questions == [meant_item(text)]


async def test_a_long_malformed_answer_is_sent_back_shortened(chat, caller):
    """Whatever is wrong with it."""
    chat.enqueue({"about": "tea " * 75_000}, {"about": [["x"]] * 9_000}, {"about": "tea"})
    assert (await ask(caller, GIST_OF)).about == "tea"
    _, answer, correction = chat.history[1].messages
    assert answer.content.startswith('{"about": "tea tea ')
    assert f"at most {GIST} characters" in correction.content
    assert all(len(message.content) <= EXCERPT + 100 for message in chat.history[2].messages[1:])


async def test_a_long_fault_is_sent_back_shortened(chat, caller):
    """For example that of an answer with hundreds of mistakes."""
    chat.enqueue({"insights": [{"because_of": [10**300] * 99}] * 20}, {"insights": []})
    await ask(caller, Insights(identity="", name="Ada", about="tea", statements=NumberedMemories((NEW, OLD)), count=1))
    assert len(chat.history[1].messages[-1].content) <= EXCERPT + 100


@pytest.mark.parametrize(
    "question",
    [
        Subtasks("", "Ada", PlaceOptions({}), "", "", day=(), activity="x" * 9_000, start=NEW.when, minutes=60),
        Reschedule(
            "",
            "Ada",
            planned=(ScheduleEntry(NEW.when, 60, "x" * 9_000),),
            happened="",
            start=NEW.when,
            minutes=1,
            remaining=59,
        ),
        ReviseIdentity("", "Ada", NEW.when.date(), currently="x" * 9_000, daily_requirement="", memories=()),
        Relationship("", "Ada", "Ben", memories=(), known="x" * 9_000),
        HowImportant("", "Ada", happenings=NumberedTexts(("x",) * 9_000)),
    ],
    ids=lambda question: question.title,
)
async def test_a_fallback_may_repeat_texts_beyond_the_limits(chat, caller, question):
    """Files of other engines know no limits."""
    chat.enqueue(*["?"] * ATTEMPTS)
    assert await ask(caller, question) == question.fallback()


def test_long_texts_are_quoted_shortened():
    """So that one of them cannot fill every prompt."""
    assert len(blank_text("x" * 300_000)) == BLANK
    assert QUOTED < len(blank_text(QuotedMemory(NEW.when, "x" * 300_000))) < QUOTED + 50
    for value in (
        ScheduleEntry(NEW.when, 5, "x" * 300_000),
        DialogueTurn("Ada", "x" * 300_000),
    ):
        assert MEMORY < len(blank_text(value)) < MEMORY + 50
