"""The file that a user names for a result: `--json FILE`, and `--replace` if it is there already."""

import argparse
import json
from pathlib import Path
from typing import Any

from ville.storage.named_files import check_free, write_named

STDOUT = "-"
"""Name of a file that stands for standard output."""


def add_replace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--replace", action="store_true", help="replace a file that is there already")


def add_json(flags: argparse._ActionsContainer, what: str = "write everything to a file, too") -> None:
    flags.add_argument("--json", type=Path, metavar="FILE", help=f"{what} (-: print only that)")


def check_json(choice: argparse.Namespace) -> None:
    """Raise CannotWrite if the file that is named must not be written. Call it before what takes long."""
    if choice.json and str(choice.json) != STDOUT:
        check_free(choice.json, replace=choice.replace)


def write_json(choice: argparse.Namespace, found: Any) -> bool:
    """Write a result to the file that is named, if one is. Return whether it was printed instead.

    Raises CannotWrite.
    """
    if choice.json is None:
        return False
    text = json.dumps(found)
    if str(choice.json) == STDOUT:
        print(text)
        return True
    write_named(choice.json, [text], replace=choice.replace)
    return False
