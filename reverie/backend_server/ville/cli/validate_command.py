"""Check the setup, and print one line for each check, with what to do if it fails.

  python validate_setup.py             Python, packages, settings, storage, maps, and a short question to each model

It loads the same settings as a run and changes nothing. With a provider it costs a fraction of a cent.
"""

import argparse
import asyncio
import os
import platform
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from ville.assembly.model_check import Finding, Verdict, check_models
from ville.errors import ReverieError, SetupError
from ville.persona.prompt_template.question import check_templates
from ville.settings import Settings, load_settings
from ville.storage.folder.storage import simulations
from ville.world.maze_files import load_maze

MAPS = "*/matrix/maze_meta_info.json"


async def checkup(settings: Settings) -> AsyncIterator[Finding]:
    """Check the files, then the models."""
    for finding in check_files(settings):
        yield finding
    async for finding in check_models(settings):
        yield finding


def check_files(settings: Settings) -> Iterator[Finding]:
    """Check storage, prompts and maps."""
    yield _found("storage", lambda: _storage(settings.fs_storage))
    yield _found("temp storage", lambda: _writable(settings.fs_temp_storage))
    yield _found("prompts", lambda: f"{check_templates()} prompts, no unknown placeholders")
    maps = sorted(path.parents[1].name for path in settings.assets.glob(MAPS))
    for name in maps:
        yield _found(f"map {name}", partial(_map, settings.assets, name))
    if not maps:
        yield Finding("FAIL", "maps", f"no map in {settings.assets}. Set assets, or run build_town.py build.")


def _found(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding("ok", what, check())
    except (ReverieError, OSError) as fault:
        return Finding("FAIL", what, str(fault))


def _storage(folder: Path) -> str:
    there = simulations(folder)
    if not there:
        raise SetupError(
            f"No simulation in {folder}. Copy the base_... folders there, or set fs_storage to their folder."
        )
    return f"{_writable(folder)}; {len(there)} simulations"


def _writable(folder: Path) -> str:
    nearest = next(place for place in (folder, *folder.parents) if place.exists())
    if not os.access(nearest, os.W_OK):
        raise SetupError(f"{nearest} is not writable. Change its permissions, or set another folder.")
    return f"{folder} is writable"


def _map(assets: Path, name: str) -> str:
    maze = load_maze(assets / name / "matrix", name)
    return f"{maze.width} × {maze.height} tiles, {len(maze.address_tiles)} addresses"


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


def _say(verdict: Verdict, what: str, says: str) -> None:
    print(f"{verdict:<5} {what:<14} {says}", flush=True)
