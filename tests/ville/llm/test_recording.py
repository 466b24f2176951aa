"""Calls are recorded in the ledger, and recorded answers are not asked again."""

import asyncio
import json
import os
from contextlib import closing
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from sample_requests import batch

from ville.errors import BudgetSpent, LedgerError, ModelError, RateLimited, TooLong, Unreachable
from ville.llm.accounting.call_listing import export
from ville.llm.accounting.ledger import FILE, Ledger
from ville.llm.accounting.ledger_schema import ADDED, VERSION
from ville.llm.accounting.summaries import Calendar, summarize, total
from ville.llm.cache import CachedChat, CachedEmbedder, Numbering
from ville.llm.gateway import ChatMessage, ChatReply, Usage
from ville.llm.recording import RecordingClient
from ville.llm.replay import ReplayedChat, ReplayedEmbedder
from ville.llm.stacked_vectors import VectorCheck


def rows(ledger, columns):
    return ledger.connection.execute(f"SELECT {columns} FROM calls ORDER BY id").fetchall()  # noqa: S608


async def test_every_call_is_a_row_with_its_cost(request_of, provider, ledger, rates):
    """With question, persona, step, raw answer, tokens and dollars."""
    await RecordingClient(provider, ledger, rates).complete(request_of("When? " * 200))
    columns = "question, persona, step, repair, model, answer, outcome, prompt_tokens, completion_tokens, cost"
    assert rows(ledger, columns) == [
        ("plan/wake_up_hour", "Ada Stone", 7, 0, "model-1", "{}", "answered", 1000, 10, pytest.approx(0.0011))
    ]
    assert rows(ledger, "messages, schema") == [
        (json.dumps([{"role": "user", "content": "When? " * 200}]), '{"type": "object"}')
    ]


async def test_failed_and_cancelled_calls_are_rows_too(request_of, provider, ledger, rates):
    """With the class of the error, which is raised nevertheless. A rejected call costs nothing."""
    recorded = RecordingClient(provider, ledger, rates)
    provider.queue.append(RateLimited("Slower.", fate="rejected"))
    with pytest.raises(RateLimited):
        await recorded.complete(request_of())
    call = asyncio.ensure_future(recorded.complete(request_of()))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert rows(ledger, "outcome, fault") == [("RateLimited", "Slower."), ("cancelled", "")]
    most = rates.most(request_of()).usage
    assert (ledger.spend.calls, ledger.spend.tokens, ledger.spend.cost) == (2, most.tokens, most.cost)


@pytest.mark.parametrize(("fate", "calls", "share"), [("not_sent", 0, 0), ("rejected", 1, 0), ("unknown", 1, 1)])
async def test_a_failed_call_is_booked_by_its_fate(
    request_of, provider, ledger, rates, vector_rates, *, fate, calls, share
):  # fmt: skip
    """A call that was not sent is deleted; a rejected one is free; one that may be answered is booked at the most
    it can have cost, and marked as an estimate. For chat and embeddings; another session reads the same.
    """
    provider.queue.extend([Unreachable("Gone.", fate=fate)] * 2)
    with pytest.raises(Unreachable):
        await RecordingClient(provider, ledger, rates).complete(request_of())
    with pytest.raises(Unreachable):
        await RecordingClient(provider, ledger, vector_rates).complete(batch("tea"))
    most = [rates.most(request_of()).usage, vector_rates.most(batch("tea")).usage]
    assert (
        rows(ledger, "prompt_tokens, completion_tokens, cost, estimated")
        == [(share * usage.prompt_tokens, share * usage.completion_tokens, share * usage.cost, share) for usage in most]
        * calls
    )
    kept = Ledger.open(ledger.path.parent)
    assert ledger.spend == kept.spend
    assert ledger.spend.calls == 2 * calls
    kept.close()


async def test_tokens_that_are_not_reported_are_estimated(request_of, provider, ledger, rates, vector_rates):
    """One token for every byte sent and received, an upper bound, marked as an estimate. Reported numbers stay, even
    if others are missing.
    """
    request = request_of("Где? 🙂" * 50)
    provider.queue.extend(ChatReply("née", "model-1", told) for told in (Usage(), Usage(700), Usage(700, 0, 9)))
    for _ in range(3):
        await RecordingClient(provider, ledger, rates).complete(request)
    prompt = rates.most(request).usage.prompt_tokens
    assert prompt > len(("Где? 🙂" * 50).encode())
    provider.usage = Usage()
    await RecordingClient(provider, ledger, vector_rates).complete(batch("tea", "a cake"))
    texts = vector_rates.most(batch("tea", "a cake")).usage.prompt_tokens
    assert texts > len("teaa cake")
    assert rows(ledger, "prompt_tokens, completion_tokens, estimated") == [
        (prompt, 4, 1), (700, 4, 1), (700, 9, 0), (texts, 0, 1),
    ]  # fmt: skip
    assert (ledger.spend.estimated, ledger.spend.tokens) == (3, prompt + 4 + 704 + 709 + texts)


