"""Takes requests of other programs from an inbox: in order, each answered once, and none tried for ever.

`RequestTaker` does so for any inbox, `Listener` for that of one simulation, between two steps.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine
from contextlib import asynccontextmanager, suppress
from time import monotonic

from ville.errors import BadArgument, CannotWrite, ReverieError
from ville.json_types import JsonObject
from ville.service.actions import Actions, Host
from ville.settings import Settings
from ville.simulation.requests.run_requests import (
    AnyRequest,
    RemoteIntervention,
    RemoteInterview,
    RemoteSay,
    RemoteStop,
    parse_request,
)
from ville.simulation.simulation import Simulation
from ville.storage.exchange.inbox import Ack, Inbox, Received

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
TOO_OLD = "This was sent before the simulation was opened. Send it again if it is still wanted."

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

    def answer_later(self, received: Received, work: Coroutine[object, None, Ack]) -> None:
        """Answer a request while others are handled."""
        self._answering[received.number] = asyncio.create_task(self._finish(received, work))

    async def _finish(self, received: Received, work: Coroutine[object, None, Ack]) -> None:
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

    def _acknowledge(self, received: Received, ack: JsonObject) -> None:
        self._inbox.acknowledge(received, ack)
        self.last = received.number


@asynccontextmanager
async def listening(simulation: Simulation, settings: Settings, host: Host) -> AsyncIterator[None]:
    """Take the requests of other programs to a simulation inside this context.

    Requests left at its end are handled when the simulation is opened again.
    """
    inbox = Inbox(settings.fs_temp_storage, simulation.name, fsync=settings.fsync)
    listener = Listener(simulation, inbox, host)
    task = asyncio.create_task(listener.listen())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await listener.close()


class Listener:
    """Takes the requests to one simulation from its inbox."""

    def __init__(self, simulation: Simulation, inbox: Inbox, host: Host) -> None:
        """Raises CannotWrite."""
        self._simulation = simulation
        self._taker = RequestTaker(inbox, is_done=self._is_in_log)
        self._host = host
        self._actions = Actions(simulation, host)
        self._leaving = False
        self._postponed: set[int] = set()
        """Interventions that wait until the recorded ones have been applied again."""
        self._is_new = simulation.is_new

    async def listen(self) -> None:
        """Handle requests until one of them ends the session, or until cancelled."""
        try:
            while not self._leaving:
                if numbers := self._due():
                    async with self._simulation.between_steps:
                        await self._handle_all(numbers)
                self._simulation.control.last_request = self._taker.last
                await asyncio.sleep(INTERVAL)
        finally:
            self._host.leave()

    async def close(self) -> None:
        """Refuse the questions that are not answered yet."""
        await self._taker.close()

    def _due(self) -> list[int]:
        """Return the numbers of the requests to handle now, in order."""
        if not self._simulation.intake.catching_up:
            self._postponed.clear()
        return self._taker.due(self._postponed)

    async def _handle_all(self, numbers: list[int]) -> None:
        with suppress(CannotWrite):  # then it stays due, and only its acknowledgement is written again
            for number in numbers:
                await self._taker.handle(number, self._answer)
                if self._leaving:
                    return

    async def _answer(self, received: Received) -> Ack | None:
        """Carry out a request and return its acknowledgement; None if it follows later."""
        request = self._parsed(received)
        if isinstance(request, RemoteIntervention) and self._simulation.intake.catching_up:
            self._taker.put_off(received)
            self._postponed.add(received.number)
            return None
        if isinstance(request, RemoteInterview | RemoteSay):
            self._taker.answer_later(received, self._actions.answer(request))
            return None
        ack = await self._actions.carry_out(request)
        self._leaving = isinstance(request, RemoteStop)
        return ack

    def _is_in_log(self, received: Received) -> bool:
        """Return whether a request is an intervention that was recorded, and only needs its acknowledgement."""
        return bool(received.id) and self._simulation.intake.row_of(received.id) is not None

    def _parsed(self, received: Received) -> AnyRequest:
        """Return a request. Raises BadArgument if it is malformed, or was not meant for this session."""
        if received.fault:
            raise BadArgument(received.fault)
        request = parse_request(received.values)
        if received.number in self._taker.early and (self._is_new or isinstance(request, RemoteStop)):
            raise BadArgument(TOO_OLD)
        return request


def _refused(received: Received, fault: ReverieError) -> Ack:
    return {"id": received.id, "result": "refused", "reason": str(fault)}
