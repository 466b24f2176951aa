"""Enforce limits on calls, tokens and cost.

Before a call is sent, the most that it can use is reserved; when it ends, its actual usage replaces the reservation. A
call that does not fit waits until calls in flight have ended. The budget counts as spent only if none is in flight.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Generic, Protocol

from ville.errors import BudgetSpent
from ville.llm.accounting.ledger import Spend
from ville.llm.accounting.rates import Rates
from ville.llm.gateway import Client, ReplyT, RequestT, Usage


@dataclass(frozen=True)
class Limits:
    """Limits over the whole life of a simulation; None is unlimited."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None
    """US dollars."""


class Account(Protocol):
    """Knows what has been used so far: a ledger, or several."""

    @property
    def spend(self) -> Spend: ...


@dataclass(eq=False)
class Reservation:
    """The most that one call can use, reserved while it is in flight."""

    usage: Usage
    decision: asyncio.Future[str]
    """Empty when the call is admitted, else the reason why it is refused."""


class Budget:
    """Admits calls in order of arrival as long as all calls in flight can end within the limits."""

    def __init__(self, limits: Limits, account: Account) -> None:
        self._limits, self._account = limits, account
        self._in_flight: set[Reservation] = set()
        self._waiting: deque[Reservation] = deque()

    @asynccontextmanager
    async def reserve(self, most: Usage) -> AsyncIterator[None]:
        """Wait for room, and reserve it for the duration of the context. Raises BudgetSpent."""
        reservation = Reservation(most, asyncio.get_running_loop().create_future())
        self._waiting.append(reservation)
        self._admit()
        try:
            if reason := await reservation.decision:
                raise BudgetSpent(reason)
            yield
        finally:
            self._in_flight.discard(reservation)
            self._admit()

    def _admit(self) -> None:
        """Admit waiting calls in order; refuse the next one only if no call in flight could still make room."""
        while self._waiting:
            reservation = self._waiting[0]
            cancelled = reservation.decision.done()
            reason = "" if cancelled else self._exceeded(reservation.usage)
            if reason and self._in_flight:
                return
            self._waiting.popleft()
            if cancelled:
                continue
            if not reason:
                self._in_flight.add(reservation)
            reservation.decision.set_result(reason)

    def _exceeded(self, most: Usage) -> str:
        """Return a message about the limit that a call could exceed; empty if it fits."""
        limits, spend = self._limits, self._account.spend
        reserved = [reservation.usage for reservation in self._in_flight]
        if limits.calls is not None and spend.calls + len(reserved) + 1 > limits.calls:
            return f"max_calls: all {limits.calls:,} calls have been made. Raise the limit to continue."
        tokens = spend.tokens + sum(usage.tokens for usage in reserved) + most.tokens
        if limits.tokens is not None and tokens > limits.tokens:
            used = f"{spend.tokens:,} of {limits.tokens:,} tokens are used"
            return f"max_tokens: {used}, and the next call may take {most.tokens:,}. {self._advice()}"
        cost = most.cost or 0.0
        if limits.cost is not None and spend.cost + sum(usage.cost or 0.0 for usage in reserved) + cost > limits.cost:
            used = f"{spend.cost:.4f} of {limits.cost:.4f} dollars are spent"
            return f"max_cost: {used}, and the next call may cost {cost:.4f}. {self._advice()}"
        return ""

    def _advice(self) -> str:
        spend, notes = self._account.spend, ["Raise the limit, or lower answer_tokens, to continue."]
        if spend.estimated:
            notes.append(f"{spend.estimated:,} of {spend.calls:,} calls are estimated (see docs/models.md).")
        if spend.beyond:
            notes.append(f"{spend.beyond:,} calls reported more than they can have used; the most they can is counted.")
        return " ".join(notes)


class BudgetedClient(Generic[RequestT, ReplyT]):
    """Layer that keeps calls within a budget."""

    def __init__(self, client: Client[RequestT, ReplyT], budget: Budget, rates: Rates[RequestT, ReplyT]) -> None:
        self._client, self._budget, self._rates = client, budget, rates

    async def complete(self, request: RequestT) -> ReplyT:
        """Raises BudgetSpent."""
        async with self._budget.reserve(self._rates.most(request).usage):
            return await self._client.complete(request)
