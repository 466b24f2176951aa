"""Limit the number of concurrent calls to a provider, and adapt it to rate limits."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

from ville.errors import RateLimited, TimedOut, TransientError
from ville.llm.gateway import Client, ReplyT, RequestT

Result = TypeVar("Result")
FIRST_CALLS, MOST_CALLS = 8, 64
"""Calls at the same time with which finding the limit begins, and with which it ends."""
LOCAL_CALLS = 2
"""Those with which it begins for a server on a machine of one's own, which often has one or two slots."""


def most_calls(max_concurrency: int) -> int:
    """Return the most calls at the same time that a setting allows; 0 in it: as many as may be found."""
    return max_concurrency or MOST_CALLS


class ConcurrencyLimiter:
    """Limit on concurrent calls, shared by all clients of one endpoint: those that are needed at earlier steps first,
    then first come, first served.

    A rate limit halves the limit, once for all calls in flight at the time; as many successes as the current limit
    raise it by one, up to `max_concurrency` (additive increase, multiplicative decrease, as in TCP). While a provider
    has asked to wait (`retry_after`), calls fail at once with the same error.

    With 0 in place of `max_concurrency`, the limit is found: it begins with `first`, grows while calls wait for it, up
    to MOST_CALLS, by one with each success until the first decrease, and is halved by calls that time out, too, because
    a server on one machine slows down instead of refusing. It is also halved by answers that take longer than `slow`
    seconds: calls that queue in such a server use up their deadlines.
    """

    def __init__(
        self,
        max_concurrency: int,
        *,
        first: int = FIRST_CALLS,
        slow: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._finds, self._slow = not max_concurrency, slow
        self.max_concurrency = most_calls(max_concurrency)
        self._allowed = float(max_concurrency or first)
        self._in_flight = 0
        self._decreases = 0
        """Number of decreases so far; tells calls that began before a decrease from later ones."""
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        """A heap: step, number of the call, and what is done when it may begin."""
        self._numbers = count()
        self._clock = clock
        self._closed: tuple[float, TransientError] | None = None
        """End of the wait that the provider asked for, and its error."""

    @property
    def limit(self) -> int:
        """Number of calls that may be in flight now."""
        return int(self._allowed)

    async def run(self, call: Callable[[], Awaitable[Result]], step: int = 0) -> Result:
        """Make a call as soon as the limit allows it, before those of later steps, and in order of arrival."""
        await self._acquire(step)
        try:
            self._check_wait()
            return await self._adapting(call)
        finally:
            self._release()

    async def _adapting(self, call: Callable[[], Awaitable[Result]]) -> Result:
        """Make a call, and adapt the limit to its outcome."""
        decreases, began = self._decreases, self._clock()
        try:
            result = await call()
        except TransientError as error:
            if isinstance(error, RateLimited) or (self._finds and isinstance(error, TimedOut)):
                self._decrease(decreases)
            if error.retry_after:
                self._closed = (self._clock() + error.retry_after, error)
            raise
        if self._finds and self._clock() - began > self._slow:
            self._decrease(decreases)
        elif self._waiting or not self._finds:
            starting = self._finds and not self._decreases
            self._allowed = min(self.max_concurrency, self._allowed + (1 if starting else 1 / self._allowed))
        return result

    def _check_wait(self) -> None:
        """Raise the provider's error, with the rest of its `retry_after`, until that time has passed."""
        if self._closed:
            until, error = self._closed
            if (left := until - self._clock()) > 0:
                raise type(error)(str(error), left)
            self._closed = None

    async def _acquire(self, step: int) -> None:
        if self._in_flight < self.limit and not self._waiting:
            self._in_flight += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (step, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release()
            raise

    def _release(self) -> None:
        self._in_flight -= 1
        while self._waiting and self._in_flight < self.limit:
            _, _, turn = heappop(self._waiting)
            if not turn.done():
                self._in_flight += 1
                turn.set_result(None)

    def _decrease(self, decreases: int) -> None:
        if decreases == self._decreases:
            self._decreases += 1
            self._allowed = max(1.0, self._allowed / 2)


class LimitedClient(Generic[RequestT, ReplyT]):
    """Layer that limits concurrent calls."""

    def __init__(self, client: Client[RequestT, ReplyT], limiter: ConcurrencyLimiter) -> None:
        self._client, self._limiter = client, limiter

    async def complete(self, request: RequestT) -> ReplyT:
        return await self._limiter.run(lambda: self._client.complete(request), request.needed)
