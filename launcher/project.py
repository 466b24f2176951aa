"""Folders of the project, its own Python, and the environment of child processes."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator  # noqa: TC003 - exists in older Pythons too
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
TIED = (str(PYTHON), "-m", "ville.jobs.tied")
"""Runs a program that ends with this one, which holds the other end of its standard input."""
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


@contextlib.contextmanager
def tied_by_pipe() -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Return what begins the command of a program that reads what a user types, and what it inherits: a pipe with which
    it ends when this process does. On Windows, where only standard streams are inherited, it stays alone.
    """
    if os.name == "nt":
        yield (str(PYTHON),), ()
        return
    theirs, ours = os.pipe()
    try:
        yield (*TIED, "--pipe", str(theirs)), (theirs,)
    finally:
        os.close(theirs)
        os.close(ours)
