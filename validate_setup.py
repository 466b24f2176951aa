"""Check Python, packages, settings, storage, maps and models: `python validate_setup.py`."""

import sys

try:
    from ville.cli.entry_points import validate
except ModuleNotFoundError as fault:
    sys.exit(f"{fault}. In the project folder, type: pip install -r requirements.txt")
except KeyboardInterrupt:
    sys.exit(130)

if __name__ == "__main__":
    validate()
