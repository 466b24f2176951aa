"""Budgets of several simulations: what is admitted is settled once, by what was used or may have been."""

import asyncio

import pytest

from ville.errors import BudgetSpent, ModelError
from ville.llm.accounting.common_budget import CommonlyBudgetedClient, Payment, SeveralBudgets
from ville.llm.gateway import ChatReply, Usage

PAYMENT = Payment("https://api.test", "account", "OpenAI", "sim", "run")
MOST, REPORTED = Usage(prompt_tokens=9, cost=0.5), Usage(prompt_tokens=200, completion_tokens=4)


class NotedBudget:
    """A budget that keeps what it was told: the calls it admits have numbers of its own."""

    def __init__(self, first, *, most=9):
        self.number, self.last = first, first + most
        self.admitted, self.settled = [], []

    async def admit(self, payment, most):
        if self.number == self.last:
            raise BudgetSpent("no room")
        self.admitted.append((self.number, payment, most))
        self.number += 1
        return self.number - 1

    async def settle(self, number, used):
        self.settled.append((number, used))


@pytest.fixture
def sent(provider, rates):
    """Return a budget, and the client that draws on it."""
    budget = NotedBudget(1)
    return budget, CommonlyBudgetedClient(provider, budget, rates, PAYMENT)


async def test_an_answer_is_settled_by_what_it_used(sent, provider, request_of, rates):
    """The most that the call could use was reserved for whoever pays."""
    budget, client = sent
    provider.queue.append(ChatReply("{}", "model-1", REPORTED))
    reply = await client.complete(request_of())
    most = rates.most(request_of())
    assert budget.admitted == [(1, PAYMENT, most.usage)]
    assert budget.settled == [(1, rates.used(reply, most))]
    assert budget.settled[0][1] != most.usage


@pytest.mark.parametrize(("fate", "used"), [("not_sent", None), ("rejected", Usage(cost=0.0)), ("unknown", MOST)])
async def test_a_call_that_fails_is_settled_by_what_it_may_have_used(sent, provider, request_of, rates, *, fate, used):
    """Nothing if it was not sent, no tokens if it was rejected; otherwise it may have been charged in full."""
    budget, client = sent
    provider.queue.append(ModelError("no answer", fate=fate))
    with pytest.raises(ModelError, match="no answer"):
        await client.complete(request_of())
    assert budget.settled == [(1, rates.most(request_of()).usage if used is MOST else used)]


async def test_a_cancelled_call_is_settled_by_the_most_it_could_use(sent, provider, request_of, rates):
    """It is on its way."""
    budget, client = sent
    provider.go.clear()
    call = asyncio.ensure_future(client.complete(request_of()))
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(provider.requests) == 1
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert budget.settled == [(1, rates.most(request_of()).usage)]


async def test_what_is_not_admitted_is_not_sent(provider, rates, request_of):
    """And there is nothing to settle."""
    budget = NotedBudget(1, most=0)
    with pytest.raises(BudgetSpent):
        await CommonlyBudgetedClient(provider, budget, rates, PAYMENT).complete(request_of())
    assert (provider.requests, budget.settled) == ([], [])


async def test_several_budgets_admit_and_settle_every_call():
    """Each by its own number, in whatever order calls end."""
    one, other = NotedBudget(10), NotedBudget(70)
    both = SeveralBudgets(one, other)
    first, second = [await both.admit(PAYMENT, MOST) for _ in range(2)]
    assert first != second
    await both.settle(second, REPORTED)
    await both.settle(first, None)
    assert (one.admitted, other.admitted) == (
        [(10, PAYMENT, MOST), (11, PAYMENT, MOST)], [(70, PAYMENT, MOST), (71, PAYMENT, MOST)],
    )  # fmt: skip
    assert (one.settled, other.settled) == ([(11, REPORTED), (10, None)], [(71, REPORTED), (70, None)])


async def test_what_one_of_several_budgets_refuses_costs_the_others_nothing():
    """It is settled as not sent there; a call that all admit stays open."""
    one, other = NotedBudget(10), NotedBudget(70, most=1)
    both = SeveralBudgets(one, other)
    await both.admit(PAYMENT, MOST)
    with pytest.raises(BudgetSpent):
        await both.admit(PAYMENT, MOST)
    assert (one.settled, other.settled) == ([(11, None)], [])
