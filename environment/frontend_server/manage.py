"""The environment server's shell: `python manage.py runserver` shows the town in a browser."""

import os
import sys

try:
    from django.core.management import execute_from_command_line
except ImportError:
    sys.exit("Django is missing: use the Python that start.py put into .venv, or pip install -r requirements.txt.")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "frontend_server.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
