"""Network connections over which a request leaves in one piece.

The HTTP client writes the head of a request and its body apart, each with a wait of its own, and listens only while it
reads. These connections keep what is written until an answer is waited for, and listen all the time.
"""

import asyncio
import select
from collections.abc import Iterator
from contextlib import contextmanager
from socket import socket
from ssl import SSLContext
from typing import Any, cast

import httpx2
from httpcore2 import (
    AsyncConnectionInterface,
    AsyncConnectionPool,
    AsyncNetworkBackend,
    AsyncNetworkStream,
    ConnectError,
    ConnectTimeout,
    Origin,
    ReadError,
    ReadTimeout,
    Request,
    Response,
)

IDLE = 5.0
"""Seconds after which an idle connection is not used again: the server may be about to close it."""
NEXT_ADDRESS = 0.25
"""Seconds until the next address of a host is tried beside one that has not answered (RFC 6555)."""


class DirectTransport(httpx2.AsyncHTTPTransport):
    """Sends requests without a proxy, for a client that makes one call at a time."""

    def __init__(self, verified: SSLContext) -> None:
        super().__init__(verify=verified)
        self._pool = _OneConnection(verified, keepalive_expiry=IDLE, network_backend=_WholeRequests())


class _OneConnection(AsyncConnectionPool):
    """A pool that has one connection, so that none has to be looked for."""

    _opened: AsyncConnectionInterface | None = None

    async def handle_async_request(self, request: Request) -> Response:
        if not (self._opened and self._can_be_used(self._opened, request.url.origin)):
            await self.aclose()
            self._opened = self.create_connection(request.url.origin)
        return await self._opened.handle_async_request(request)

    @staticmethod
    def _can_be_used(connection: AsyncConnectionInterface, origin: Origin) -> bool:
        """Return whether a connection leads to a server, and nothing has happened to it."""
        return connection.can_handle_request(origin) and connection.is_available() and not connection.has_expired()

    async def aclose(self) -> None:
        if self._opened:
            await self._opened.aclose()
            self._opened = None


class _WholeRequests(AsyncNetworkBackend):
    """Opens connections."""

    async def connect_tcp(  # type: ignore[override]  # an address and options of one's own are never given
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - of the interface
        **_: object,
    ) -> AsyncNetworkStream:
        """Raises ConnectError and ConnectTimeout."""
        loop = asyncio.get_running_loop()
        with _before_sending():
            async with asyncio.timeout(timeout):
                made = await loop.create_connection(_Stream, host, port, happy_eyeballs_delay=NEXT_ADDRESS)
        return made[1]


class _Stream(asyncio.Protocol, AsyncNetworkStream):
    """One connection."""

    _transport: asyncio.Transport

    def __init__(self) -> None:
        self._written: list[bytes] = []
        """Parts of a request that leave when its answer is waited for."""
        self._arrived = b""
        self._ended = False
        self._fault: Exception | None = None
        """Error that ended it, if it was not the server."""
        self._arrival: asyncio.Future[None] | None = None
        """Done when something arrives that is waited for."""

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002, ASYNC109 - waits for nothing
        self._written.append(buffer)

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - of the interface
        """Send what was written, and return what arrives; empty at the end. Raises ReadError and ReadTimeout."""
        if self._written:
            self._transport.write(b"".join(self._written))
            self._written.clear()
        if not self._arrived and not self._ended:
            await self._wait(timeout)
        if not self._arrived and self._fault:
            raise ReadError(self._fault) from self._fault
        taken, self._arrived = self._arrived[:max_bytes], self._arrived[max_bytes:]
        return taken

    async def _wait(self, seconds: float | None) -> None:
        """Wait until something arrives, or the end. Raises ReadTimeout."""
        self._arrival = asyncio.get_running_loop().create_future()
        self._transport.resume_reading()
        try:
            async with asyncio.timeout(seconds):
                await self._arrival
        except TimeoutError as error:
            raise ReadTimeout(error) from error
        finally:
            self._arrival = None

    async def aclose(self) -> None:
        self._transport.abort()

    async def start_tls(
        self,
        ssl_context: SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - of the interface
    ) -> AsyncNetworkStream:
        """Raises ConnectError and ConnectTimeout."""
        loop, plain = asyncio.get_running_loop(), self._transport
        with _before_sending():
            async with asyncio.timeout(timeout):
                secured = await loop.start_tls(
                    plain, self, ssl_context, server_hostname=server_hostname, ssl_handshake_timeout=timeout
                )
        self._transport = cast("asyncio.Transport", secured)
        return self

    def get_extra_info(self, info: str) -> Any:
        """Return a fact about the connection. One that is readable before it is used again has ended, or is broken."""
        if info == "is_readable":
            return self._ended or bool(self._arrived) or _is_readable(self._transport.get_extra_info("socket"))
        return self._transport.get_extra_info(info)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._arrived += data
        self._wake()

    def eof_received(self) -> None:
        self._ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended, self._fault = True, exc
        self._wake()

    def _wake(self) -> None:
        """Let the read that waits go on; if none does, take no more until one will."""
        if self._arrival and not self._arrival.done():
            self._arrival.set_result(None)
        else:
            self._transport.pause_reading()


@contextmanager
def _before_sending() -> Iterator[None]:
    """Raise what goes wrong as ConnectError and ConnectTimeout: nothing has been sent."""
    try:
        yield
    except TimeoutError as error:
        raise ConnectTimeout(error) from error
    except (OSError, ValueError, OverflowError) as error:  # also of a name or a port that none can have
        raise ConnectError(error) from error


def _is_readable(connection: socket) -> bool:
    """Return whether something has arrived, or the end, that the event loop has not looked at yet."""
    if not hasattr(select, "poll"):  # Windows
        return bool(select.select([connection], [], [], 0)[0])
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(0))
