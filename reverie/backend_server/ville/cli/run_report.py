"""Reports about one run, as the commands print and write them: `ville ties NAME`, `ville story NAME`."""

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol, TypeVar

from ville.analysis.comparison.compared_run import ComparedRun, find_run
from ville.cli.output_file import add_json, add_replace, check_json, write_json
from ville.errors import ReverieError
from ville.json_types import JsonObject
from ville.plain_text import printable
from ville.settings import load_settings
from ville.storage.compressed.compressed_folder import find_compressed


class RunFinding(Protocol):
    """Something that was found in a run."""

    def as_json(self) -> JsonObject: ...


SAVED, COMPRESSED = "saved", "compressed"
ReportT = TypeVar("ReportT", bound=RunFinding)


def report(
    arguments: list[str] | None,
    *,
    about: str | None,
    find: Callable[[ComparedRun], ReportT],
    lines: Callable[[ComparedRun, ReportT], Iterable[str]],
) -> int:
    """Find something in the run that is named, print its lines or write it as JSON. Return the exit code."""
    choice = _parser(about).parse_args(arguments)
    try:
        check_json(choice)
        run = _run(choice)
        found = find(run)
        run.check_unchanged()
        if choice.json:
            write_json(choice, found.as_json())
        else:
            print(*map(printable, lines(run, found)), sep="\n")
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _run(choice: argparse.Namespace) -> ComparedRun:
    """Return the run that is named; of two of a name, the one of the store. Raises a ReverieError."""
    settings = load_settings()
    compressed = choice.compressed or settings.replays
    if choice.store == COMPRESSED:
        return ComparedRun(find_compressed(compressed, choice.name))
    return find_run(choice.storage or settings.fs_storage, compressed, choice.name)


def _parser(about: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("name", metavar="NAME", help="a saved or compressed simulation; NAME@MOMENT: until then")
    add_json(parser, "write everything to a file instead")
    add_replace(parser)
    parser.add_argument(
        "--store", choices=(SAVED, COMPRESSED), default=SAVED, help="which of two runs of a name is meant"
    )
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    parser.add_argument("--compressed", type=Path, help="folder of the replays (default: from the settings)")
    return parser
