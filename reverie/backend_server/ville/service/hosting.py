"""What an open simulation needs around it, at the prompt and in a served engine."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ville.service.actions import Host
from ville.service.listener import listening
from ville.settings import Settings
from ville.simulation.heartbeat import publish_status
from ville.simulation.simulation import Simulation
from ville.storage.exchange.inbox import Inbox
from ville.storage.exchange.temp_storage import TempStorage


@asynccontextmanager
async def published(simulation: Simulation, settings: Settings) -> AsyncIterator[None]:
    """Tell the pages of a simulation inside this context, and close it at its end. Raises CannotWrite."""
    with publish_status(simulation, TempStorage(settings.fs_temp_storage)):
        try:
            simulation.announce()
            yield
        finally:
            await simulation.close()


@asynccontextmanager
async def taking_requests(simulation: Simulation, settings: Settings, host: Host) -> AsyncIterator[None]:
    """Take the requests of other programs to a simulation inside this context."""
    async with listening(simulation, Inbox(settings.fs_temp_storage, simulation.name, fsync=settings.fsync), host):
        yield
