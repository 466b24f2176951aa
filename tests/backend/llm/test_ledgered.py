"""What goes over the wire is written down, and what is written down is not asked again."""

import asyncio

import numpy as np
import pytest

from errors import BudgetSpent, ModelError, NotRecorded, RateLimited, TooLong
from llm.accounting.ledger import Ledger
from llm.gateway import ChatReply, Message, Usage
from llm.ledgered import Ledgered, LedgeredEmbedder, Recorded, RecordedSource, Replayed, ReplayedEmbedder
from llm.vectors import VectorCheck


def rows(ledger, columns):
    return ledger.connection.execute(f"SELECT {columns} FROM calls ORDER BY id").fetchall()  # noqa: S608


async def test_every_call_is_a_row_with_its_price(request_of, provider, ledger, prices):
    """Who asked what at which step, the raw answer, tokens and dollars."""
    await Recorded(provider, ledger, prices).complete(request_of())
    columns = "question, persona, step, repair, model, answer, outcome, prompt_tokens, completion_tokens, cost"
    assert rows(ledger, columns) == [
        ("plan/wake_up_hour", "Ada Stone", 7, 0, "model-1", "{}", "answered", 1000, 10, pytest.approx(0.0011))
    ]
    assert rows(ledger, "messages, schema") == [('[{"role": "user", "content": "When?"}]', '{"type": "object"}')]


async def test_faults_and_cancelled_calls_are_rows_too(request_of, provider, ledger, prices):
    """Each with the name of what happened; nobody is shielded from it."""
    recorded = Recorded(provider, ledger, prices)
    provider.queue.append(RateLimited("Slower."))
    with pytest.raises(RateLimited):
        await recorded.complete(request_of())
    call = asyncio.ensure_future(recorded.complete(request_of()))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert rows(ledger, "outcome, fault") == [("RateLimited", "Slower."), ("cancelled", "")]
    assert (ledger.spend.calls, ledger.spend.cost, ledger.spend.unpriced) == (2, 0.0, 0)


async def test_a_repair_says_how_many_bad_answers_came_before(request_of, provider, ledger, prices):
    """One for each answer that is sent back."""
    first = request_of()
    second = request_of()
    object.__setattr__(second, "messages", (*first.messages, Message("assistant", "eh"), Message("user", "Again.")))
    for request in (first, second):
        await Recorded(provider, ledger, prices).complete(request)
    assert rows(ledger, "repair") == [(0,), (1,)]


async def test_what_is_no_text_is_answered_as_it_is_written_down(request_of, provider, ledger, prices):
    """Half an emoji cannot be kept, so nobody gets to see it either."""
    provider.queue.append("\ud83d!")
    reply = await Recorded(provider, ledger, prices).complete(request_of())
    assert ledger.answer_to(request_of()).text == reply.text == "?!"


async def test_what_was_answered_is_not_asked_again(request_of, provider, ledger, prices, tmp_path):
    """By another process neither, and at no cost; a doubt about the answer is kept with it."""
    provider.queue.append(ChatReply("7", "model-1", Usage(), fault="It broke off."))
    first = await Ledgered(Recorded(provider, ledger, prices), ledger).complete(request_of())
    other = Ledger.open(tmp_path)
    again = await Ledgered(provider, other).complete(request_of())
    assert (again.text, again.model, again.fault) == (first.text, first.model, first.fault)
    assert (len(provider.requests), again.usage.cost) == (1, 0.0)
    assert other.spend == ledger.spend
    other.close()


@pytest.mark.parametrize(
    "change", [{"persona": "Ben Reed"}, {"step": 8}, {"title": "talk/interview"}, {"text": "How?"}]
)
async def test_another_question_is_asked(request_of, provider, live, change):
    """Another person, another step, other words."""
    await live.complete(request_of())
    await live.complete(request_of(**change))
    assert len(provider.requests) == 2


