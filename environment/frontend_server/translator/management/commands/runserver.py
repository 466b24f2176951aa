"""Django's `runserver` for pages that send many requests per second. WhiteNoise serves static files."""

import io
import socket
import sys
import threading
import time
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import CommandParser, call_command
from django.core.management.commands.runserver import Command as PlainRunServer
from django.core.servers.basehttp import WSGIRequestHandler, WSGIServer
from django.db import DatabaseError, connection, transaction

from translator.rights.access import LOOPBACK, is_loopback
from translator.storage.static import static_copies
from ville.simulation.interventions.catalogue import kinds


class ClientConnection(io.RawIOBase):
    """Connection to one client, closed if the client is too slow."""

    def __init__(self, connection: socket.socket, timeout: float) -> None:
        super().__init__()
        self._connection = connection
        self._timeout = timeout
        """Seconds for a whole request, and for each part of a response."""
        self._late = False
        self.expect_request()

    def expect_request(self) -> None:
        self._end = time.monotonic() + self._timeout

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Receive bytes. Raises ConnectionAbortedError when the time for the request is over."""
        remaining = self._end - time.monotonic()
        if self._late or remaining <= 0:
            self._abort()
        self._connection.settimeout(remaining)
        try:
            return self._connection.recv_into(buffer)
        except TimeoutError:
            self._abort()

    def write(self, data: Any) -> int:
        """Send all bytes. Raises ConnectionAbortedError."""
        self._connection.settimeout(self._timeout)
        try:
            self._connection.sendall(data)
        except TimeoutError:
            self._abort()
        return len(data)

    def _abort(self) -> NoReturn:
        self._late = True
        raise ConnectionAbortedError("The client is too slow.")


class TownRequestHandler(WSGIRequestHandler):
    """Handles the requests of one connection."""

    def setup(self) -> None:
        super().setup()
        self.rfile.close()
        connection: Any = self.connection
        self.client_connection = ClientConnection(connection, settings.REQUEST_TIMEOUT)
        streams: tuple[Any, Any] = io.BufferedReader(self.client_connection), self.client_connection
        self.rfile, self.wfile = streams

    def handle_one_request(self) -> None:
        self.client_connection.expect_request()
        super().handle_one_request()


class TownServer(WSGIServer):
    """Server with a queue for many simultaneous connections."""

    request_queue_size = 128
    allow_reuse_address = sys.platform != "win32"
    """Reuse a port that was just closed. On Windows, this would also reuse one that is open."""

    def setup_environ(self) -> None:
        """Tell views whether only this machine can reach the address that the server is bound to."""
        super().setup_environ()
        self.base_environ[LOOPBACK] = "1" if is_loopback(str(self.server_address[0])) else ""

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Use our request handler instead of Django's."""
        TownRequestHandler(request, client_address, self)


def prepare() -> None:
    """Read and make what the first requests would otherwise wait for: the kinds of interventions, which import the
    engine, and copies of static files.
    """
    kinds()
    static_copies.prepare()


class Command(PlainRunServer):
    """Disables Nagle's algorithm, which would delay the second packet of each response by about 40 ms."""

    server_cls = TownServer

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(addrport=settings.BIND)

    def run(self, **options: object) -> None:
        WSGIRequestHandler.disable_nagle_algorithm = True
        threading.Thread(target=prepare, daemon=True).start()
        super().run(**options)

    def check_migrations(self) -> None:
        """Create the database of `admin/`; pages work without it. Of two servers started together, one waits."""
        try:
            with connection.constraint_checks_disabled(), transaction.atomic():
                call_command("migrate", verbosity=0)
        except DatabaseError as fault:
            place = settings.DATABASES["default"]["NAME"]
            self.stderr.write(f"admin/ has no database: {place}: {fault}. Fix this and restart; pages work without it.")
