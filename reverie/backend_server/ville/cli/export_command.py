"""Write what a run was as tables for other programs (`python export.py NAME --to parquet`).

Movements, actions, conversations, memories, their uses, commitments, ties, news and calls; docs/tables.md has all
columns. The simulation is only read, and what is private is left out.

`--to classic` copies the last save in the files of the code released with the paper, for older engines.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from ville.analysis.comparison.compared_run import find_run
from ville.analysis.news_facts import find_fact
from ville.analysis.tables.run_tables import TABLES, RunTables
from ville.cli.output_file import add_replace
from ville.errors import ReverieError
from ville.plain_text import printable
from ville.settings import load_settings
from ville.sharing.table_files.described import left_out
from ville.sharing.table_files.export import FORMATS, default_path, export
from ville.storage.folder.classic_copy import write_classic
from ville.storage.folder.storage import find

CLASSIC = "classic"
"""Format of a simulation for older engines."""


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        lines = list(_exported(choice))
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    print(*map(printable, lines), sep="\n")
    return 0


def _exported(choice: argparse.Namespace) -> Iterator[str]:
    """Write the tables, and yield what to print. Raises a ReverieError."""
    folders = {"fs_storage": choice.storage, "fs_compressed_storage": choice.compressed}
    settings = load_settings({name: path for name, path in folders.items() if path})
    if choice.to == CLASSIC:
        path = choice.out or Path(f"{choice.name}-{CLASSIC}")
        write_classic(find(settings.fs_storage, choice.name).root, path)
        yield f"Exported: {path}"
        return
    run = find_run(settings.fs_storage, settings.replays, choice.name)
    tables = RunTables(run, private=choice.private, news=[find_fact(run, fact) for fact in choice.news])
    path = choice.out or default_path(run.name, choice.to)
    written = export(tables, choice.to, path, names=choice.tables, replace=choice.replace)
    yield f"Exported: {written.path}"
    yield from (f"  {name:<14}{rows:>11,} rows" for name, rows in written.rows.items())
    if words := left_out(tables):
        yield f"{words} --private adds them."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="a saved or compressed simulation; a saved one also until a moment (NAME@18:00)")
    parser.add_argument("--to", choices=(*FORMATS, CLASSIC), required=True, help="format of the files")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help="folder or file to write (default: NAME-tables/, NAME-classic/ or NAME.FORMAT)",
    )
    add_replace(parser)
    parser.add_argument(
        "--tables", type=_names, default=[], metavar="LIST", help=f"only these, with commas: {', '.join(TABLES)}"
    )
    parser.add_argument(
        "--news", action="append", default=[], metavar="FACT",
        help="follow this news instead of those of the paper: party, candidacy, what an intervention brought (#3), or "
        "a regular expression; can be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--private", action="store_true",
        help="also write conversations with users, interviews, prompts and answers of calls",
    )  # fmt: skip
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    parser.add_argument("--compressed", type=Path, help="folder of the replays (default: from the settings)")
    return parser


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
