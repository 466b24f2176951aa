"""Compare two saved runs (`python compare.py A B`), or repeated runs of two sides (`python compare.py A1 A2 -- B1 B2`).

The simulations are only read.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ville.api import functions as api
from ville.cli.compare_text import comparison_lines, repeat_lines
from ville.errors import BadArgument, ReverieError
from ville.plain_text import printable
from ville.storage.files import write_text, writing

AGAINST = "--against"


def main(arguments: list[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    choice = _parser().parse_args([AGAINST if word == "--" else word for word in given])
    try:
        lines, found = _compared(choice)
        if choice.json:
            _write(choice.json, found)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    if str(choice.json) != "-":
        print(*map(printable, lines), sep="\n")
    return 0


def _compared(choice: argparse.Namespace) -> tuple[list[str], Any]:
    """Return the lines to print and the content of the JSON file. Raises a ReverieError."""
    folders = {"fs_storage": choice.storage, "fs_compressed_storage": choice.compressed}
    places = {name: path for name, path in folders.items() if path}
    if choice.against:
        repeats = api.compare_sides(choice.names, choice.against, draws_seed=choice.seed, **places)
        return list(repeat_lines(repeats)), repeats.as_json()
    try:
        a, b = choice.names
    except ValueError:
        template = "Name two simulations: compare.py A B. For repeated runs: compare.py A1 A2 -- B1 B2"
        raise BadArgument(template) from None
    found = api.compare(a, b, news=choice.news or "", trace=not choice.no_trace, **places)
    return list(comparison_lines(found)), found.as_json()


def _write(path: Path, found: Any) -> None:
    text = json.dumps(found)
    if str(path) == "-":
        print(text)
        return
    if path.is_file() or not path.exists():
        write_text(path, text)
        return
    with writing(path):  # a pipe or a device is not to be replaced
        path.write_text(text, "utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "names", nargs="+", metavar="NAME", help="a saved or compressed simulation; NAME@MOMENT: until then"
    )
    parser.add_argument(
        AGAINST, nargs="+", metavar="NAME", help="runs of the other side; -- means the same: A1 A2 -- B1 B2"
    )
    parser.add_argument("--news", metavar="WORDS", help="also compare how this spread; a regular expression")
    parser.add_argument(
        "--no-trace", action="store_true", help="do not compute steps by the rules again to know their prompts"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything to a file (-: print only that)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random draws for repeated runs (default: 0)")
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    parser.add_argument("--compressed", type=Path, help="folder of the replays (default: from the settings)")
    return parser
