"""The environment server's shell: `python manage.py runserver` shows the town in a browser."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "frontend_server.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
