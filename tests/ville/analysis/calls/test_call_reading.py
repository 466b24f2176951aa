"""How answers were read: what the mind got, what was sent back and why, and what was taken instead."""

from contextlib import closing
from datetime import UTC, datetime

import pytest

from ville.analysis.calls.call_index import CallIndex
from ville.analysis.calls.call_reading import ReadValue, call_reading, corrects
from ville.analysis.calls.call_text import call_text
from ville.llm.accounting.ledger import CallRecord, CallResult, Ledger
from ville.llm.accounting.rates import MostUsage
from ville.llm.gateway import ChatMessage, ChatRequest, Usage

ADA, NOON = "Ada Stone", datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = "plan/wake_up_hour"
NO_HOUR = '{"wake_up_hour": "when the cock crows"}'
WHY = "wake_up_hour: there is no hour in it"


@pytest.fixture
def readings(tmp_path):
    """Return how the calls of a ledger were read that has these answers to one question, each after the others."""

    def read(question, *answers, carried_on=False):
        messages = [ChatMessage("user", "When do you get up?")]
        with closing(Ledger.open(tmp_path)) as ledger:
            for number, answer in enumerate(answers):
                request = ChatRequest(question, {}, tuple(messages), {}, ADA, 3, occurrence=number)
                call = ledger.begin(CallRecord.of(request), MostUsage("m", Usage(prompt_tokens=9)), NOON)
                ledger.finish(call, CallResult(1.0, Usage(prompt_tokens=9, cost=0.1), answer=answer))
                again = f"That answer cannot be used: {WHY}. Answer again."
                messages += [ChatMessage("assistant", answer), ChatMessage("user", again)]
            ledger.record_fallbacks(3, ADA, [question] if carried_on else [])
        index = CallIndex(tmp_path)
        index.catch_up()
        return [_reading(index, tmp_path, number) for number in range(1, len(answers) + 1)]

    return read


def _reading(index, folder, number):
    call, text = index.call(number), call_text(folder, number, "situated")
    later = [call_text(folder, each, "situated") for each in index.later_attempts(call)]
    return call_reading(call, text, next((each for each in later if corrects(text, each)), None))


def test_what_the_mind_got_is_read_again(readings):
    """Of words between brackets, other keys, and hours in words: as when the town ran."""
    (found,) = readings(HOUR, 'Well: {"hour": "7 am"}!')
    assert (found.end, found.values) == ("used", (ReadValue("wake up hour", ("7",)),))
    assert found.fallback is None


def test_an_answer_that_was_sent_back_has_its_reason(readings):
    """The next one counts."""
    first, second = readings(HOUR, NO_HOUR, '{"wake_up_hour": 6}')
    assert (first.end, first.values) == ("sent back", ())
    assert WHY in first.reason
    assert (second.end, second.values) == ("used", (ReadValue("wake up hour", ("6",)),))


def test_what_is_taken_where_nothing_can_be_used(readings):
    """The last answer says what: the neutral one, where that does not depend on the situation."""
    *sent_back, last = readings(HOUR, NO_HOUR, NO_HOUR, carried_on=True)
    assert [each.end for each in sent_back] == ["sent back"]
    assert (last.end, last.values, last.fallback) == ("carried on", (), (ReadValue("wake up hour", ("8",)),))


@pytest.mark.parametrize("question", ["plan/day_plan", "plan/no_such_question"])
def test_what_depends_on_the_situation_is_not_made_up(readings, question):
    (found,) = readings(question, "I do not know", carried_on=True)
    assert found.fallback is None
    assert found.end == ("carried on" if question == "plan/day_plan" else "none")
