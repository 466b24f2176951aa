"""`runserver`, quick enough for pages that ask many times a second. Static files are served by WhiteNoise."""

import io
import socket
import sys
import time
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import CommandParser, call_command
from django.core.management.commands.runserver import Command as PlainRunServer
from django.core.servers.basehttp import WSGIRequestHandler, WSGIServer
from django.db import DatabaseError, connection, transaction


class ClientConnection(io.RawIOBase):
    """The connection of one client. A client that is too slow counts as one that has hung up."""

    def __init__(self, connection: socket.socket, patience: float) -> None:
        super().__init__()
        self._connection = connection
        self._patience = patience
        """Seconds for a whole request, and for each part of an answer."""
        self._late = False
        self.expect_request()

    def expect_request(self) -> None:
        self._end = time.monotonic() + self._patience

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Raises ConnectionAbortedError after the time for a request is over, however much of it has come."""
        remaining = self._end - time.monotonic()
        if self._late or remaining <= 0:
            self._abort()
        self._connection.settimeout(remaining)
        try:
            return self._connection.recv_into(buffer)
        except TimeoutError:
            self._abort()

    def write(self, data: Any) -> int:
        """Send everything. Raises ConnectionAbortedError."""
        self._connection.settimeout(self._patience)
        try:
            self._connection.sendall(data)
        except TimeoutError:
            self._abort()
        return len(data)

    def _abort(self) -> NoReturn:
        self._late = True
        raise ConnectionAbortedError("The client is too slow.")


class TownRequestHandler(WSGIRequestHandler):
    """Serves the requests of one connection, one after the other."""

    def setup(self) -> None:
        super().setup()
        self.rfile.close()
        connection: Any = self.connection
        self.wire = ClientConnection(connection, settings.REQUEST_PATIENCE)
        streams: tuple[Any, Any] = io.BufferedReader(self.wire), self.wire
        self.rfile, self.wfile = streams

    def handle_one_request(self) -> None:
        self.wire.expect_request()
        super().handle_one_request()


class TownServer(WSGIServer):
    """Many pages may knock at the same moment."""

    request_queue_size = 128
    allow_reuse_address = sys.platform != "win32"
    """Elsewhere it means a port whose last owner has just left; on Windows, one that somebody has."""

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Use our request handler: `runserver` names Django's own."""
        TownRequestHandler(request, client_address, self)


class Command(PlainRunServer):
    """Head and body of an answer leave as two packets; with Nagle's algorithm the second would wait some 40 ms."""

    server_cls = TownServer

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(addrport=settings.BIND)

    def run(self, **options: object) -> None:
        WSGIRequestHandler.disable_nagle_algorithm = True
        super().run(**options)

    def check_migrations(self) -> None:
        """The database is for `admin/` alone: it is made in passing, and where it cannot be, pages do without.

        Of two begun at the same moment one waits.
        """
        try:
            with connection.constraint_checks_disabled(), transaction.atomic():
                call_command("migrate", verbosity=0)
        except DatabaseError as fault:
            place = settings.DATABASES["default"]["NAME"]
            self.stderr.write(f"admin/ has no database: {place}: {fault}. Mend that and start again, or do without.")