async def test_a_call_in_flight_at_a_kill_counts_as_paid(request_of, provider, rates, tmp_path):
    """Its row is written before it is sent. It is not an answer; asked again, both calls are booked."""
    provider.go.clear()
    killed = Ledger.open(tmp_path)
    call = asyncio.ensure_future(RecordingClient(provider, killed, rates).complete(request_of()))
    await provider.asked.wait()
    assert rows(killed, "outcome") == [("open",)]
    assert killed.spend.calls == 0
    resumed = Ledger.open(tmp_path)
    most = rates.most(request_of()).usage
    assert (resumed.spend.calls, resumed.spend.cost, resumed.spend.estimated) == (1, most.cost, 1)
    assert resumed.answer_to(request_of()) is None
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    killed.close()
    resumed.close()


@pytest.mark.parametrize("version", [1, 2, 3])
async def test_an_older_ledger_is_read_and_upgraded(request_of, provider, rates, tmp_path, version):
    """Its answers and sums stay, and what it did not keep is empty; opened read-only, it is not changed."""
    ledger = Ledger.open(tmp_path)
    await RecordingClient(provider, ledger, rates).complete(request_of())
    spent = ledger.spend
    dropped = "".join(f"ALTER TABLE calls DROP COLUMN {name};" for name in ADDED[version])
    ledger.connection.execute(
        "INSERT INTO calls SELECT NULL, x'00', began, seconds, question, persona, step, repair, '', messages, schema, "
        "'', 'RateLimited', 'Slower.', 0, 0, 0, NULL, 0, 0, '', '', '', '', '' FROM calls"
    )
    ledger.connection.executescript(f"{dropped} PRAGMA user_version = {version};")
    ledger.close()
    calendar = Calendar(datetime(2023, 2, 13), 60)  # noqa: DTZ001 - game time has no zone
    for opened, now in ((Ledger.read, version), (Ledger.open, VERSION), (Ledger.read, VERSION)):
        ledger = opened(tmp_path)
        assert ledger.answer_to(request_of()).text == "{}"
        assert ledger.spend == replace(spent, calls=2, beyond=spent.beyond if version > 1 else 0)
        assert total(summarize(ledger, "outcome", calendar)).calls == 2
        assert [row["served"] for row in json.loads("".join(export(ledger, "json")))] == ["", ""]
        assert ledger.connection.execute("PRAGMA user_version").fetchone() == (now,)
        ledger.close()


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("writable", [True, False])
async def test_reading_a_closed_ledger_leaves_nothing(request_of, provider, rates, tmp_path, monkeypatch, *, writable):
    """Neither another file nor a changed byte, also where this user may only read."""
    ledger = Ledger.open(tmp_path)
    await RecordingClient(provider, ledger, rates).complete(request_of())
    ledger.close()
    before = contents(tmp_path)
    monkeypatch.setattr(os, "access", lambda *_: writable)
    for _ in range(2):
        with closing(Ledger.read(tmp_path)) as reader:
            assert reader.answer_to(request_of()).text == "{}"
            with pytest.raises(LedgerError, match="readonly"):
                reader.delete(1)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("run_ends_first", [True, False])
async def test_a_ledger_is_read_while_a_run_writes(request_of, provider, rates, tmp_path, *, run_ends_first):
    """Each call as soon as it is recorded; in the end the ledger is the only file."""
    writer, reader = Ledger.open(tmp_path), Ledger.read(tmp_path)
    for step in range(3):
        await RecordingClient(provider, writer, rates).complete(request_of(step=step))
        assert reader.answer_to(request_of(step=step)).text == "{}"
    for ledger in (writer, reader) if run_ends_first else (reader, writer):
        ledger.close()
    assert list(contents(tmp_path)) == [FILE]
    with closing(Ledger.read(tmp_path)) as again:
        assert again.spend.calls == 3


async def test_a_repair_counts_the_bad_answers_sent_back(request_of, provider, ledger, rates):
    first = request_of()
    second = request_of()
    object.__setattr__(
        second, "messages", (*first.messages, ChatMessage("assistant", "eh"), ChatMessage("user", "Again."))
    )
    for request in (first, second):
        await RecordingClient(provider, ledger, rates).complete(request)
    assert rows(ledger, "repair") == [(0,), (1,)]


async def test_a_recorded_answer_is_not_asked_again(request_of, provider, ledger, rates, tmp_path):
    """Also not by another process, and at no cost; a fault of the answer is kept with it."""
    provider.queue.append(ChatReply("7", "model-1", Usage(), fault="It broke off."))
    first = await CachedChat(RecordingClient(provider, ledger, rates), ledger, Numbering()).complete(request_of())
    other = Ledger.open(tmp_path)
    again = await CachedChat(provider, other, Numbering()).complete(request_of())
    assert (again.text, again.model, again.fault) == (first.text, first.model, first.fault)
    assert (len(provider.requests), again.usage.cost) == (1, 0.0)
    assert other.spend == ledger.spend
    other.close()


