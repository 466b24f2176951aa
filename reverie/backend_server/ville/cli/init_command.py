"""Make a folder a home: everything that is made with the Ville will lie in it.

It gets the people of the Ville, its map, histories, a recorded day, examples, and a file for settings. What is there
already stays as it is, so that it can be done again after an update.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path

from ville.errors import BadSetting, ReverieError
from ville.home import HOME, MARK, OUR_ASSETS, PAGES, SHIPPED, Home
from ville.storage.env_file import OWNER_ONLY
from ville.storage.files import write_text, writing
from ville.storage.new_folder import new_folder

FOLDERS = {"storage": PAGES / "storage", "compressed_storage": PAGES / "compressed_storage", "assets": OUR_ASSETS}
"""Folders of a home, and what they begin with."""
OURS = ("base_", "a_day_of_")
EXAMPLES = "examples"
"""Notebooks, study files and minds of one's own."""
SETTINGS = ".env"
ENV_EXAMPLE = SHIPPED / ".env.example"
"""Every setting, as a comment: the first content of SETTINGS."""
FOUND = frozenset({".git", ".venv", "venv", ".vscode", ".idea", ".DS_Store", "Thumbs.db", "desktop.ini"})
"""Files and folders that a folder may have although it is empty to a user."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = HOME.root if "VILLE_HOME" in os.environ else Path()
    parser.add_argument(
        "folder", nargs="?", type=Path, default=default, help="default: VILLE_HOME, or the present folder"
    )
    folder = parser.parse_args(arguments).folder.resolve()
    try:
        make_home(folder)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    print(f"Your town is in {folder}. To open it, type there: ville")
    return 0


def begin_home(folder: Path) -> None:
    """Make an empty folder a home. Raises BadSetting if it has something in it, which may be of another program."""
    there = sorted({entry.name for entry in folder.iterdir()} - FOUND)
    if there:
        raise BadSetting(
            f"{folder} is not empty ({there[0]}), and has no town. To put one beside it, type: ville init. Or go to an "
            "empty folder, or set VILLE_HOME."
        )
    make_home(folder)
    print(f"Everything you make will lie in {folder}.")


def make_home(folder: Path) -> None:
    """Copy what a home begins with, as far as it is not there. Raises CannotWrite."""
    with writing(folder):
        for name, source in FOLDERS.items():
            (folder / name).mkdir(parents=True, exist_ok=True)
            for each in sorted(source.iterdir()):
                target = folder / name / each.name
                if _is_ours(each):
                    _copy_if_missing(each, target)
        _copy_if_missing(SHIPPED / EXAMPLES, folder / EXAMPLES)
        if not (folder / SETTINGS).exists():
            write_text(folder / SETTINGS, ENV_EXAMPLE.read_text("utf-8"), mode=OWNER_ONLY)
        for made in (Home(folder, is_clone=False).towns, folder / MARK):
            made.mkdir(exist_ok=True)


def _copy_if_missing(source: Path, target: Path) -> None:
    if not target.exists():
        with new_folder(target) as partial:
            shutil.copytree(source, partial, dirs_exist_ok=True)


def _is_ours(entry: Path) -> bool:
    """Return whether it comes with the project: in a clone, those of the user lie beside the bases and demos."""
    return entry.is_dir() and (entry.parent == OUR_ASSETS or entry.name.startswith(OURS))
