"""Bring over what an older project has, and prove that it works: `python migrate.py OLD_PROJECT`."""

import sys

try:
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).resolve().parent / "backend_server"))  # the package of this clone

    from ville.cli.entry_points import migrate
except ModuleNotFoundError as fault:
    sys.exit(f"{fault}. In the project folder, type: pip install -r requirements.txt")
except KeyboardInterrupt:
    sys.exit(130)

if __name__ == "__main__":
    migrate()
