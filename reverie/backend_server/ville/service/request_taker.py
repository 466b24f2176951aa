"""Takes requests from an inbox: in order, each answered once, and none tried for ever."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any

from ville.errors import BadArgument, CannotWrite, ReverieError
from ville.storage.exchange.inbox import Inbox, Received

INTERVAL = 0.05
"""Seconds between two looks into an inbox."""
MOST = 100
"""Most requests that are handled at once, so that a flood does not hold up a run."""
TIDYING = 60.0
"""Seconds between two removals of old acknowledgements."""
TOO_OFTEN = (
    "The engine failed twice while it carried this out, so it is not tried again. Please report it, with what the "
    "terminal has shown."
)
CLOSED = "It was closed before this was answered. Ask again."

Ack = dict[str, Any]
"""Fields of an acknowledgement."""
Answer = Callable[[Received], Awaitable[Ack | None]]
"""Carries out a request and returns its acknowledgement; None if it follows later. Raises ReverieError."""


class RequestTaker:
    """Takes the requests of one inbox."""

    def __init__(self, inbox: Inbox, *, is_done: Callable[[Received], bool] = lambda _: False) -> None:
        """Begin to listen. `is_done` says whether a request was carried out, and only lacks its acknowledgement.

        Raises CannotWrite.
        """
        self._inbox = inbox
        self._is_done = is_done
        self._answering: dict[int, asyncio.Task[None]] = {}
        """Requests that are being answered while others are handled, by number."""
        self._tidied = monotonic()
        self.last: int | None = None
        """Number of the request that was acknowledged last."""
        self.early = inbox.open()
        """Requests that were sent before."""

    def due(self, except_for: Collection[int] = ()) -> list[int]:
        """Return the numbers of the requests to handle now, in order."""
        if monotonic() - self._tidied > TIDYING:
            self._inbox.forget_old()
            self._tidied = monotonic()
        return sorted(self._inbox.numbers() - self._answering.keys() - {*except_for})[:MOST]

    async def handle(self, number: int, answer: Answer) -> None:
        """Carry out a request, unless that was done before, and acknowledge it.

        Raises CannotWrite if only the acknowledgement is missing now. An error that is no ReverieError goes through:
        the request is tried once more by the next engine, and then refused.
        """
        received = self._inbox.read(number)
        if received and (ack := self._inbox.answer_to(received) or await self._attempt(received, answer)):
            self._acknowledge(received, ack)

    async def _attempt(self, received: Received, answer: Answer) -> Ack | None:
        try:
            if not self._inbox.may_attempt(received.number) and not self._is_done(received):
                raise BadArgument(TOO_OFTEN)
            return await answer(received)
        except ReverieError as fault:
            return _refused(received, fault)
        except asyncio.CancelledError:
            self.put_off(received)
            raise

    def put_off(self, received: Received) -> None:
        """Note that a request was not carried out yet, without having failed."""
        self._inbox.forget_attempts(received.number)

    def answer_later(self, received: Received, work: Coroutine[Any, Any, Ack]) -> None:
        """Answer a request while others are handled."""
        self._answering[received.number] = asyncio.create_task(self._finish(received, work))

    async def _finish(self, received: Received, work: Coroutine[Any, Any, Ack]) -> None:
        try:
            ack = await work
        except ReverieError as fault:
            ack = _refused(received, fault)
        except asyncio.CancelledError:
            ack = _refused(received, BadArgument(CLOSED))
        finally:
            del self._answering[received.number]
        with suppress(CannotWrite):  # the answer is kept, and written when there is room
            self._acknowledge(received, ack)

    async def close(self) -> None:
        """Refuse what is still being answered. What was not taken stays in the inbox."""
        tasks = list(self._answering.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _acknowledge(self, received: Received, ack: Mapping[str, Any]) -> None:
        self._inbox.acknowledge(received, ack)
        self.last = received.number


def _refused(received: Received, fault: ReverieError) -> Ack:
    return {"id": received.id, "result": "refused", "reason": str(fault)}
