"""Start the environment server: `python manage.py runserver` shows the town in a browser."""

import sys

OLDEST_PYTHON = (3, 11)
if sys.version_info < OLDEST_PYTHON:
    sys.exit(f"This is Python {sys.version_info[0]}.{sys.version_info[1]}; the Ville needs 3.11 or newer.")
try:
    import os

    from django.core.management import execute_from_command_line

    import ville.storage  # noqa: F401 - the settings need it
except ModuleNotFoundError as fault:
    sys.exit(f"{fault}. In the project folder, type: pip install -r requirements.txt")
except KeyboardInterrupt:
    sys.exit(130)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "frontend_server.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
