"""Show the folders in use, and how much lies in them."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from ville.errors import ReverieError
from ville.home import HOME, SHIPPED
from ville.settings import Settings, load_settings
from ville.storage.wallet.wallet_file import default_file
from ville.version import VERSION


def main(arguments: list[str] | None = None) -> int:
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
    try:
        settings = load_settings()
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    rows = list(_rows(settings))
    width = max(len(what) for what, _, _ in rows)
    for what, path, holds in rows:
        print(f"{what:<{width}}  {path}{f'  ({holds})' if holds else ''}")
    return 0


def _rows(settings: Settings) -> Iterator[tuple[str, Path, str]]:
    """Yield what a folder is for, where it is, and what it holds."""
    yield "home", HOME.root, "a clone" if HOME.is_clone else ""
    yield "settings", HOME.env_file, "" if HOME.env_file.exists() else "not there"
    yield "prices", settings.prices, "" if settings.prices.exists() else "not there: known prices only"
    yield "simulations", settings.fs_storage, _count(settings.fs_storage)
    yield "replays", settings.replays, _count(settings.replays)
    yield "studies", settings.studies, _count(settings.studies)
    yield "maps", settings.assets, ""
    yield "town files", HOME.towns, _count(HOME.towns)
    yield "own minds", settings.minds_folder, "" if settings.minds_folder.exists() else "not there"
    yield "wallet", settings.wallet_file or default_file(), ""
    yield "logs", HOME.logs, ""
    yield "program", SHIPPED, f"version {VERSION}"


def _count(folder: Path) -> str:
    """Return how many there are; nothing that is hidden counts."""
    return str(sum(not path.name.startswith(".") for path in folder.iterdir())) if folder.is_dir() else "none yet"
