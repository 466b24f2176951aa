"""Imported by every shell before anything else: where packages are missing, the Python of .venv takes over.

`start.py` has put them there, and whoever then types `python reverie_offline.py` should not have to know that. A Python
that has the packages is left alone; where there is no .venv, one line says what to do.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

VENV = Path(__file__).resolve().parents[2] / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PACKAGES = ("dotenv", "numpy", "openai", "prompt_toolkit", "pydantic", "sklearn")
"""As they are imported."""


def hand_over() -> None:
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if not missing:
        return
    if Path(sys.prefix).resolve() == VENV.resolve() or not PYTHON.exists():
        sys.exit(f"{', '.join(missing)} missing: run start.py, or pip install -r requirements.txt.")
    if os.name == "nt":  # there, a process that is replaced would give the terminal back too early
        sys.exit(subprocess.run([PYTHON, *sys.argv], check=False).returncode)
    os.execv(PYTHON, [str(PYTHON), *sys.argv])  # noqa: S606 - our own Python, and no shell


hand_over()
