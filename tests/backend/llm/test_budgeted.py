"""Limits to calls, tokens and money."""

import asyncio

import pytest

from errors import BudgetSpent
from llm.accounting.ledger import Ledger
from llm.accounting.prices import Price, Prices
from llm.budgeted import Budget, Budgeted, BudgetedSource, Limits
from llm.gateway import ChatReply, Usage
from llm.ledgered import Recorded, RecordedSource


@pytest.fixture
def within(provider, ledger, prices):
    """A Chat and an EmbeddingSource within limits."""

    def make(own=ledger, **limits):
        budget = Budget(Limits(**limits), own)
        return (
            Budgeted(Recorded(provider, own, prices), budget),
            BudgetedSource(RecordedSource(provider, own, prices), budget),
        )

    return make


@pytest.mark.parametrize(
    ("limit", "calls", "says"),
    [
        (("calls", 3), 3, "all 3 calls"),
        (("tokens", 2500), 3, "3,030 of 2,500 tokens"),
        (("cost", 0.0021), 2, "max_cost"),
        (("calls", 0), 0, "all 0 calls"),
    ],
)
async def test_what_would_go_beyond_is_not_sent(within, provider, request_of, *, limit, calls, says):
    """Embeddings count; the fault says which limit it was. A call costs 1,010 tokens and 0.11 cents."""
    chat, _ = within(**dict([limit]))
    with pytest.raises(BudgetSpent, match=says):
        for step in range(9):
            await chat.complete(request_of(step=step))
    assert len(provider.requests) == calls


async def test_open_calls_count(within, provider, request_of):
    """However many ask at once, no more calls are made than allowed."""
    chat, source = within(calls=5)
    asked = [chat.complete(request_of(step=step)) for step in range(9)] + [source.embed(["tea"])]
    faults = [fault for fault in await asyncio.gather(*asked, return_exceptions=True) if isinstance(fault, BudgetSpent)]
    assert (len(provider.requests), len(faults)) == (5, 5)


async def test_what_was_spent_in_an_earlier_session_counts(within, provider, request_of, tmp_path):
    """A limit is for a simulation's life."""
    await within(calls=1)[0].complete(request_of())
    ledger = Ledger.open(tmp_path)
    with pytest.raises(BudgetSpent):
        await within(ledger, calls=1)[0].complete(request_of(step=8))
    assert len(provider.requests) == 1
    ledger.close()


async def test_money_cannot_be_limited_where_nobody_knows_the_price(within, provider, request_of):
    """That is said after the first such call; what costs nothing is known to."""
    provider.queue.extend(
        [ChatReply("{}", "free", Usage(cost=0.0)), ChatReply("{}", "unknown", Usage(prompt_tokens=1))]
    )
    chat, _ = within(cost=1.0)
    for step in (1, 2):
        await chat.complete(request_of(step=step))
    with pytest.raises(BudgetSpent, match=r"prices.toml"):
        await chat.complete(request_of(step=3))


async def test_a_price_that_is_added_later_holds_for_what_was_asked_before(within, provider, request_of, ledger):
    """Otherwise the advice to add it would not help; what is priced already keeps its price."""
    provider.queue.extend(
        [ChatReply("{}", "paid", Usage(cost=0.25)), ChatReply("{}", "unknown", Usage(prompt_tokens=500_000))]
    )
    for step in (1, 2):
        await within()[0].complete(request_of(step=step))
    ledger.price(Prices({"unknown": Price(2.0, 2.0, 0.0), "paid": Price(9.0, 9.0, 9.0)}).cost)
    assert (ledger.spend.cost, ledger.spend.unpriced) == (1.25, 0)
    await within(cost=2.0)[0].complete(request_of(step=3))