async def test_the_same_words_twice_are_two_questions(request_of, provider, ledger, prices):
    """Within a step the second is asked too; afterwards each has its own answer again, in the order of asking."""
    provider.queue.extend(["one", "two"])
    ledgered = Ledgered(Recorded(provider, ledger, prices), ledger)
    asked = [(await ledgered.complete(request_of())).text for _ in range(2)]
    again = Ledgered(provider, ledger)
    assert [(await again.complete(request_of())).text for _ in range(2)] == asked == ["one", "two"]


async def test_who_failed_may_ask_again(request_of, provider, ledger, prices):
    """A fault is no answer."""
    provider.queue.append(RateLimited("Slower."))
    with pytest.raises(RateLimited):
        await Ledgered(Recorded(provider, ledger, prices), ledger).complete(request_of())
    assert (await Ledgered(Recorded(provider, ledger, prices), ledger).complete(request_of())).text == "{}"


FAULTS = ((RateLimited("S."), ModelError), (BudgetSpent("B."), ModelError), (TooLong("L."), TooLong))


@pytest.mark.parametrize(("fault", "kind"), FAULTS)
async def test_a_replay_answers_and_fails_as_it_was(request_of, provider, live, fault, kind):
    """Without anybody to ask; a fault that ended a run then does not end this one."""
    provider.queue.extend(["7", fault])
    await live.complete(request_of("one"))
    with pytest.raises(type(fault)):
        await live.complete(request_of("two"))
    replayed = Replayed(live.ledger)
    assert (await replayed.complete(request_of("one"))).text == "7"
    with pytest.raises(kind) as raised:
        await replayed.complete(request_of("two"))
    assert (type(raised.value), str(raised.value)) == (kind, str(fault))


async def test_a_replay_that_goes_astray_says_where(request_of, ledger):
    """Who, what, when; and it is final."""
    with pytest.raises(NotRecorded, match="plan/wake_up_hour of Ada Stone at step 7"):
        await Replayed(ledger).complete(request_of())


async def test_vectors_are_asked_for_once(provider, ledger, prices):
    """In one batch with its texts as a row; each text once, now and later, to the last bit."""
    embedder = LedgeredEmbedder(RecordedSource(provider, ledger, prices), ledger, VectorCheck(3))
    ledger.step = 3
    first = await embedder.embed(["tea", "a cake", "tea"])
    again = LedgeredEmbedder(RecordedSource(provider, ledger, prices), ledger, VectorCheck(3))
    later = await again.embed(["more", "tea"])
    assert provider.requests == [["tea", "a cake"], ["more"]]
    assert np.array_equal(later[1], first[0])
    assert np.array_equal(first[0], first[2])
    assert rows(ledger, "question, persona, step, messages, prompt_tokens, cost") == [
        ("embedding", "", 3, '["tea", "a cake"]', 20, pytest.approx(2e-6)),
        ("embedding", "", 3, '["more"]', 10, pytest.approx(1e-6)),
    ]
    assert np.array_equal(await ReplayedEmbedder("letters-3", ledger).embed(["a cake", "tea"]), first[[1, 0]])


async def test_a_replay_has_no_new_vectors(provider, ledger, prices):
    """Neither for an unknown text nor of another make; where a batch failed, it fails again."""
    provider.queue.append(RateLimited("Slower."))
    live = LedgeredEmbedder(RecordedSource(provider, ledger, prices), ledger, VectorCheck(3))
    with pytest.raises(RateLimited):
        await live.embed(["tea"])
    with pytest.raises(ModelError, match="Slower"):
        await ReplayedEmbedder("letters-3", ledger).embed(["tea"])
    await live.embed(["cake"])
    for name, text in (("letters-3", "pie"), ("other", "cake")):
        with pytest.raises(NotRecorded, match=text):
            await ReplayedEmbedder(name, ledger).embed([text])


async def test_nothing_is_asked_that_cannot_be_written_down(request_of, provider, ledger, prices):
    """An answer that would be lost stops the run, and says why."""
    ledger.connection.execute("PRAGMA query_only = ON")
    with pytest.raises(NotRecorded, match="cannot be written"):
        await Recorded(provider, ledger, prices).complete(request_of())
