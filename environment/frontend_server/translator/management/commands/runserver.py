"""`runserver`, quick enough for pages that ask many times a second. Static files are served by WhiteNoise."""

import sys

from django.conf import settings
from django.core.management import CommandParser, call_command
from django.core.management.commands.runserver import Command as PlainRunServer
from django.core.servers.basehttp import WSGIRequestHandler, WSGIServer
from django.db import DatabaseError, connection, transaction


class TownServer(WSGIServer):
    """Many pages may knock at the same moment."""

    request_queue_size = 128
    allow_reuse_address = sys.platform != "win32"
    """Elsewhere it means a port whose last owner has just left; on Windows, one that somebody has."""


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
