"""Asking: valid answers pass, bad ones are shown to the model, and in the end the fallback is taken and counted."""

import json
from contextlib import suppress
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import TimedOut, TooLong
from ville.llm.gateway import ChatReply
from ville.persona.prompt_template.ask import ATTEMPTS, ask, first_object, read_answer
from ville.persona.prompt_template.blanks import DialogueTurn, NumberedMemories, QuotedMemory, ScheduleEntry, blank_text
from ville.persona.prompt_template.caps import BLANK, EXCERPT, GIST, MEMORY
from ville.persona.prompt_template.converse import ConversationGist
from ville.persona.prompt_template.perceive import HowImportant
from ville.persona.prompt_template.plan import DayPlan, Reschedule, ReviseIdentity, Subtasks, WakeUpHour
from ville.persona.prompt_template.reflect import FocalPoints, Insights
from ville.plain_text import one_line

QUESTION = WakeUpHour(identity="Name: Ada Stone", first_name="Ada")
HAPPENINGS = HowImportant(identity="Name: Ada Stone", first_name="Ada", happenings=("bed is idle", "rain is falling"))


async def test_a_valid_answer_is_asked_for_once(chat, caller):
    """One good answer costs one call and leaves no mark in the tally."""
    chat.enqueue({"wake_up_hour": 6})
    assert (await ask(caller, QUESTION)).wake_up_hour == 6
    assert (len(chat.history), caller.tally.corrected, caller.tally.fallbacks) == (1, 0, [])


async def test_a_bad_answer_is_shown_to_the_model_with_its_fault(chat, caller):
    """The second call holds the whole first exchange and the reason."""
    chat.enqueue({"wake_up_hour": 31}, {"wake_up_hour": 7})
    assert (await ask(caller, QUESTION)).wake_up_hour == 7
    question, answer, correction = chat.history[1].messages
    assert question == chat.history[0].messages[0]
    assert "31" in answer.content
    assert "wake_up_hour" in correction.content


async def test_after_malformed_answers_the_fallback_is_taken_and_counted(chat, caller):
    """Nobody is stuck on a model that cannot answer, and the report says which question it was."""
    chat.enqueue(*["I cannot say."] * ATTEMPTS)
    assert await ask(caller, QUESTION) == QUESTION.fallback()
    assert (caller.tally.corrected, caller.tally.fallbacks) == (ATTEMPTS, ["plan/wake_up_hour"])


async def test_the_telephones_faults_are_not_asks_business(chat, caller):
    """A ModelError goes up to whoever decides about the step."""
    chat.enqueue(TimedOut("no answer within 30 s"))
    with pytest.raises(TimedOut):
        await ask(caller, QUESTION)


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
def test_wrappings_round_an_answer_do_not_matter(text):
    """Fences, prose, thinking, trailing commas, raw newlines and numbers in quotes are read for what they mean."""
    assert read_answer(QUESTION, text).wake_up_hour == 6


@pytest.mark.parametrize(
    "text",
    ['{"wake_up_hour": ' * 5000 + "6" + "}" * 5000, '{"wake_up_hour": ' + "9" * 5000 + "}", '{"wake_up_hour": NaN}'],
)
def test_a_monstrous_answer_is_a_mistake_like_any_other(text):
    """Nested beyond all measure, a number of five thousand digits, a number that is none."""
    with pytest.raises(ValueError, match=r"."):
        read_answer(QUESTION, text)


@given(st.text())
def test_any_text_is_an_answer_or_a_value_error(text):
    """No text a model can send raises anything but the fault that is shown to it."""
    with suppress(ValueError):
        assert isinstance(first_object(text), dict)


@pytest.mark.parametrize("scores", [[1], [1, 2, 3], [0, 5], [5, 11]])
def test_a_question_checks_what_its_answer_type_cannot_know(scores):
    """One score a happening, each from 1 to 10."""
    with pytest.raises(ValueError, match="scores"):
        read_answer(HAPPENINGS, f'{{"scores": {scores}}}')


OLD, NEW = (QuotedMemory(datetime(2023, 2, day), f"day {day}") for day in (1, 9))  # noqa: DTZ001 - game time has no zone
MEMORIES = DayPlan(
    identity="Name: Ada Stone", first_name="Ada", today=NEW.when.date(), wake_up_hour=7, memories=(NEW, OLD)
)


async def test_what_is_too_long_is_asked_again_without_the_older_memories(chat, caller):
    """The newer half stays, in its order; nothing else of the question changes."""
    chat.enqueue(TooLong("no room"), {"plans": ["tea at 9:00"]})
    assert (await ask(caller, MEMORIES)).plans == ["tea at 9:00"]
    first, second = (request.messages[0].content for request in chat.history)
    assert second == first.replace(f"\n{blank_text((OLD,))}", "")
    assert caller.tally.cut == 1


