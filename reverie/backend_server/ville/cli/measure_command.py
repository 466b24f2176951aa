"""Measure how news spread, who knows whom and who came to the party, as in the paper: `python measure.py NAME ...`."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from ville.analysis.measures import NewsTopic, SavedRun, hearings
from ville.analysis.paper_measures import MEASURES, Measure
from ville.errors import ReverieError
from ville.plain_text import printable
from ville.settings import load_settings
from ville.storage.folder.storage import find

WIDTH = 10
NOTHING = "–"


def line(measure: Measure, runs: list[SavedRun]) -> str:
    """Return the row of a measure: its value in each run, their mean, and that of the paper."""
    values = [measure.of(run) for run in runs]
    numbers = [value for value in values if value is not None]
    means = [mean(numbers) if numbers else None] if len(runs) > 1 else []
    return row(measure.what, [*(_cell(measure, value) for value in [*values, *means]), measure.paper])


def _cell(measure: Measure, number: float | None) -> str:
    """Return a number with the digits of this row; the mean of counts has one digit."""
    if number is None:
        return NOTHING
    return f"{number:,.{measure.digits or int(number % 1 > 0)}f}"


def row(what: str, cells: list[str]) -> str:
    return f"{what:<24}{''.join(f'  {cell:>{WIDTH}}' for cell in cells)}".rstrip()


def table(runs: list[SavedRun]) -> Iterator[str]:
    """Yield the lines of a table: one column for each simulation, their mean, and the paper."""
    names = [run.name for run in runs] + (["mean"] if len(runs) > 1 else [])
    yield row("", [*(name if len(name) <= WIDTH else f"{name[: WIDTH - 1]}…" for name in names), "paper"])
    yield from (line(measure, runs) for measure in MEASURES)


def diffusion_lines(run: SavedRun, news: NewsTopic) -> Iterator[str]:
    """Yield who came to know of some news, when, and from whom."""
    known = hearings(run, news)
    yield f"{run.name}: {len(known)} of {len(run.people)} know of {news.name}"
    for when, who, teller in known:
        yield f"  {when:%b %d, %H:%M}  {who}{f', from {teller}' if teller else ''}"


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        storage = choice.storage or load_settings().fs_storage
        runs = [SavedRun(find(storage, name)) for name in choice.names]
        if choice.news:
            news = NewsTopic.matching(choice.news)
            print(*(printable(line) for run in runs for line in diffusion_lines(run, news)), sep="\n")
        else:
            print(*map(printable, table(runs)), sep="\n")
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME", help="name of a simulation")
    parser.add_argument(
        "--news", metavar="WORDS", help="list who knows of this, since when and from whom; a regular expression"
    )
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    return parser
