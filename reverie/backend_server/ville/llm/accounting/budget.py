"""Enforce limits on calls, tokens and cost.

Before a call is sent, the most that it can use is reserved; when it ends, its actual usage replaces the reservation. A
call that does not fit waits until calls in flight have ended. The budget counts as spent only if none is in flight.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, Protocol

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


UNLIMITED = Limits()


class Used(NamedTuple):
    """Amount that counts against limits: what was used, and the most that open calls can use."""

    calls: int
    tokens: int
    cost: float
    """US dollars."""


class Shortage(NamedTuple):
    """The limit that a call could exceed."""

    limit: Literal["calls", "tokens", "cost"]
    text: str
    """Description of the amount used, and of what the call may add."""


def shortage(limits: Limits, used: Used, most: Usage) -> Shortage | None:
    """Return the first limit that a call could exceed; None if it fits."""
    if limits.calls is not None and used.calls + 1 > limits.calls:
        return Shortage("calls", f"all {limits.calls:,} calls have been made")
    if limits.tokens is not None and used.tokens + most.tokens > limits.tokens:
        spent = f"{used.tokens:,} of {limits.tokens:,} tokens are used"
        return Shortage("tokens", f"{spent}, and the next call may take {most.tokens:,}")
    if limits.cost is None:
        return None
    if most.cost is None:
        return Shortage("cost", "the price of a model is unknown")
    if used.cost + most.cost > limits.cost:
        spent = f"{used.cost:.4f} of {limits.cost:.4f} dollars are spent"
        return Shortage("cost", f"{spent}, and the next call may cost {most.cost:.4f}")
    return None


class Account(Protocol):
    """Knows what has been used so far: a ledger, or several."""

    @property
    def spend(self) -> Spend: ...

    def up_to_date(self) -> Spend:
        """Return the usage, also by other programs until now."""


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
        if self._limits == UNLIMITED:
            yield
            return
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
        spend = self._account.up_to_date()
        if self._limits == UNLIMITED:
            return ""
        open_calls = [reservation.usage for reservation in self._in_flight]
        used = Used(
            spend.calls + len(open_calls),
            spend.tokens + sum(usage.tokens for usage in open_calls),
            spend.cost + sum(usage.cost or 0.0 for usage in open_calls),
        )
        if missing := shortage(self._limits, used, most):
            return f"max_{missing.limit}: {missing.text}. {self._advice(missing)}"
        return ""

    def _advice(self, missing: Shortage) -> str:
        if missing.limit == "calls":
            return "Raise the limit to continue."
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
