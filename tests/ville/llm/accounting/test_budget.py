"""Limits on calls, tokens and cost: what a call may use is reserved before it is sent."""

import asyncio
from dataclasses import dataclass

import pytest
from sample_requests import batch

from ville.errors import BudgetSpent
from ville.llm.accounting.budget import Budget, BudgetedClient, Limits, Used, shortage
from ville.llm.accounting.ledger import Ledger, Spend
from ville.llm.accounting.prices import Price, Prices
from ville.llm.accounting.rates import ChatRates
from ville.llm.gateway import ChatReply, Usage
from ville.llm.recording import RecordingClient

PART = Usage(prompt_tokens=500_000, completion_tokens=1)
LONG = "When? " * 200
"""The provider of these tests says that it read 1,000 tokens: here are as many bytes at least."""


@pytest.fixture
def within(provider, ledger, rates, vector_rates):
    """Return chat and embedding clients within limits."""

    def make(own=ledger, **limits):
        budget = Budget(Limits(**limits), own)
        return (
            BudgetedClient(RecordingClient(provider, own, rates), budget, rates),
            BudgetedClient(RecordingClient(provider, own, vector_rates), budget, vector_rates),
        )

    return make


@pytest.mark.parametrize(
    ("limit", "calls", "says"),
    [
        (("calls", 3), 3, "all 3 calls"),
        (("tokens", 4000), 3, "3,030 of 4,000 tokens are used, and the next call may take 1,"),
        (("cost", 0.0042), 2, r"max_cost: 0.0022 of 0.0042 dollars are spent, and the next call may cost 0.002"),
        (("tokens", 1000), 0, "0 of 1,000 tokens"),
        (("calls", 0), 0, "all 0 calls"),
    ],
)
async def test_a_call_that_could_exceed_a_limit_is_not_sent(within, provider, request_of, rates, *, limit, calls, says):
    """The error names the limit, what is used, and what the next call could use: as many tokens as it has bytes, and a
    full answer. According to the provider, a call uses 1,010 tokens and costs 0.11 cents.
    """
    chat, _ = within(**dict([limit]))
    with pytest.raises(BudgetSpent, match=says):
        for step in range(9):
            await chat.complete(request_of(LONG, step=step))
    assert len(provider.requests) == calls
    most = rates.most(request_of(LONG)).usage
    assert most.prompt_tokens > len(LONG)
    assert most.completion_tokens == rates.answer_tokens


async def test_calls_in_flight_count(within, provider, request_of):
    """However many callers ask at once, no more calls are made than allowed."""
    chat, source = within(calls=5)
    asked = [chat.complete(request_of(step=step)) for step in range(9)] + [source.complete(batch("tea"))]
    faults = [fault for fault in await asyncio.gather(*asked, return_exceptions=True) if isinstance(fault, BudgetSpent)]
    assert (len(provider.requests), len(faults)) == (5, 5)


