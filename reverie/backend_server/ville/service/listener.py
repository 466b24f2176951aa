"""Listens for requests of other programs: hands them on between two steps, in order, and acknowledges each once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from ville.errors import BadArgument, CannotWrite
from ville.service.actions import Actions, Host
from ville.service.request_taker import INTERVAL, Ack, RequestTaker
from ville.simulation.requests.run_requests import (
    AnyRequest,
    RemoteIntervention,
    RemoteInterview,
    RemoteSay,
    RemoteStop,
    parse_request,
)
from ville.simulation.simulation import Simulation
from ville.storage.exchange.inbox import Inbox, Received

TOO_OLD = "This was sent before the simulation was opened. Send it again if it is still wanted."


@asynccontextmanager
async def listening(simulation: Simulation, inbox: Inbox, host: Host) -> AsyncIterator[None]:
    """Listen inside this context. Requests left at its end are handled when the simulation is opened again."""
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