async def test_what_is_too_long_even_without_memories_falls_back(chat, caller):
    """A small model never stops the town: the fallback is taken and counted."""
    chat.enqueue(*[TooLong("no room")] * 3)
    assert await ask(caller, MEMORIES) == MEMORIES.fallback()
    assert (caller.tally.cut, caller.tally.fallbacks) == (2, ["plan/day_plan"])


def test_a_long_talk_loses_its_beginning():
    """Where there are no memories to leave out, the older half of the talk is."""
    remarks = tuple(DialogueTurn("Ada", str(number)) for number in range(3))
    question = ConversationGist(transcript=remarks)
    assert question.shorter().transcript == remarks[2:]
    assert question.shorter().shorter().shorter() is None


def test_statements_keep_their_numbers_when_some_are_left_out():
    """An insight refers to its evidence by number, whatever else was shown."""
    question = Insights(identity="", name="Ada", about="tea", statements=NumberedMemories((NEW, OLD)), count=1)
    assert blank_text(question.shorter().statements) == f"0. {blank_text(NEW)}"
    assert question.shorter().shorter().shorter() is None


@pytest.mark.parametrize(("text", "kept"), [("I will not.", 2), ("", 1)])
async def test_a_reply_with_a_fault_is_never_read(chat, caller, text, kept):
    """What was refused or broke off is no answer, whatever it says; an empty one is not shown to the model."""
    chat.enqueue(ChatReply(text, "m", fault="the answer broke off"), {"wake_up_hour": 7})
    assert (await ask(caller, QUESTION)).wake_up_hour == 7
    assert "the answer broke off" in chat.history[1].messages[-1].content
    assert len(chat.history[1].messages) == 1 + kept


GIST_OF = ConversationGist(transcript=(DialogueTurn("Ada", "Tea?"),))
everything = st.text(st.characters(exclude_categories=()), min_size=1, max_size=GIST)


@given(everything)
def test_no_control_character_of_an_answer_is_kept(text):
    """A text is read as one plain line, alone or in a list; one of which nothing is left counts as empty."""
    plain = one_line(text).strip()
    with suppress(ValueError):
        assert read_answer(GIST_OF, json.dumps({"about": text})).about == plain
        assert plain
    focus = FocalPoints(identity="", name="Ada", memories=(), count=1)
    assert read_answer(focus, json.dumps({"questions": [text]})).questions == [plain]


async def test_a_bad_answer_is_sent_back_by_its_beginning(chat, caller):
    """A gist of 300,000 characters costs no prompt of that length, whatever is wrong with it."""
    chat.enqueue({"about": "tea " * 75_000}, {"about": [["x"]] * 9_000}, {"about": "tea"})
    assert (await ask(caller, GIST_OF)).about == "tea"
    _, answer, correction = chat.history[1].messages
    assert answer.content.startswith('{"about": "tea tea ')
    assert f"at most {GIST} characters" in correction.content
    assert all(len(message.content) <= EXCERPT + 100 for message in chat.history[2].messages[1:])


async def test_an_endless_complaint_is_sent_by_its_beginning(chat, caller):
    """Nor do hundreds of mistakes in one answer."""
    chat.enqueue({"insights": [{"because_of": [10**300] * 99}] * 20}, {"insights": []})
    await ask(caller, Insights(identity="", name="Ada", about="tea", statements=NumberedMemories((NEW, OLD)), count=1))
    assert len(chat.history[1].messages[-1].content) <= EXCERPT + 100


@pytest.mark.parametrize(
    "question",
    [
        Subtasks("", "Ada", around=(), activity="x" * 9_000, start=NEW.when, minutes=60),
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
        HowImportant("", "Ada", happenings=("x",) * 9_000),
    ],
    ids=lambda question: question.title,
)
async def test_what_was_longer_before_is_carried_on(chat, caller, question):
    """Files from elsewhere know no caps: a fallback that repeats what stands there never fails."""
    chat.enqueue(*["?"] * ATTEMPTS)
    assert await ask(caller, question) == question.fallback()


def test_a_text_from_elsewhere_is_quoted_by_its_beginning():
    """However long it is, so that it cannot fill every prompt."""
    assert len(blank_text("x" * 300_000)) == BLANK
    for value in (
        QuotedMemory(NEW.when, "x" * 300_000),
        ScheduleEntry(NEW.when, 5, "x" * 300_000),
        DialogueTurn("Ada", "x" * 300_000),
    ):
        assert MEMORY < len(blank_text(value)) < MEMORY + 50
