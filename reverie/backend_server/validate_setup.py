"""The walk through the house, for those who look for it here; it lies at the top."""

import runpy
from pathlib import Path

if __name__ == "__main__":
    runpy.run_path(str(Path(__file__).resolve().parents[2] / "validate_setup.py"), run_name="__main__")
