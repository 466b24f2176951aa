"""A limit to calls, tokens and money: nothing is sent that would begin beyond it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from errors import BudgetSpent
from llm.accounting.ledger import Ledger
from llm.gateway import Chat, ChatReply, ChatRequest, EmbeddingReply, EmbeddingSource


@dataclass(frozen=True)
class Limits:
    """What a simulation may use in all its life; None is no limit."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None
    """US dollars. Calls that are open when it is reached still come in."""


class Budget:
    """Lets calls begin while there is something left for them; the ledger knows what is gone."""

    def __init__(self, limits: Limits, ledger: Ledger) -> None:
        self._limits, self._ledger = limits, ledger
        self._open = 0

    @contextmanager
    def call(self) -> Iterator[None]:
        """Inside, a call is open. Raises BudgetSpent."""
        if spent := self._spent():
            raise BudgetSpent(f"{spent} to go on from here.")
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1

    def _spent(self) -> str:
        """What is used up, in words."""
        limits, spend = self._limits, self._ledger.spend
        if limits.calls is not None and spend.calls + self._open >= limits.calls:
            return f"max_calls: all {limits.calls:,} calls have been made. Raise the limit"
        if limits.tokens is not None and spend.tokens >= limits.tokens:
            return f"max_tokens: {spend.tokens:,} of {limits.tokens:,} tokens are used. Raise the limit"
        if limits.cost is not None and spend.unpriced:
            return (
                "max_cost: nobody knows the price of the model that answers. Add it to prices.toml, or set no max_cost,"
            )
        if limits.cost is not None and spend.cost >= limits.cost:
            return f"max_cost: {spend.cost:.4f} of {limits.cost:.4f} dollars are spent. Raise the limit"
        return ""


class Budgeted:
    """A Chat that stays within a budget."""

    def __init__(self, chat: Chat, budget: Budget) -> None:
        self._chat, self._budget = chat, budget

    async def complete(self, request: ChatRequest) -> ChatReply:
        with self._budget.call():
            return await self._chat.complete(request)


class BudgetedSource:
    """An EmbeddingSource that stays within a budget."""

    def __init__(self, source: EmbeddingSource, budget: Budget) -> None:
        self._source, self._budget = source, budget

    @property
    def name(self) -> str:
        return self._source.name

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        with self._budget.call():
            return await self._source.embed(texts)
