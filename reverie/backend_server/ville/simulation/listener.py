"""Listens for requests of other programs: hands them on between two steps, in order, and acknowledges each once."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any

from ville.errors import BadArgument, CannotWrite, ReverieError
from ville.simulation.actions import Ack, Actions, Host
from ville.simulation.requests import (
    AnyRequest,
    RemoteIntervention,
    RemoteInterview,
    RemoteSay,
    RemoteStop,
    parse_request,
)
from ville.simulation.simulation import Simulation
from ville.storage.inbox import Inbox, Received

INTERVAL = 0.05
"""Seconds between two looks into the inbox."""
MOST = 100
"""Most requests that are handled between two steps, so that a flood does not hold up the run."""
TIDYING = 60.0
"""Seconds between two removals of old acknowledgements."""
TOO_OFTEN = (
    "The engine has ended twice while it carried this out, so it is not tried again. Please report it, with what the "
    "terminal has shown."
)
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
        self._inbox = inbox
        self._host = host
        self._actions = Actions(simulation, host)
        self._leaving = False
        self._postponed: set[int] = set()
        """Interventions that wait until the recorded ones have been applied again."""
        self._interviews: dict[int, asyncio.Task[None]] = {}
        """Interviews in progress, by the number of their request. The run goes on meanwhile."""
        inbox.open()
        self._early = inbox.numbers()
        """Requests that were sent before the simulation was opened."""
        self._is_new = simulation.is_new

    async def listen(self) -> None:
        """Handle requests until one of them ends the session, or until cancelled."""
        tidied = monotonic()
        try:
            while not self._leaving:
                if numbers := self._due():
                    async with self._simulation.between_steps:
                        await self._handle_all(numbers)
                if monotonic() - tidied > TIDYING:
                    self._inbox.forget_old()
                    tidied = monotonic()
                await asyncio.sleep(INTERVAL)
        finally:
            self._host.leave()

    async def close(self) -> None:
        """Cancel the interviews in progress; their requests stay in the inbox."""
        for task in self._interviews.values():
            task.cancel()
        await asyncio.gather(*self._interviews.values(), return_exceptions=True)

    def _due(self) -> list[int]:
        """Return the numbers of the requests to handle now, in order."""
        if not self._simulation.intake.catching_up:
            self._postponed.clear()
        return sorted(self._inbox.numbers() - self._postponed - self._interviews.keys())[:MOST]

    async def _handle_all(self, numbers: list[int]) -> None:
        with suppress(CannotWrite):  # then it stays due, and only its acknowledgement is written again
            for number in numbers:
                received = self._inbox.read(number)
                ack = received and (self._inbox.answer_to(received) or await self._answer(received))
                if received and ack:
                    self._acknowledge(received, ack)
                if self._leaving:
                    return

    def _acknowledge(self, received: Received, ack: Mapping[str, Any]) -> None:
        self._inbox.acknowledge(received, ack)
        self._simulation.control.last_request = received.number

    async def _answer(self, received: Received) -> Ack | None:
        """Carry out a request and return its acknowledgement; None if it follows later."""
        try:
            self._check_attempts(received)
            request = self._parsed(received)
            if isinstance(request, RemoteIntervention) and self._simulation.intake.catching_up:
                self._inbox.forget_attempts(received.number)
                self._postponed.add(received.number)
                return None
            if isinstance(request, RemoteInterview | RemoteSay):
                self._interviews[received.number] = asyncio.create_task(self._interview(received, request))
                return None
            ack = await self._actions.carry_out(request)
        except ReverieError as fault:
            return _refused(received, fault)
        self._leaving = isinstance(request, RemoteStop)
        return ack

    def _check_attempts(self, received: Received) -> None:
        """Raise BadArgument for a request at which the engine has ended before, again and again.

        An intervention that is in the log only needs its acknowledgement.
        """
        known = received.id and self._simulation.intake.row_of(received.id)
        if not self._inbox.may_attempt(received.number) and not known:
            raise BadArgument(TOO_OFTEN)

    def _parsed(self, received: Received) -> AnyRequest:
        """Return a request. Raises BadArgument if it is malformed, or was not meant for this session."""
        if received.fault:
            raise BadArgument(received.fault)
        request = parse_request(received.values)
        if received.number in self._early and (self._is_new or isinstance(request, RemoteStop)):
            raise BadArgument(TOO_OLD)
        return request

    async def _interview(self, received: Received, request: RemoteInterview | RemoteSay) -> None:
        """Ask, and acknowledge with the answer."""
        try:
            ack = await self._actions.answer(request)
        except ReverieError as fault:
            ack = _refused(received, fault)
        except asyncio.CancelledError:
            self._inbox.forget_attempts(received.number)
            raise
        finally:
            del self._interviews[received.number]
        with suppress(CannotWrite):  # the answer is kept, and written when there is room
            self._acknowledge(received, ack)


def _refused(received: Received, fault: ReverieError) -> Ack:
    return {"id": received.id, "result": "refused", "reason": str(fault)}
