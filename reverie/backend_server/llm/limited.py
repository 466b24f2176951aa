"""A telephone with so many lines: who finds them all taken waits; a rate limit closes some of them for a while."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from errors import RateLimited
from llm.gateway import Chat, ChatReply, ChatRequest, EmbeddingReply, EmbeddingSource

Answer = TypeVar("Answer")


class Lines:
    """The one knob of concurrency, shared by all that goes to one provider.

    A rate limit halves the open lines, at most once for all the calls that were under way then; as many successes as
    lines are open add one, up to the number asked for (additive increase, multiplicative decrease, as TCP does).
    """

    def __init__(self, count: int) -> None:
        self.count = max(1, count)
        self._allowed = float(self.count)
        self._busy = 0
        self._lowered = 0
        """How often; tells the calls from before a lowering from those after it."""
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def open(self) -> int:
        """How many may be busy at present."""
        return int(self._allowed)

    async def through(self, call: Callable[[], Awaitable[Answer]]) -> Answer:
        """Make a call as soon as a line is free, in the order of asking."""
        await self._take()
        era = self._lowered
        try:
            answer = await call()
        except RateLimited:
            self._lower(era)
            raise
        else:
            self._allowed = min(self.count, self._allowed + 1 / self._allowed)
            return answer
        finally:
            self._give_back()

    async def _take(self) -> None:
        if self._busy < self.open and not self._waiting:
            self._busy += 1
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
        self._busy -= 1
        while self._waiting and self._busy < self.open:
            turn = self._waiting.popleft()
            if not turn.done():
                self._busy += 1
                turn.set_result(None)

    def _lower(self, era: int) -> None:
        if era == self._lowered:
            self._lowered += 1
            self._allowed = max(1.0, self._allowed / 2)


class Limited:
    """A Chat that asks through lines."""

    def __init__(self, chat: Chat, lines: Lines) -> None:
        self._chat = chat
        self._lines = lines

    async def complete(self, request: ChatRequest) -> ChatReply:
        return await self._lines.through(lambda: self._chat.complete(request))


class LimitedSource:
    """An EmbeddingSource that asks through lines."""

    def __init__(self, source: EmbeddingSource, lines: Lines) -> None:
        self._source = source
        self._lines = lines

    @property
    def name(self) -> str:
        return self._source.name

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        return await self._lines.through(lambda: self._source.embed(texts))
