"""A telephone with so many lines: who finds them all taken waits."""

from asyncio import Semaphore

from llm.gateway import Chat, ChatReply, ChatRequest


class Limited:
    """A Chat that lets at most so many questions be open at the same time: the one knob of concurrency."""

    def __init__(self, chat: Chat, lines: int) -> None:
        self._chat = chat
        self._lines = Semaphore(max(1, lines))

    async def complete(self, request: ChatRequest) -> ChatReply:
        async with self._lines:
            return await self._chat.complete(request)
