"""Write what a run was as tables for other programs: `python export.py NAME --to parquet`."""

import sys

try:
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).resolve().parent / "backend_server"))  # the package of this clone

    from ville.cli.entry_points import export
except ModuleNotFoundError as fault:
    sys.exit(f"{fault}. In the project folder, type: pip install -r requirements.txt")
except KeyboardInterrupt:
    sys.exit(130)

if __name__ == "__main__":
    export()
