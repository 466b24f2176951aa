"""Measure how news spread, who knows whom and who came to the party, as in the paper: `python measure.py NAME ...`."""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from ville.analysis.measures import NewsTopic, SavedRun, Turnout, acquaintances, density, hearings, talks, turnout
from ville.analysis.meetings import accepted, introductions
from ville.analysis.paper_events import CANDIDACY, PARTY, VALENTINES_PARTY
from ville.errors import ReverieError
from ville.plain_text import printable
from ville.settings import load_settings
from ville.storage.storage import find

WIDTH = 10
NOTHING = "–"


@dataclass(frozen=True)
class Measure:
    """A row of the table."""

    what: str
    of: Callable[[SavedRun], float | None]
    paper: str = ""
    """Value reported by Park et al. for 25 personas after two days."""
    digits: int = 0

    def line(self, runs: list[SavedRun]) -> str:
        values = [self.of(run) for run in runs]
        numbers = [value for value in values if value is not None]
        means = [mean(numbers) if numbers else None] if len(runs) > 1 else []
        return row(self.what, [*map(self._cell, [*values, *means]), self.paper])

    def _cell(self, number: float | None) -> str:
        """Return a number with the digits of this row; the mean of counts has one digit."""
        if number is None:
            return NOTHING
        return f"{number:,.{self.digits or int(number % 1 > 0)}f}"


MEASURES = (
    Measure("steps", lambda run: run.steps, "17,280"),
    Measure("know of the party", lambda run: len(hearings(run, PARTY)), "12"),
    Measure("know of the candidacy", lambda run: len(hearings(run, CANDIDACY)), "8"),
    Measure("density at the start", lambda run: density(run, acquaintances(run, run.begins)), "0.167", 3),
    Measure("density at the end", lambda run: density(run, acquaintances(run, run.ends)), "0.740", 3),
    Measure("pairs who talked", lambda run: len(talks(run))),
    Measure("conversations", lambda run: talks(run).total()),
    Measure("invited to the party", lambda run: attendance(run, lambda party: party.invited), "12"),
    Measure("  accepted", lambda run: attendance(run, lambda _: accepted(run, VALENTINES_PARTY))),
    Measure(
        "  accepted and came", lambda run: attendance(run, lambda party: accepted(run, VALENTINES_PARTY) & party.there)
    ),
    Measure("  invited and came", lambda run: attendance(run, lambda party: party.invited & party.there), "5"),
    Measure("came uninvited", lambda run: attendance(run, lambda party: party.there - party.invited)),
    Measure("introductions", lambda run: len(introductions(run))),
    Measure("  between acquaintances", lambda run: sum(each.contradicts for each in introductions(run))),
)


def attendance(run: SavedRun, chosen: Callable[[Turnout], frozenset[str]]) -> int | None:
    """Return how many guests are chosen; None if the party is not over."""
    found = turnout(run, VALENTINES_PARTY)
    return None if found is None else len(chosen(found))


def row(what: str, cells: list[str]) -> str:
    return f"{what:<24}{''.join(f'  {cell:>{WIDTH}}' for cell in cells)}".rstrip()


def table(runs: list[SavedRun]) -> Iterator[str]:
    """Yield the lines of a table: one column for each simulation, their mean, and the paper."""
    names = [run.name for run in runs] + (["mean"] if len(runs) > 1 else [])
    yield row("", [*(name if len(name) <= WIDTH else f"{name[: WIDTH - 1]}…" for name in names), "paper"])
    yield from (measure.line(runs) for measure in MEASURES)


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
