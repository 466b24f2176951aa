"""How news spread, who knows whom, who came to the party: `python measure.py NAME ...` counts as the paper did."""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import mean

from ville.analysis.measures import Gathering, News, Record, acquaintances, density, hearings, talks, turnout
from ville.errors import BadArgument, ReverieError
from ville.plain_text import printable
from ville.settings import load_settings
from ville.storage.storage import find

PARTY = News("the party", re.compile(r"\bparty\b"), "Isabella Rodriguez")
CANDIDACY = News(
    "the candidacy", re.compile(r"\bSam\b.*\bmayor\b|\bmayor\b.*\bSam\b|\bI'm running for mayor"), "Sam Moore"
)
AT_THE_CAFE = Gathering(PARTY, datetime(2023, 2, 14, 17), datetime(2023, 2, 14, 19), "Hobbs Cafe")  # noqa: DTZ001 - game time has no zone
WIDTH = 10
NOTHING = "–"


@dataclass(frozen=True)
class Measure:
    """A line of the table."""

    what: str
    of: Callable[[Record], float | None]
    paper: str = ""
    """What Park et al. found in 25 people after two days."""
    digits: int = 0

    def line(self, records: list[Record]) -> str:
        found = [self.of(record) for record in records]
        there = [number for number in found if number is not None]
        means = [mean(there) if there else None] if len(records) > 1 else []
        return row(self.what, [*map(self._cell, [*found, *means]), self.paper])

    def _cell(self, number: float | None) -> str:
        """A count is whole, the mean of counts mostly not."""
        if number is None:
            return NOTHING
        return f"{number:,.{self.digits or int(number % 1 > 0)}f}"


MEASURES = (
    Measure("steps", lambda record: record.steps, "17,280"),
    Measure("know of the party", lambda record: len(hearings(record, PARTY)), "12"),
    Measure("know of the candidacy", lambda record: len(hearings(record, CANDIDACY)), "8"),
    Measure("density, at first", lambda record: density(record, acquaintances(record, record.begins)), "0.167", 3),
    Measure("density, at the end", lambda record: density(record, acquaintances(record, record.ends)), "0.740", 3),
    Measure("pairs who talked", lambda record: len(talks(record))),
    Measure("talks", lambda record: talks(record).total()),
    Measure("knew before the party", lambda record: came(record, knew=True, there=None), "12"),
    Measure("knew and came", lambda record: came(record, knew=True, there=True), "5"),
    Measure("came by chance", lambda record: came(record, knew=False, there=True)),
)


def came(record: Record, *, knew: bool, there: bool | None) -> int | None:
    """How many people knew of the party, or not, and were there; None: wherever they were."""
    if (found := turnout(record, AT_THE_CAFE)) is None:
        return None
    people = found.invited if knew else frozenset(record.people) - found.invited
    return len(people if there is None else people & found.there)


def row(what: str, cells: list[str]) -> str:
    return f"{what:<24}{''.join(f'  {cell:>{WIDTH}}' for cell in cells)}".rstrip()


def table(records: list[Record]) -> Iterator[str]:
    """A column for each simulation, their mean, and the paper."""
    names = [record.name for record in records] + (["mean"] if len(records) > 1 else [])
    yield row("", [*(name if len(name) <= WIDTH else f"{name[: WIDTH - 1]}…" for name in names), "paper"])
    yield from (measure.line(records) for measure in MEASURES)


def chronicle(record: Record, news: News) -> Iterator[str]:
    """Who came to know of something, when, and from whom."""
    known = hearings(record, news)
    yield f"{record.name}: {len(known)} of {len(record.people)} know of {news.name}"
    for when, who, teller in known:
        yield f"  {when:%b %d, %H:%M}  {who}{f', from {teller}' if teller else ''}"


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        storage = choice.storage or load_settings().fs_storage
        records = [Record(find(storage, name)) for name in choice.names]
        if choice.news:
            news = _news(choice.news)
            print(*(printable(line) for record in records for line in chronicle(record, news)), sep="\n")
        else:
            print(*map(printable, table(records)), sep="\n")
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _news(signs: str) -> News:
    try:
        return News(f"'{signs}'", re.compile(signs, re.IGNORECASE))
    except re.error as fault:
        raise BadArgument(f"'{signs}' is no regular expression ({fault}): write plain words, or mend it.") from fault


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME", help="a simulation in the storage folder")
    parser.add_argument("--news", metavar="WORDS", help="tell instead who came to know of this, when and from whom")
    parser.add_argument("--storage", type=Path, help="where simulations are kept")
    return parser
