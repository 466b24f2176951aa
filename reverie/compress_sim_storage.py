"""Write the replay of a simulation: `python compress_sim_storage.py NAME`.

From a script: `from compress_sim_storage import compress`, then `compress("NAME")`.
"""

import sys

try:
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).resolve().parent / "backend_server"))  # the package of this clone

    from ville.cli import entry_points
    from ville.cli.compress_command import compress as compress  # noqa: PLC0414 - scripts import it from here
except ModuleNotFoundError as fault:
    sys.exit(f"{fault}. In the project folder, type: pip install -r requirements.txt")
except KeyboardInterrupt:
    sys.exit(130)

if __name__ == "__main__":
    entry_points.compress()
