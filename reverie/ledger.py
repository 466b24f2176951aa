"""What a simulation asked language models, and what it cost: `python ledger.py NAME` sums it up."""

import argparse
import io
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "backend_server"))

import handover  # noqa: E402, F401 - it is found only now, and comes first
from archive.files import writing  # noqa: E402
from archive.meta import Meta  # noqa: E402
from archive.storage import find  # noqa: E402
from console import run_shell  # noqa: E402
from errors import ReverieError  # noqa: E402
from llm.accounting.accounts import GROUPS, Calendar, accounts, table  # noqa: E402
from llm.accounting.extracts import exported, latest, page  # noqa: E402
from llm.accounting.ledger import Ledger  # noqa: E402
from plain_text import printable  # noqa: E402
from settings import load_settings  # noqa: E402

EXPORTS = ("csv", "json")


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        folder = find(choice.storage or load_settings().fs_storage, choice.name)
        with closing(Ledger.read(folder.root / "reverie")) as ledger:
            _show(ledger, folder.meta, choice)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _show(ledger: Ledger, meta: Meta, choice: argparse.Namespace) -> None:
    if choice.export:
        _write(exported(ledger, choice.export), choice.out)
    elif choice.call is not None:
        print(printable(page(ledger, choice.call)))
    elif choice.latest is not None:
        print(printable(latest(ledger, choice.latest)))
    else:
        calendar = Calendar.at(meta.curr_time, meta.step, meta.sec_per_step)
        print(printable(table(accounts(ledger, choice.by, calendar))))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="a simulation in the storage folder")
    parser.add_argument("--by", choices=GROUPS, default="question", help="by what to sum up")
    parser.add_argument("--latest", type=_count, metavar="N", help="list the last calls instead, with their numbers")
    parser.add_argument("--call", type=int, metavar="N", help="show one call instead: its prompt and its answer")
    parser.add_argument("--export", choices=EXPORTS, help="write out every call instead")
    parser.add_argument("--out", type=Path, help="the file to export to; otherwise it is printed")
    parser.add_argument("--storage", type=Path, help="where simulations are kept")
    return parser


def _count(text: str) -> int:
    """Raises argparse's own error."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is no number of calls: write 1 or more")
    return int(text)


def _write(pieces: Iterable[str], path: Path | None) -> None:
    """In UTF-8, wherever it goes to: it is data. Raises CannotWrite."""
    if path is None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.writelines(pieces)
        return
    with writing(path), path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(pieces)


if __name__ == "__main__":
    run_shell(main)
