"""Show what a simulation asked language models, and what it cost: `python ledger.py NAME`."""

import argparse
import io
import sys
from collections.abc import Iterable
from contextlib import ExitStack, closing
from dataclasses import asdict
from pathlib import Path

from ville.cli.number_flags import count_of
from ville.cli.output_file import add_json, add_replace, check_json, write_json
from ville.errors import ReverieError
from ville.json_types import JsonObject
from ville.llm.accounting.call_listing import call_details, export, latest_calls
from ville.llm.accounting.ledger import FILE, INTERVIEWS, Ledger
from ville.llm.accounting.summaries import GROUPS, Calendar, CallSummary, format_table, summarize_all, total
from ville.plain_text import printable
from ville.settings import load_settings
from ville.storage.folder.storage import find
from ville.storage.named_files import check_free, write_named
from ville.storage.records.meta import Meta

EXPORTS = ("csv", "json")


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        check_json(choice)
        if choice.out:
            check_free(choice.out, replace=choice.replace)
        folder = find(choice.storage or load_settings().fs_storage, choice.name)
        root = folder.root / "reverie"
        with ExitStack() as opened:
            ledger = opened.enter_context(closing(Ledger.read(root, INTERVIEWS if choice.interviews else FILE)))
            apart = not choice.interviews and (root / INTERVIEWS).exists()
            interviews = opened.enter_context(closing(Ledger.read(root, INTERVIEWS))) if apart else None
            _show(ledger, interviews, folder.meta, choice=choice)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _show(ledger: Ledger, interviews: Ledger | None, meta: Meta, *, choice: argparse.Namespace) -> None:
    if choice.export:
        _write(export(ledger, choice.export), choice)
    elif choice.call is not None:
        print(printable(call_details(ledger, choice.call)))
    elif choice.latest is not None:
        print(printable(latest_calls(ledger, choice.latest)))
    else:
        calendar = Calendar.at(meta.curr_time, meta.step, meta.sec_per_step)
        parts = summarize_all(ledger, interviews, choice.by, calendar=calendar)
        if choice.json:
            write_json(choice, _totals(parts, choice.by))
        else:
            print(printable(format_table(parts)))


def _totals(parts: list[CallSummary], by: str) -> JsonObject:
    """Return the numbers of the table: its groups in their order, and all together."""
    return {"by": by, "groups": [asdict(part) for part in parts], "all": asdict(total(parts))}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="name of a simulation")
    parser.add_argument(
        "--by", choices=GROUPS, default="question", help="group the totals by this (default: %(default)s)"
    )
    parser.add_argument("--interviews", action="store_true", help="show the calls of interviews, not those of the run")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--latest", type=count_of("calls"), metavar="N", help="list the last N calls with their numbers"
    )
    instead.add_argument("--call", type=int, metavar="N", help="show call number N: its prompt and its answer")
    instead.add_argument("--export", choices=EXPORTS, help="export all calls in this format")
    add_json(instead, "write the totals to a file instead")
    add_replace(parser)
    parser.add_argument("--out", type=Path, help="file to export to (default: standard output)")
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: see settings)")
    return parser


def _write(pieces: Iterable[str], choice: argparse.Namespace) -> None:
    """Write to a file or to standard output, always in UTF-8. Raises CannotWrite."""
    if choice.out is None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.writelines(pieces)
        return
    write_named(choice.out, pieces, replace=choice.replace)
