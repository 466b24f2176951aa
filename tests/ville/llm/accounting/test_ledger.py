"""The format of ledgers, which must not change: recorded runs are found by it. And what is in them adds up."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sample_requests import batch

from ville.errors import CorruptFile, LedgerError, Malformed, ModelError, Refused, TimedOut, TooLong
from ville.llm.accounting.ledger import CallRecord, CallResult, Ledger, Spend
from ville.llm.accounting.rates import MostUsage
from ville.llm.gateway import AnswerTerms, ChatMessage, ChatReply, ChatRequest, Usage

MESSAGES = (ChatMessage("user", "Née?"), ChatMessage("assistant", "eh"), ChatMessage("user", "Again."))
QUESTION = ChatRequest("plan/x", {"a": 1}, MESSAGES, {"type": "object"}, "Ada Stone", 7, seed=3, occurrence=2)
CHAT_VALUES = [
    "Ada Stone", 7, "plan/x", 3, 2, [["user", "Née?"], ["assistant", "eh"], ["user", "Again."]], {"type": "object"},
]  # fmt: skip
EMBEDDING_VALUES = ["embedding", 5, "tea", "Né"]


@pytest.mark.parametrize(
    ("request_", "values"), [(QUESTION, CHAT_VALUES), (batch("tea", "Né", step=5), EMBEDDING_VALUES)]
)
def test_keys_of_requests_stay_the_same(request_, values):
    """A key is a digest of these values; not of tier, fields, or the name of an embedder."""
    assert request_.key == blake2b(json.dumps(values).encode(), digest_size=16).digest()


def test_the_same_request_to_another_model_has_another_key():
    """If that is swapped for a persona."""
    keys = {replace(QUESTION, model=model).key for model in ("", "a", "b")}
    assert (len(keys), QUESTION.key in keys) == (3, True)


BEGAN = datetime(2026, 2, 3, 4, 5, 6, 789_999, UTC)
MOST = MostUsage("model-1", Usage(900, 0, 90, cost=0.5))
ZERO = CallResult(0.0, Usage(cost=0.0))


def called(ledger, result=ZERO, request=QUESTION, vectors=()):
    """Make one call that ends in this way."""
    number = ledger.begin(CallRecord.of(request), MOST, BEGAN)
    ledger.finish(number, result, vectors)
    return number


def rows(folder, table="calls"):
    """Return the rows of a table as another program reads them, by column."""
    with closing(sqlite3.connect(folder / "ledger.sqlite3")) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")]  # noqa: S608


def test_a_call_is_a_row_from_before_it_is_sent(ledger, tmp_path):
    """With the most that it can cost; then with what it has used."""
    number = ledger.begin(CallRecord.of(QUESTION), MOST, BEGAN)
    (row,) = rows(tmp_path)
    asked = {
        "id": number, "key": QUESTION.key, "began": "2026-02-03T04:05:06.789+00:00", "question": "plan/x",
        "persona": "Ada Stone", "step": 7, "repair": 1, "model": "model-1", "schema": '{"type": "object"}',
        "purpose": "",
    }  # fmt: skip
    most = {"prompt_tokens": 900, "cached_tokens": 0, "completion_tokens": 90, "cost": 0.5, "estimated": 0, "beyond": 0}
    said = [{"role": message.role, "content": message.content} for message in MESSAGES]
    assert json.loads(row.pop("messages")) == said
    unknown = {"parameters": "", "served": "", "fingerprint": "", "finish_reason": ""}
    assert row == asked | most | unknown | {"seconds": 0.0, "answer": "", "outcome": "open", "fault": ""}
    assert ledger.spend == Spend()
    used = Usage(10, 3, 5, 0.25, estimated=True, beyond=True)
    terms = AnswerTerms('{"seed": 3}', "model-1-0125", "fp_1", "length")
    ledger.finish(number, CallResult(1.23456, used, "{}", fault="cut off", terms=terms))
    (row,) = rows(tmp_path)
    assert json.loads(row.pop("messages")) == said
    used = {"prompt_tokens": 10, "cached_tokens": 3, "completion_tokens": 5, "cost": 0.25, "estimated": 1, "beyond": 1}
    assert row == asked | used | terms._asdict() | {
        "seconds": 1.2346,
        "answer": "{}",
        "outcome": "answered",
        "fault": "cut off",
    }
    assert ledger.spend == Spend(1, 15, 0.25, 0, 1, 1)


usages = st.builds(
    Usage, st.integers(0, 99), st.integers(0, 9), st.integers(0, 99), st.none() | st.sampled_from([0.0, 0.25, 3.5]),
    st.booleans(), st.booleans(),
)  # fmt: skip


@given(st.lists(usages, max_size=6))
@example([Usage(0, 0, 0, None)])
@example([Usage(0, 0, 1, None)])
def test_what_is_spent_is_the_same_when_the_ledger_is_opened_again(used):
    """Call by call, and from the file: unknown prices, estimates and what was beyond are counted alike."""
    with TemporaryDirectory() as folder:
        with closing(Ledger.open(Path(folder))) as ledger:
            for usage in used:
                called(ledger, CallResult(0.0, usage))
            spent = ledger.spend
        with closing(Ledger.read(Path(folder))) as again:
            assert again.spend == spent
    assert (spent.calls, spent.tokens) == (len(used), sum(usage.tokens for usage in used))
    assert spent.cost == sum(usage.cost or 0 for usage in used)


def test_a_price_that_becomes_known_is_that_of_the_tokens_used(ledger, tmp_path):
    """Of each model by its own price; what had a price keeps it, and what is still unknown is counted as such."""
    for usage in (Usage(10, 3, 5, None), Usage(1, 0, 1, 0.25), Usage(7, 0, 2, None)):
        called(ledger, CallResult(0.0, usage))
    other = ledger.begin(CallRecord.of(QUESTION), replace(MOST, model="other"), BEGAN)
    ledger.finish(other, CallResult(0.0, Usage(4, 0, 4)))
    assert ledger.spend.unpriced == 3

    def price(model, used):
        return used.prompt_tokens + 100 * used.completion_tokens if model == "model-1" else None

    prices = iter([1.0])
    with pytest.raises(LedgerError):
        ledger.price_calls(lambda *_: next(prices, [1.0]))  # a row cannot hold a list
    assert len(ledger.unpriced_models()) == 2
    assert [row["cost"] for row in rows(tmp_path)] == [None, 0.25, None, None]
    ledger.price_calls(price)
    assert (ledger.spend.cost, ledger.spend.unpriced) == (510 + 0.25 + 207, 1)
    assert ledger.unpriced_models() == ["other"]


def test_calls_for_all_personas_belong_to_the_step_that_was_set(ledger):
    assert ledger.step == 0
    ledger.set_step(7)
    assert ledger.step == 7


def test_spends_are_added_field_by_field():
    assert Spend(1, 2, 3.0, 4, 5, 6) + Spend(10, 20, 30.0, 40, 50, 60) == Spend(11, 22, 33.0, 44, 55, 66)


def test_only_a_whole_answer_to_the_same_request_is_an_answer(ledger):
    """Of several the last; it costs nothing again. Errors and calls that are open are none."""
    ledger.begin(CallRecord.of(QUESTION), MOST, BEGAN)
    called(ledger, CallResult(0.0, Usage(), "broken", outcome="Refused"))
    assert ledger.answer_to(QUESTION) is None
    for text in ("first", "last"):
        called(ledger, CallResult(0.0, Usage(5, 0, 5, 1.0), text, fault=f"{text} fault"))
    called(ledger, CallResult(0.0, Usage(), "broken", outcome="Refused"))
    reply = ledger.answer_to(QUESTION)
    assert (reply.text, reply.fault, reply.model, reply.usage) == ("last", "last fault", "model-1", Usage(cost=0.0))
    assert ledger.answer_to(replace(QUESTION, step=8)) is None
    assert ledger.models_asked(QUESTION.key) == {"model-1"}
    assert ledger.models_asked(b"other") == set()


def test_an_answer_of_another_simulation_is_no_call(ledger, tmp_path):
    """It answers, with its fault, and nothing is spent."""
    ledger.adopt(QUESTION, ChatReply("{}", "model-9", Usage(5, 0, 5, 1.0), "cut off"))
    reply = ledger.answer_to(QUESTION)
    assert (reply.text, reply.model, reply.fault) == ("{}", "model-9", "cut off")
    (row,) = rows(tmp_path)
    assert (row["outcome"], row["cost"], row["seconds"], row["question"]) == ("shared", 0.0, 0.0, "plan/x")
    assert abs(datetime.fromisoformat(row["began"]) - datetime.now(UTC)).days == 0
    ledger.close()
    with closing(Ledger.read(tmp_path)) as again:
        assert again.spend == Spend()


def test_vectors_are_kept_by_embedder_and_text(ledger, tmp_path):
    """To the last bit of four bytes; those of another simulation, too. The usual size of an embedder is known."""
    assert (ledger.vector_size("a"), ledger.vectors_of("a", ["tea"])) == (0, {})
    called(ledger, ZERO, batch("tea", "Né"), [("a", "tea", np.array([0.1, 2.0])), ("a", "Né", np.array([3.0, 4.0]))])
    ledger.adopt_vectors("a", {"odd": np.array([1.0]), "tea": np.array([5.0, 6.0])})
    ledger.adopt_vectors("b", {})
    found = ledger.vectors_of("a", ["Né", "tea", "unknown"])
    assert {text: vector.tolist() for text, vector in found.items()} == {"Né": [3.0, 4.0], "tea": [5.0, 6.0]}
    assert {vector.dtype for vector in found.values()} == {np.dtype("float32")}
    assert (ledger.vector_size("a"), ledger.vectors_of("b", ["tea"])) == (2, {})
    (row,) = rows(tmp_path)
    assert (row["question"], row["persona"], json.loads(row["messages"])) == ("embedding", "", ["tea", "Né"])


def test_a_call_that_was_not_sent_leaves_no_row(ledger, tmp_path):
    """The others stay."""
    numbers = [ledger.begin(CallRecord.of(QUESTION), MOST, BEGAN) for _ in range(3)]
    ledger.delete(numbers[1])
    assert [row["id"] for row in rows(tmp_path)] == [numbers[0], numbers[2]]


@pytest.mark.parametrize(
    ("error", "replayed"),
    [(TooLong("t"), TooLong), (TimedOut("t"), TimedOut), (Malformed("m"), Malformed), (Refused("r"), ModelError)],
)
def test_a_request_without_an_answer_fails_again_in_a_replay(ledger, error, replayed):
    """As it failed, or as a call that failed; until it is answered."""
    keys = [b"1", b"2"]
    for key in keys:
        ledger.record_failure(key, LedgerError("an earlier error"))
        ledger.record_failure(key, error)
    assert (type(ledger.failure_of(b"1")), str(ledger.failure_of(b"1"))) == (replayed, str(error))
    assert ledger.failure_of(b"3") is None
    ledger.forget_failures([b"1", b"3"])
    assert [ledger.failure_of(key) is None for key in keys] == [True, False]


def test_fallbacks_are_numbered_in_a_step(ledger, tmp_path):
    """A step that is computed again replaces its own."""
    for questions in (["a", "b"], ["c", "d"]):
        ledger.record_fallbacks(3, "Ada Stone", questions)
    found = [(row["step"], row["persona"], row["number"], row["question"]) for row in rows(tmp_path, "fallbacks")]
    assert found == [(3, "Ada Stone", 0, "c"), (3, "Ada Stone", 1, "d")]


def test_what_cannot_be_written_whole_is_not_written(ledger, tmp_path):
    """One line says which ledger; it can be used again afterwards."""
    number = ledger.begin(CallRecord.of(QUESTION), MOST, BEGAN)
    before = rows(tmp_path)
    with pytest.raises(LedgerError, match="ledger.sqlite3 cannot be written.*No calls are made"):
        ledger.finish(number, ZERO, [(None, "tea", np.array([1.0]))])
    assert (rows(tmp_path), ledger.spend) == (before, Spend())
    ledger.finish(number, ZERO)
    assert ledger.spend.calls == 1


@pytest.mark.parametrize(
    "write",
    [
        lambda ledger: ledger.begin(CallRecord.of(QUESTION), MOST, BEGAN),
        lambda ledger: ledger.finish(1, ZERO),
        lambda ledger: ledger.delete(1),
        lambda ledger: ledger.adopt_vectors("a", {"tea": np.array([1.0])}),
        lambda ledger: ledger.record_failure(b"2", TooLong("t")),
        lambda ledger: ledger.forget_failures([b"1"]),
        lambda ledger: ledger.record_fallbacks(3, "Ada Stone", ["a"]),
        lambda ledger: ledger.price_calls(lambda *_: 1.0),
    ],
)
def test_a_ledger_that_cannot_be_written_stops_the_run_in_one_line(ledger, write):
    """Whatever was to be written: on a full disk no call is made that nothing counts."""
    ledger.record_failure(b"1", TooLong("t"))
    called(ledger, CallResult(0.0, Usage(1, 0, 1)))
    ledger.connection.execute("PRAGMA query_only = ON")
    with pytest.raises(LedgerError, match="ledger.sqlite3 cannot be written"):
        write(ledger)


def test_a_refused_ledger_names_no_folder_above_its_simulation(tmp_path):
    folder = tmp_path / "storage" / "my_town" / "reverie"
    folder.mkdir(parents=True)
    (folder / "ledger.sqlite3").write_text("no database, but long enough to be read as one" * 9)
    with pytest.raises(CorruptFile) as refused:
        Ledger.read(folder)
    assert str(refused.value).startswith("my_town/reverie/ledger.sqlite3 ")


def test_a_run_without_a_model_has_no_ledger(tmp_path):
    """Reading makes none."""
    with pytest.raises(CorruptFile, match="is missing. Only simulations that ran with a language model have a ledger"):
        Ledger.read(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_who_reads_a_ledger_cannot_change_it(ledger, tmp_path):
    """Also while it is written to."""
    called(ledger)
    with closing(Ledger.read(tmp_path)) as reader:
        with pytest.raises(LedgerError):
            reader.delete(1)
        called(ledger, CallResult(0.0, Usage(1, 0, 1, 0.5), "{}"))
        assert reader.answer_to(QUESTION).text == "{}"
