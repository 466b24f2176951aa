"""Limits to calls, tokens and money that hold for certain.

Before a call is sent, the most that it can use is set aside; when it ends, what it did use takes its place. A call for
which too little is left waits until open calls have ended. Only when none is open is the budget spent.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from ville.errors import BudgetSpent
from ville.llm.accounting.bounds import ChatRates, EmbeddingRates
from ville.llm.accounting.ledger import Ledger
from ville.llm.gateway import Chat, ChatReply, ChatRequest, EmbeddingReply, EmbeddingSource, Usage


@dataclass(frozen=True)
class Limits:
    """What a simulation may use in all its life; None is no limit."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None
    """US dollars."""


@dataclass(eq=False)
class Claim:
    """What one call can use at most; set aside for it once it is admitted."""

    usage: Usage
    verdict: asyncio.Future[str]
    """Comes when the call is admitted, and is empty then; else why it cannot be made."""


class Budget:
    """Admits calls in the order of asking, as long as all that are open can end within the limits."""

    def __init__(self, limits: Limits, ledger: Ledger) -> None:
        """The ledger knows what has been used."""
        self._limits, self._ledger = limits, ledger
        self._open: set[Claim] = set()
        self._waiting: deque[Claim] = deque()

    @asynccontextmanager
    async def call(self, most: Usage) -> AsyncIterator[None]:
        """Inside, a call is open that uses at most so much. Raises BudgetSpent."""
        claim = Claim(most, asyncio.get_running_loop().create_future())
        self._waiting.append(claim)
        self._admit()
        try:
            if lack := await claim.verdict:
                raise BudgetSpent(lack)
            yield
        finally:
            self._open.discard(claim)
            self._admit()

    def _admit(self) -> None:
        """Open what there is room for, in order; refuse the next one if nothing is open that could make room."""
        while self._waiting:
            claim = self._waiting[0]
            called_off = claim.verdict.done()
            lack = "" if called_off else self._lack(claim.usage)
            if lack and self._open:
                return
            self._waiting.popleft()
            if called_off:
                continue
            if not lack:
                self._open.add(claim)
            claim.verdict.set_result(lack)

    def _lack(self, most: Usage) -> str:
        """Which limit the call could exceed, in words; empty if there is room for it."""
        limits, spend = self._limits, self._ledger.spend
        claims = [claim.usage for claim in self._open]
        if limits.calls is not None and spend.calls + len(claims) + 1 > limits.calls:
            return f"max_calls: all {limits.calls:,} calls have been made. Raise the limit to go on from here."
        if (
            limits.tokens is not None
            and spend.tokens + sum(claim.tokens for claim in claims) + most.tokens > limits.tokens
        ):
            used = f"{spend.tokens:,} of {limits.tokens:,} tokens are used"
            return f"max_tokens: {used}, and the next call may take {most.tokens:,}. {self._advice()}"
        cost = most.cost or 0.0
        if limits.cost is not None and spend.cost + sum(claim.cost or 0.0 for claim in claims) + cost > limits.cost:
            used = f"{spend.cost:.4f} of {limits.cost:.4f} dollars are spent"
            return f"max_cost: {used}, and the next call may cost {cost:.4f}. {self._advice()}"
        return ""

    def _advice(self) -> str:
        spend = self._ledger.spend
        estimated = f" {spend.estimated:,} of {spend.calls:,} calls are estimated (docs/models.md)." * bool(
            spend.estimated
        )
        beyond = f" {spend.beyond:,} calls took more than answer_tokens allows." * bool(spend.beyond)
        return f"Raise the limit, or lower answer_tokens, to go on from here.{estimated}{beyond}"


class Budgeted:
    """A Chat that stays within a budget."""

    def __init__(self, chat: Chat, budget: Budget, rates: ChatRates) -> None:
        self._chat, self._budget, self._rates = chat, budget, rates

    async def complete(self, request: ChatRequest) -> ChatReply:
        async with self._budget.call(self._rates.most(request).usage):
            return await self._chat.complete(request)


class BudgetedSource:
    """An EmbeddingSource that stays within a budget."""

    def __init__(self, source: EmbeddingSource, budget: Budget, rates: EmbeddingRates) -> None:
        self._source, self._budget, self._rates = source, budget, rates

    @property
    def name(self) -> str:
        return self._source.name

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        async with self._budget.call(self._rates.most(texts).usage):
            return await self._source.embed(texts)
