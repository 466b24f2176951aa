"""Folders of the project, its own Python, and the environment of child processes."""

from __future__ import annotations

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
FRONTEND = ROOT / "environment" / "frontend_server"
BACKEND = ROOT / "reverie" / "backend_server"
PASS = "VILLE_PASS"  # noqa: S105 - the name of a variable
"""Variable with the pass phrase, which only the environment server may see."""


class StartError(Exception):
    """A problem with this machine that the user can fix; the message says how."""


def pass_is_set() -> bool:
    """Return whether a pass phrase is set in the environment or in .env."""
    file = ROOT / ".env"
    text = file.read_text("utf-8", errors="replace") if file.is_file() else ""
    return bool(os.environ.get(PASS) or re.search(rf"^\s*(export\s+)?{PASS}\s*=\s*\S", text, re.MULTILINE))


def environment() -> dict[str, str]:
    """Return the variables of a child process."""
    kept = {name: value for name, value in os.environ.items() if name.upper() != PASS}
    return {**kept, "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}
