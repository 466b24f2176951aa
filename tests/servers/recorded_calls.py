"""Calls in the ledger of a simulation, as a run with a model leaves them."""

from contextlib import closing
from datetime import UTC, datetime, timedelta

from ville.llm.accounting.ledger import CallRecord, CallResult, Ledger
from ville.llm.accounting.rates import MostUsage
from ville.llm.gateway import ChatMessage, ChatRequest, Usage

BEGAN = datetime(2026, 1, 1, 12, tzinfo=UTC)
QUESTION = "plan/wake_up_hour"
NASTY = "<script>alert(1)</script>"


def record_calls(folder, people, count, *, first=0):
    """Write calls to the ledger in a folder: of everyone in turn, a step apart, each corrected one after two others."""
    with closing(Ledger.open(folder)) as ledger:
        for number in range(first, first + count):
            _record(ledger, people[number % len(people)], number)


def _record(ledger, person, number):
    corrected = number % 3 == 2
    asked = (ChatMessage("user", f"Who are you, {NASTY} {number}?"),)
    again = (ChatMessage("assistant", "Nobody"), ChatMessage("user", "Write JSON.")) if corrected else ()
    request = ChatRequest(QUESTION, {}, (*asked, *again), {"type": "object"}, person, number, occurrence=number)
    usage = Usage(prompt_tokens=100, completion_tokens=number, cost=0.001 * number)
    call = ledger.begin(CallRecord.of(request), MostUsage("m", usage), BEGAN + timedelta(seconds=number))
    ledger.finish(call, CallResult(1.0 + number, usage, answer=f'Well: {{"hour": {number}}}'))