@pytest.mark.parametrize(
    "change", [{"persona": "Ben Reed"}, {"step": 8}, {"title": "talk/interview"}, {"text": "How?"}]
)
async def test_a_different_request_is_asked(request_of, provider, live, change):
    """Another persona, step, question or text."""
    await live.complete(request_of())
    await live.complete(request_of(**change))
    assert len(provider.requests) == 2


async def test_identical_requests_in_a_step_are_told_apart(request_of, provider, ledger, rates):
    """Each has its own answer, in the order of asking."""
    provider.queue.extend(["one", "two"])
    ledgered = CachedChat(RecordingClient(provider, ledger, rates), ledger, Numbering())
    asked = [(await ledgered.complete(request_of())).text for _ in range(2)]
    again = CachedChat(provider, ledger, Numbering())
    assert [(await again.complete(request_of())).text for _ in range(2)] == asked == ["one", "two"]


async def test_requests_of_a_step_are_numbered_as_long_as_they_may_come(request_of):
    """Also between those of later steps, if their answers are needed later."""
    numbering = Numbering()
    asked = [replace(request_of(step=step), due=9 if step == 7 else None) for step in (7, 7, 8, 7, 9, 7, 10, 10)]
    assert [numbering.numbered(each).occurrence for each in asked] == [0, 1, 0, 2, 0, 3, 0, 1]


async def test_a_failed_request_is_asked_again(request_of, provider, ledger, rates):
    """An error is not an answer."""
    provider.queue.append(RateLimited("Slower."))
    with pytest.raises(RateLimited):
        await CachedChat(RecordingClient(provider, ledger, rates), ledger, Numbering()).complete(request_of())
    again = CachedChat(RecordingClient(provider, ledger, rates), ledger, Numbering())
    assert (await again.complete(request_of())).text == "{}"


FAULTS = ((RateLimited("S."), ModelError), (BudgetSpent("B."), ModelError), (TooLong("L."), TooLong))


@pytest.mark.parametrize(("fault", "kind"), FAULTS)
async def test_a_replay_answers_and_fails_as_recorded(request_of, provider, live, fault, kind):
    """Without a provider; an error that ended the recorded run does not end the replay."""
    provider.queue.extend(["7", fault])
    await live.complete(request_of("one"))
    with pytest.raises(type(fault)):
        await live.complete(request_of("two"))
    replayed = ReplayedChat(live.ledger, Numbering())
    assert (await replayed.complete(request_of("one"))).text == "7"
    with pytest.raises(kind) as raised:
        await replayed.complete(request_of("two"))
    assert (type(raised.value), str(raised.value)) == (kind, str(fault))


async def test_a_replay_that_differs_says_where(request_of, ledger):
    """With question, persona and step."""
    with pytest.raises(LedgerError, match="plan/wake_up_hour of Ada Stone at step 7"):
        await ReplayedChat(ledger, Numbering()).complete(request_of())


async def test_texts_are_embedded_once(provider, ledger, vector_rates):
    """All texts of a call are one row; stored vectors are equal to the last bit."""
    embedder = CachedEmbedder(
        "letters-3", RecordingClient(provider, ledger, vector_rates), ledger, check=VectorCheck(3)
    )
    ledger.step = 3
    first = await embedder.embed(["tea", "a cake", "tea"])
    again = CachedEmbedder("letters-3", RecordingClient(provider, ledger, vector_rates), ledger, check=VectorCheck(3))
    later = await again.embed(["more", "tea"])
    assert provider.requests == [["tea", "a cake"], ["more"]]
    assert np.array_equal(later[1], first[0])
    assert np.array_equal(first[0], first[2])
    assert rows(ledger, "question, persona, step, messages, prompt_tokens, cost") == [
        ("embedding", "", 3, '["tea", "a cake"]', 20, pytest.approx(2e-6)),
        ("embedding", "", 3, '["more"]', 10, pytest.approx(1e-6)),
    ]
    assert np.array_equal(await ReplayedEmbedder("letters-3", ledger).embed(["a cake", "tea"]), first[[1, 0]])


async def test_a_replay_has_only_recorded_vectors(provider, ledger, vector_rates):
    """Neither for an unknown text nor of another embedder; where a batch failed, it fails again."""
    provider.queue.append(RateLimited("Slower."))
    live = CachedEmbedder("letters-3", RecordingClient(provider, ledger, vector_rates), ledger, check=VectorCheck(3))
    with pytest.raises(RateLimited):
        await live.embed(["tea"])
    with pytest.raises(ModelError, match="Slower"):
        await ReplayedEmbedder("letters-3", ledger).embed(["tea"])
    await live.embed(["cake"])
    for name, text in (("letters-3", "pie"), ("other", "cake")):
        with pytest.raises(LedgerError, match=text):
            await ReplayedEmbedder(name, ledger).embed([text])


async def test_no_call_is_made_that_cannot_be_recorded(request_of, provider, ledger, rates):
    """Its answer would be lost."""
    ledger.connection.execute("PRAGMA query_only = ON")
    with pytest.raises(LedgerError, match="cannot be written"):
        await RecordingClient(provider, ledger, rates).complete(request_of())
