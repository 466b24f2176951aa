"""Walks the house before you move in: one line a check, and how to mend what is wrong.

  python validate_setup.py             Python, packages, storage, maps, and one cheap question to every model

It loads the same settings as a run does. Nothing is changed; with a provider it costs a fraction of a cent.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

HOUSE = Path(__file__).resolve().parent
sys.path.append(str(HOUSE / "reverie" / "backend_server"))

from console import run_shell  # noqa: E402 - it is found only now

VENV = HOUSE / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
OLDEST_PYTHON = (3, 11)
PACKAGES = (
    "django", "numpy", "openai", "PIL", "prompt_toolkit", "pydantic", "dotenv", "yaml", "sklearn", "scipy",
    "whitenoise",
)  # fmt: skip
"""What requirements.txt pins, as it is imported."""


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing and PYTHON.exists() and Path(sys.prefix).resolve() != VENV.resolve():
        return subprocess.run([PYTHON, __file__], check=False).returncode
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        say("FAIL", "Python", f"{version}: the Ville needs 3.11 or newer.")
        return 1
    say("ok", "Python", f"{version} in {sys.prefix}")
    if missing:
        say("FAIL", "packages", f"{', '.join(missing)} missing: run start.py, or pip install -r requirements.txt.")
        return 1
    say("ok", "packages", "all there")
    return asyncio.run(walk())


async def walk() -> int:
    """The exit code."""
    from checkup import checkup  # noqa: PLC0415 - it needs packages
    from errors import ReverieError  # noqa: PLC0415
    from settings import load_settings  # noqa: PLC0415

    try:
        settings = load_settings()
    except ReverieError as fault:
        say("FAIL", "settings", str(fault))
        return 1
    failed = False
    async for finding in checkup(settings):
        say(finding.verdict, finding.what, finding.says)
        failed = failed or finding.verdict == "FAIL"
    print("Something has to be mended first; see FAIL above." if failed else "Everything is ready.")
    return int(failed)


def say(verdict: str, what: str, says: str) -> None:
    print(f"{verdict:<5} {what:<14} {says}", flush=True)


if __name__ == "__main__":
    run_shell(main)
