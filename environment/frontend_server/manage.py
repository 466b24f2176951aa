"""The environment server's shell: `python manage.py runserver` shows the town in a browser."""

import os
import sys

from django.core.management import execute_from_command_line
from django.core.management.commands.runserver import Command as RunServer
from django.core.servers.basehttp import WSGIRequestHandler

from frontend_server.settings import BIND


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "frontend_server.settings")
    # Head and body of an answer go out as two packets; with Nagle's algorithm the second waits some 40 ms.
    WSGIRequestHandler.disable_nagle_algorithm = True  # type: ignore[attr-defined]  # socketserver reads it
    RunServer.default_addr, _, RunServer.default_port = BIND.rpartition(":")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
