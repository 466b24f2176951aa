"""Check the setup, and print one line for each check, with what to do if it fails.

  python validate_setup.py             Python, packages, settings, storage, maps, and a short question to each model

It loads the same settings as a run and changes nothing. With a provider it costs a fraction of a cent.
"""

import argparse
import asyncio
import platform
import sys
from collections.abc import Sequence

from ville.cli.checkup import checkup
from ville.errors import ReverieError
from ville.settings import load_settings


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args(arguments)
    _say("ok", "Python", f"{platform.python_version()} in {sys.prefix}")
    return asyncio.run(_check())


async def _check() -> int:
    """Return the exit code."""
    try:
        settings = load_settings()
    except ReverieError as fault:
        _say("FAIL", "settings", str(fault))
        return 1
    failed = False
    async for finding in checkup(settings):
        _say(finding.verdict, finding.what, finding.says)
        failed = failed or finding.verdict == "FAIL"
    print("Fix the lines marked FAIL above first." if failed else "Everything is ready.")
    return int(failed)


def _say(verdict: str, what: str, says: str) -> None:
    print(f"{verdict:<5} {what:<14} {says}", flush=True)
