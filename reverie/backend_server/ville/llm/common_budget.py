"""A budget and a limit of open calls that several simulations share, in other processes, too.

Before a call is sent, the most that it can use is reserved; when it ends, its actual usage replaces the reservation.
"""

from typing import Generic, Protocol

from ville.errors import ModelError
from ville.llm.accounting.rates import Rates
from ville.llm.gateway import Client, ReplyT, RequestT, Usage


class CommonBudget(Protocol):
    """Admits calls of all simulations."""

    async def admit(self, provider: str, most: Usage) -> int:
        """Wait until a call may be sent, and return its number. Raises BudgetSpent if there is no room left."""
        ...

    async def settle(self, number: int, used: Usage | None) -> None:
        """Note that a call has ended, and what it used; None: it was not sent."""
        ...


class CommonlyBudgetedClient(Generic[RequestT, ReplyT]):
    """Layer that sends only calls which the common budget admits."""

    def __init__(
        self, client: Client[RequestT, ReplyT], budget: CommonBudget, rates: Rates[RequestT, ReplyT], provider: str
    ) -> None:
        self._client, self._budget, self._rates = client, budget, rates
        self._provider = provider

    async def complete(self, request: RequestT) -> ReplyT:
        """Raises BudgetSpent."""
        most = self._rates.most(request).usage
        number = await self._budget.admit(self._provider, most)
        used: Usage | None = most  # if it is cancelled or fails, it may have been charged
        try:
            reply = await self._client.complete(request)
            used = reply.usage
        except ModelError as error:
            used = {"not_sent": None, "rejected": Usage(cost=0.0)}.get(error.fate, most)
            raise
        finally:
            await self._budget.settle(number, used)
        return reply
