"""Budgets that several simulations share, in other processes, too.

Before a call is sent, the most that it can use is reserved; when it ends, its actual usage replaces the reservation.
"""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Generic, Literal, Protocol

from ville.errors import ModelError
from ville.llm.accounting.rates import Rates
from ville.llm.gateway import Client, ReplyT, RequestT, Usage

Purpose = Literal["run", "interviews", "bench", "check"]


@dataclass(frozen=True)
class Payment:
    """Who pays for a call, and for whom."""

    server: str
    """Origin of the address, without the password that it may have."""
    account: str
    """Digest of the key, or of the address where there is none."""
    title: str
    """Provider and address, without secrets."""
    simulation: str
    purpose: Purpose


class CommonBudget(Protocol):
    """Admits calls of all simulations."""

    async def admit(self, payment: Payment, most: Usage) -> int:
        """Wait until a call may be sent, and return its number. Raises BudgetSpent if there is no room left."""
        ...

    async def settle(self, number: int, used: Usage | None) -> None:
        """Note that a call has ended, and what it used; None: it was not sent."""
        ...


class SeveralBudgets:
    """Admits calls that all of these budgets admit."""

    def __init__(self, *budgets: CommonBudget) -> None:
        self._budgets = budgets
        self._open: dict[int, list[int]] = {}
        """Number of a call to its numbers in the budgets."""
        self._last = 0

    async def admit(self, payment: Payment, most: Usage) -> int:
        """Wait until a call may be sent, and return its number. Raises BudgetSpent if there is no room left in one."""
        numbers: list[int] = []
        async with AsyncExitStack() as undo:
            for budget in self._budgets:
                number = await budget.admit(payment, most)
                undo.push_async_callback(budget.settle, number, None)
                numbers.append(number)
            undo.pop_all()
        self._last += 1
        self._open[self._last] = numbers
        return self._last

    async def settle(self, number: int, used: Usage | None) -> None:
        """Note that a call has ended, and what it used; None: it was not sent."""
        for budget, part in zip(self._budgets, self._open.pop(number), strict=True):
            await budget.settle(part, used)


class CommonlyBudgetedClient(Generic[RequestT, ReplyT]):
    """Layer that sends only calls which the common budget admits."""

    def __init__(
        self, client: Client[RequestT, ReplyT], budget: CommonBudget, rates: Rates[RequestT, ReplyT], payment: Payment
    ) -> None:
        self._client, self._budget, self._rates = client, budget, rates
        self._payment = payment

    async def complete(self, request: RequestT) -> ReplyT:
        """Raises BudgetSpent."""
        most = self._rates.most(request)
        number = await self._budget.admit(self._payment, most.usage)
        used: Usage | None = most.usage  # if it is cancelled or fails, it may have been charged
        try:
            reply = await self._client.complete(request)
            used = self._rates.used(reply, most)
        except ModelError as error:
            used = {"not_sent": None, "rejected": Usage(cost=0.0)}.get(error.fate, most.usage)
            raise
        finally:
            await self._budget.settle(number, used)
        return reply
