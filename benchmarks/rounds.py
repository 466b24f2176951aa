"""Chat whose calls are answered in rounds, so that it shows which of them wait for each other."""

import asyncio

from ville.llm.gateway import Chat, ChatReply, ChatRequest

QUIET = 16
"""Passes of the event loop without a new call after which a round is complete."""


class Rounds:
    """Answers all calls that wait for no answer at once, as a server would that takes as many as there are."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._waiting: list[tuple[ChatRequest, asyncio.Future[ChatReply]]] = []
        self._answering: asyncio.Task[None] | None = None
        self.sizes: list[int] = []
        """Number of calls of each round so far."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Answer with the others of its round, which is the last of `sizes` then. Raises what the chat raises."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._look, 0, QUIET)
        reply: asyncio.Future[ChatReply] = loop.create_future()
        self._waiting.append((request, reply))
        return await reply

    def _look(self, seen: int, left: int) -> None:
        """Close the round if no call has come for long enough."""
        if seen != len(self._waiting):
            left = QUIET
        if left:
            asyncio.get_running_loop().call_soon(self._look, len(self._waiting), left - 1)
            return
        waiting, self._waiting = self._waiting, []
        self.sizes.append(len(waiting))
        self._answering = asyncio.ensure_future(self._answer(waiting))

    async def _answer(self, waiting: list[tuple[ChatRequest, asyncio.Future[ChatReply]]]) -> None:
        replies = await asyncio.gather(*(self._chat.complete(each) for each, _ in waiting), return_exceptions=True)
        for (_, future), reply in zip(waiting, replies, strict=True):
            if future.cancelled():
                continue
            if isinstance(reply, BaseException):
                future.set_exception(reply)
            else:
                future.set_result(reply)
