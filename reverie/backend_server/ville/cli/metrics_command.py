"""Show what each function of a simulation cost, and write that as the files of AGA: `python metrics.py NAME`.

A function is a kind of question to a model, or embedding. The numbers are those of the ledger, so of the whole life of
the simulation.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from ville.analysis.causes import cause_lines, causes
from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.function_costs import FunctionCost, cost_lines, function_costs
from ville.analysis.metric_files import FOLDER, write_metrics
from ville.cli.number_flags import count_of
from ville.errors import ReverieError
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.summaries import Calendar
from ville.plain_text import printable
from ville.settings import load_settings
from ville.storage.folder.storage import find

CAUSES = 20
"""Number of causes that are listed."""


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        print(*map(printable, _lines(choice)), sep="\n")
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _lines(choice: argparse.Namespace) -> Iterator[str]:
    """Yield what to print. Raises a ReverieError."""
    storage = choice.storage or load_settings().fs_storage
    against = _costs(ComparedRun(find(storage, choice.against))) if choice.against else None
    run = ComparedRun(find(storage, choice.name))
    yield from cost_lines(_costs(run), against)
    with closing(Ledger.read(run.folder.side)) as ledger:
        if choice.causes:
            yield from ("", *cause_lines(causes(run, ledger), choice.causes))
    if choice.write:
        yield f"{write_metrics(run.folder)} files written to {run.folder.root / FOLDER}"


def _costs(run: ComparedRun) -> dict[str, FunctionCost]:
    meta = run.meta
    with closing(Ledger.read(run.folder.side)) as ledger:
        return function_costs(ledger, Calendar.at(meta.curr_time, meta.step, meta.sec_per_step))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="name of a simulation")
    parser.add_argument("--against", metavar="OTHER", help="also show this in percent of another simulation")
    parser.add_argument(
        "--causes", nargs="?", type=count_of("causes"), const=CAUSES, metavar="N",
        help="also list the N (%(const)s) most expensive causes: which question of whom, during which activity or talk",
    )  # fmt: skip
    parser.add_argument("--write", action="store_true", help=f"write the files of AGA to {FOLDER}/ in its folder")
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    return parser