async def settled():
    """Let all calls that can be sent be sent."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_call_waits_for_calls_in_flight_before_the_budget_counts_as_spent(within, provider, request_of, rates):
    most = rates.most(request_of(LONG)).usage.tokens
    chat, _ = within(tokens=3 * 1010 + most)
    provider.go.clear()
    asked = [asyncio.ensure_future(chat.complete(request_of(LONG, step=step))) for step in range(5)]
    await settled()
    assert len(provider.requests) == 2
    provider.go.set()
    ended = await asyncio.gather(*asked, return_exceptions=True)
    assert [isinstance(end, BudgetSpent) for end in ended] == [False] * 4 + [True]


@dataclass
class Account:
    """An account without calls."""

    spend: Spend

    def up_to_date(self):
        return self.spend


async def admitted(budget, *asked, cancelled=()):
    """Return the places of those calls that are sent while none of them ends."""
    sent, end = [], asyncio.Event()

    async def call(place):
        async with budget.reserve(asked[place]):
            sent.append(place)
            await end.wait()

    calls = [asyncio.ensure_future(call(place)) for place in range(len(asked))]
    await settled()
    for place in cancelled:
        calls[place].cancel()
    await settled()
    found = list(sent)
    end.set()
    await asyncio.gather(*calls, return_exceptions=True)
    return found


def dollars(cost):
    return Usage(prompt_tokens=1, cost=cost)


async def test_dollars_of_calls_in_flight_count():
    """Up to the limit. Without a limit in dollars, calls without a price are sent, and count their tokens."""
    budget = Budget(Limits(cost=1.0), Account(Spend(cost=0.25)))
    assert await admitted(budget, dollars(0.5), dollars(0.25), dollars(0.001)) == [0, 1]
    tokens = Budget(Limits(tokens=3), Account(Spend()))
    assert await admitted(tokens, *[dollars(None)] * 5) == [0, 1, 2]


async def test_a_cancelled_call_that_had_no_room_makes_room_for_smaller_ones():
    """At once, not when those in flight have ended."""
    asked = [dollars(0.6), dollars(0.7), dollars(0.4)]
    assert await admitted(Budget(Limits(cost=1.0), Account(Spend())), *asked) == [0]
    assert await admitted(Budget(Limits(cost=1.0), Account(Spend())), *asked, cancelled=[1]) == [0, 2]


def test_a_call_fits_up_to_the_limit():
    """Exactly; one that could cost anything fits no limit in dollars."""
    most, used = Usage(prompt_tokens=6, completion_tokens=4, cost=0.25), Used(calls=2, tokens=90, cost=0.75)
    for limits, limit in (
        (Limits(), None), (Limits(calls=3, tokens=100, cost=1.0), None), (Limits(calls=2), "calls"),
        (Limits(tokens=99), "tokens"), (Limits(cost=0.999), "cost"),
    ):  # fmt: skip
        missing = shortage(limits, used, most)
        assert (missing and missing.limit) == limit
    assert shortage(Limits(cost=9.0), used, Usage()).text == "the price of a model is unknown"


LOWER = "Raise the limit, or lower answer_tokens, to continue."
ESTIMATED = "3 of 1,234 calls are estimated (see docs/models.md)."
BEYOND = "2 calls reported more than they can have used; the most they can is counted."


@pytest.mark.parametrize(
    ("limits", "spend", "advice"),
    [
        (Limits(calls=5), Spend(1234, estimated=3, beyond=2), "Raise the limit to continue."),
        (Limits(tokens=5), Spend(1234, 9), LOWER),
        (Limits(tokens=5), Spend(1234, 9, estimated=3), f"{LOWER} {ESTIMATED}"),
        (Limits(cost=5.0), Spend(1234, 9, 9.0, beyond=2), f"{LOWER} {BEYOND}"),
        (Limits(cost=5.0), Spend(1234, 9, 9.0, estimated=3, beyond=2), f"{LOWER} {ESTIMATED} {BEYOND}"),
    ],
)
async def test_the_message_says_how_to_go_on_and_what_is_not_known_exactly(limits, spend, advice):
    """Answers cannot be made shorter where calls are counted."""
    with pytest.raises(BudgetSpent) as refused:
        async with Budget(limits, Account(spend)).reserve(dollars(1.0)):
            pytest.fail("There is no room.")
    assert str(refused.value).partition(". ")[2] == advice


@pytest.mark.parametrize("called_off", [0, 1, 2])
async def test_a_cancelled_call_does_not_block_others(within, provider, request_of, rates, called_off):
    most = rates.most(request_of(LONG)).usage.tokens
    chat, _ = within(tokens=2 * most + 1010)
    provider.go.clear()
    asked = [asyncio.ensure_future(chat.complete(request_of(LONG, step=step))) for step in range(3)]
    await settled()
    asked[called_off].cancel()
    provider.go.set()
    ended = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(end) for end in ended].count(ChatReply) == 2
    assert isinstance(ended[called_off], asyncio.CancelledError)


async def test_usage_of_earlier_sessions_counts(within, provider, request_of, tmp_path):
    """Limits apply to the whole life of a simulation."""
    await within(calls=1)[0].complete(request_of())
    ledger = Ledger.open(tmp_path)
    with pytest.raises(BudgetSpent):
        await within(ledger, calls=1)[0].complete(request_of(step=8))
    assert len(provider.requests) == 1
    ledger.close()


@pytest.mark.parametrize(
    "reported",
    [
        Usage(prompt_tokens=10**15, completion_tokens=10**15),
        Usage(prompt_tokens=100, completion_tokens=9000, cost=10.0**9),
        Usage(prompt_tokens=100, cached_tokens=10**15, completion_tokens=9000),
    ],
)
async def test_usage_is_believed_up_to_what_a_call_can_have_used(
    within, provider, request_of, ledger, rates, *, reported
):
    """Beyond what the bytes of the request and the longest answer allow, that is booked, and the call is marked."""
    provider.queue.append(ChatReply("{}", "model-1", reported))
    most = rates.most(request_of()).usage
    chat, _ = within(tokens=2 * most.tokens - 1)
    reply = await chat.complete(request_of())
    assert reply.usage.tokens <= most.tokens
    assert reply.usage.cost <= most.cost
    assert (ledger.spend.beyond, ledger.spend.tokens, ledger.spend.cost) == (1, reply.usage.tokens, reply.usage.cost)
    with pytest.raises(BudgetSpent, match="calls reported more than they can have used"):
        for step in range(8, 20):
            await chat.complete(request_of(step=step))


async def test_usage_of_vectors_and_of_unknown_models_is_believed_no_further(
    within, provider, request_of, ledger, vector_rates
):
    """Vectors take no more tokens than their texts have bytes; and no model is as dear as some servers say."""
    _, source = within()
    provider.usage = Usage(prompt_tokens=10**15, completion_tokens=10**15, cost=10.0**300)
    reply = await source.complete(batch("tea", "bread"))
    most = vector_rates.most(batch("tea", "bread")).usage
    assert (reply.usage.tokens, reply.usage.cost, ledger.spend.beyond) == (most.tokens, most.cost, 1)
    provider.queue.append(ChatReply("{}", "unknown", Usage(9, 0, 9, cost=10.0**300)))
    unknown = ChatRates(Prices({}), lambda _: "unknown", 50)
    reply = await RecordingClient(provider, ledger, unknown).complete(request_of(step=1))
    assert reply.usage.cost < 1.0
    assert ledger.spend.beyond == 2


async def test_a_price_that_is_added_later_applies_to_earlier_calls(provider, request_of, ledger):
    """Calls that have a price keep it."""
    unknown = ChatRates(Prices({}), lambda _: "unknown", 50)
    part = Usage(prompt_tokens=200, completion_tokens=1)
    provider.queue.extend([ChatReply("{}", "unknown", Usage(9, 0, 9, cost=0.25)), ChatReply("{}", "unknown", part)])
    for step in (1, 2):
        await RecordingClient(provider, ledger, unknown).complete(request_of(step=step))
    assert (ledger.unpriced_models(), ledger.spend.unpriced, ledger.spend.cost) == (["unknown"], 1, 0.25)
    ledger.price_calls(Prices({"unknown": Price(5000.0, 5000.0, 0.0)}).cost)
    assert (ledger.unpriced_models(), ledger.spend.unpriced, ledger.spend.cost) == ([], 0, 1.25)
