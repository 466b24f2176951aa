"""The index of a ledger lists, sums up and follows its calls, and never holds up the run that writes them."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from ville.analysis.calls import call_index
from ville.analysis.calls.call_index import CallFilter, CallIndex
from ville.errors import CorruptFile
from ville.llm.accounting.ledger import FILE, CallRecord, CallResult, Ledger
from ville.llm.accounting.rates import MostUsage
from ville.llm.gateway import ChatMessage, ChatRequest, Usage

ADA, BEN = "Ada Stone", "Ben Reed"
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
CALLS = (
    (ADA, "plan/x", 0, 0, 2.0, 0.5),
    (BEN, "plan/x", 0, 0, 9.0, None),
    (ADA, "react/y", 7, 0, 1.0, 0.25),
    (ADA, "react/y", 7, 1, 4.0, 2.0),
    (BEN, "react/y", 8, 2, 3.0, 0.125),
)
"""Person, question, step, corrections, seconds, dollars."""


def _begin(ledger, number, row):
    who, question, step, corrections, _, _ = row
    sent_back = (ChatMessage("assistant", "?"), ChatMessage("user", "Again")) * corrections
    messages = (ChatMessage("user", f"What? {number}"), *sent_back)
    request = ChatRequest(question, {}, messages, {}, who, step, occurrence=number)
    return ledger.begin(
        CallRecord.of(request), MostUsage("m", Usage(prompt_tokens=1000)), NOON + timedelta(minutes=number)
    )


def _finish(ledger, call, row):
    usage = Usage(prompt_tokens=100, completion_tokens=10, cost=row[-1])
    ledger.finish(call, CallResult(row[-2], usage, answer="{}"))


@pytest.fixture
def ledger(tmp_path):
    """An open ledger with five calls; Ben has carried on at step 8."""
    with closing(Ledger.open(tmp_path)) as opened:
        for number, row in enumerate(CALLS):
            _finish(opened, _begin(opened, number, row), row)
        opened.record_fallbacks(8, BEN, ["react/y"])
        yield opened


@pytest.fixture
def index(ledger):
    made = CallIndex(ledger.path.parent)
    made.catch_up()
    return made


def _numbers(index, order="latest", page=0, **chosen):
    return [call.number for call in index.listed(CallFilter(**chosen), order, page)]


def test_calls_are_sorted_filtered_and_paged(index, monkeypatch):
    """By time, seconds, cost and corrections; what costs nothing known comes last. A page has the next ones."""
    assert _numbers(index) == [5, 4, 3, 2, 1]
    assert _numbers(index, "slowest") == [2, 4, 5, 1, 3]
    assert _numbers(index, "dearest") == [4, 1, 3, 5, 2]
    assert _numbers(index, "corrected")[:2] == [5, 4]
    assert _numbers(index, persona=ADA, question="react/y") == [4, 3]
    assert _numbers(index, steps=(7, 8)) == [4, 3]
    assert _numbers(index, model="other") == []
    assert _numbers(index, carried_on=True) == [5]
    monkeypatch.setattr(call_index, "PAGE", 2)
    assert [_numbers(index, page=page) for page in range(4)] == [[5, 4], [3, 2], [1], []]


def test_sums_are_those_of_the_ledger(index, ledger):
    """However they are grouped; corrections, and times when somebody carried on, are where they were."""
    for by in call_index.GROUPS:
        sums = index.sums(by, CallFilter())
        assert sum(each.calls for each in sums) == ledger.spend.calls
        assert sum(each.tokens for each in sums) == ledger.spend.tokens
        assert sum(each.cost for each in sums) == ledger.spend.cost
    of = {each.name: each for each in index.sums("question", CallFilter())}
    assert (of["react/y"].corrected, of["react/y"].carried_on, of["plan/x"].carried_on) == (2, 1, 0)
    assert sum(each.calls for each in index.pulse(CallFilter(), 5)) == len(CALLS)
    assert [each.step for each in index.pulse(CallFilter(), 5)] == [0, 5]
    calls, dollars = index.rate()
    assert (calls, dollars) == pytest.approx((5 / (4 / 60), 2.875 / (4 / 60)))


def test_the_index_follows_a_run_that_goes_on(index, ledger):
    """An open call waits, then has its answer; one that was not sent is gone; new ones are found. The run can write
    while the index reads.
    """
    row = (ADA, "plan/z", 9, 0, 1.0, 4.0)
    kept, dropped = (_begin(ledger, number, row) for number in (10, 11))
    index.catch_up()
    assert [call.outcome for call in index.listed(CallFilter(question="plan/z"), "latest", 0)] == ["open", "open"]
    _finish(ledger, kept, row)
    ledger.delete(dropped)
    index.catch_up()
    (call,) = index.listed(CallFilter(question="plan/z"), "latest", 0)
    assert (call.number, call.outcome, call.cost) == (kept, "answered", 4.0)
    assert (index.read, index.known) == (dropped, kept) or index.read == index.known


def test_a_long_ledger_is_read_in_parts(ledger, monkeypatch):
    """Each time some more, until all are known."""
    monkeypatch.setattr(call_index, "CHUNK", 2)
    index = CallIndex(ledger.path.parent)
    seen = []
    for _ in range(4):
        index.catch_up()
        seen.append((index.count(CallFilter()), index.known))
    assert seen == [(2, 5), (4, 5), (5, 5), (5, 5)]


def test_a_ledger_that_is_not_ours_is_refused(ledger, tmp_path):
    """Other tables, values that cannot be true, and no database at all; the file stays as it is."""
    ledger.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as connection, connection:
        connection.execute("UPDATE calls SET cost = -1 WHERE id = 3")
    with pytest.raises(CorruptFile):
        CallIndex(tmp_path).catch_up()
    (tmp_path / FILE).write_bytes(b"no database" * 500)
    for end in ("-wal", "-shm"):
        (tmp_path / f"{FILE}{end}").unlink(missing_ok=True)
    with pytest.raises(CorruptFile):
        CallIndex(tmp_path).catch_up()
