"""Imported by every shell first: the Python of .venv takes over from one that is too old or lacks packages.

`start.py` has made .venv, and typing `python reverie_offline.py` should not require knowing that. A Python that is new
enough and has the packages goes on; without .venv, one line says what to do. This file and the shells have to parse on
every Python 3 that is still in use.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

VENV = Path(__file__).resolve().parents[2] / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
OLDEST_PYTHON = (3, 11)
PACKAGES = ("dotenv", "numpy", "openai", "prompt_toolkit", "pydantic", "sklearn")
"""As they are imported."""
MEND = "run start.py, or pip install -r requirements.txt"


def hand_over() -> None:
    missing = [name for name in PACKAGES if find_spec(name) is None]
    too_old = sys.version_info < OLDEST_PYTHON
    if not (missing or too_old):
        return
    again = Path(sys.argv[0]).is_file()  # what was typed at `python -c` or at Python's own prompt cannot be run again
    if Path(sys.prefix).resolve() == VENV.resolve() or not PYTHON.exists() or not again:
        sys.exit(_too_old() if too_old else f"{', '.join(missing)} missing: {MEND}.")
    if os.name == "nt":  # there, a process that is replaced would give the terminal back too early
        sys.exit(subprocess.run([PYTHON, *sys.argv], check=False).returncode)
    os.execv(PYTHON, [str(PYTHON), *sys.argv])  # noqa: S606 - our own Python, and no shell


def _too_old() -> str:
    have, need = (".".join(map(str, version[:2])) for version in (sys.version_info, OLDEST_PYTHON))
    return f"This is Python {have}; the Ville needs {need} or newer: run start.py with a newer one."


hand_over()
