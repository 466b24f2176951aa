"""A telephone with so many lines: who finds them all taken waits; a rate limit closes some of them for a while."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from ville.errors import RateLimited, TransientError
from ville.llm.gateway import Chat, ChatReply, ChatRequest, EmbeddingReply, EmbeddingSource

Answer = TypeVar("Answer")


class ConcurrencyLimiter:
    """The one knob of concurrency, shared by all that goes to one provider.

    A rate limit halves the open lines, at most once for all the calls that were under way then; as many successes as
    lines are open add one, up to the number asked for (additive increase, multiplicative decrease, as TCP does). Until
    a provider that has said when to come back may be asked again, everybody is told what it said.
    """

    def __init__(self, max_concurrency: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.max_concurrency = max(1, max_concurrency)
        self._allowed = float(self.max_concurrency)
        self._in_flight = 0
        self._lowered = 0
        """How often; tells the calls from before a lowering from those after it."""
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._clock = clock
        self._closed: tuple[float, TransientError] | None = None
        """Until when, and what was said."""

    @property
    def limit(self) -> int:
        """How many may be busy at present."""
        return int(self._allowed)

    async def run(self, call: Callable[[], Awaitable[Answer]]) -> Answer:
        """Make a call as soon as a line is free, in the order of asking."""
        await self._take()
        try:
            self._check_open()
            return await self._called(call)
        finally:
            self._give_back()

    async def _called(self, call: Callable[[], Awaitable[Answer]]) -> Answer:
        era = self._lowered
        try:
            answer = await call()
        except TransientError as fault:
            if isinstance(fault, RateLimited):
                self._lower(era)
            if fault.retry_after:
                self._closed = (self._clock() + fault.retry_after, fault)
            raise
        self._allowed = min(self.max_concurrency, self._allowed + 1 / self._allowed)
        return answer

    def _check_open(self) -> None:
        """Raises what the provider said, with what is left of the time it asked for."""
        if self._closed:
            until, fault = self._closed
            if (left := until - self._clock()) > 0:
                raise type(fault)(str(fault), left)
            self._closed = None

    async def _take(self) -> None:
        if self._in_flight < self.limit and not self._waiting:
            self._in_flight += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_back()
            raise

    def _give_back(self) -> None:
        self._in_flight -= 1
        while self._waiting and self._in_flight < self.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self._in_flight += 1
                turn.set_result(None)

    def _lower(self, era: int) -> None:
        if era == self._lowered:
            self._lowered += 1
            self._allowed = max(1.0, self._allowed / 2)


class Limited:
    """A Chat that asks through lines."""

    def __init__(self, chat: Chat, limiter: ConcurrencyLimiter) -> None:
        self._chat = chat
        self._limiter = limiter

    async def complete(self, request: ChatRequest) -> ChatReply:
        return await self._limiter.run(lambda: self._chat.complete(request))


class LimitedSource:
    """An EmbeddingSource that asks through lines."""

    def __init__(self, source: EmbeddingSource, limiter: ConcurrencyLimiter) -> None:
        self._source = source
        self._limiter = limiter

    @property
    def name(self) -> str:
        return self._source.name

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        return await self._limiter.run(lambda: self._source.embed(texts))
