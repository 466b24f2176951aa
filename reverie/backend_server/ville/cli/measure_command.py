"""Measure how news spread, who knows whom and who came to the party, as in the paper: `python measure.py NAME ...`."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from ville.analysis.comparison.compared_run import ComparedRun, find_run
from ville.analysis.news import How, Knower, News
from ville.analysis.news_facts import KNOWN, WAYS, PlantedFact, planted_facts
from ville.analysis.paper_measures import MEASURES, Measure
from ville.api.news_functions import spread_of
from ville.errors import ReverieError
from ville.plain_text import printable, shortened
from ville.settings import Settings, load_settings
from ville.storage.compressed.compressed_folder import find_compressed
from ville.storage.files import write_text

WIDTH = 10
NOTHING = "–"
LONGEST = 110
"""Characters of a sentence that is printed; `--json` has all."""
STORES = ("saved", "compressed")
HOW: dict[How, str] = {
    "own": "own news",
    "whisper": "from a whisper",
    "memory_add": "from a planted memory",
    "history": "from its history",
    "sight": "saw it",
    "told": "from {teller}",
    "concluded": "concluded it{talk}",
    "claimed": "only claims to know",
}


def line(measure: Measure, runs: Sequence[ComparedRun]) -> str:
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


def table(runs: Sequence[ComparedRun]) -> Iterator[str]:
    """Yield the lines of a table: one column for each simulation, their mean, and the paper."""
    names = [run.name for run in runs] + (["mean"] if len(runs) > 1 else [])
    yield row("", [*(name if len(name) <= WIDTH else f"{name[: WIDTH - 1]}…" for name in names), "paper"])
    yield from (line(measure, runs) for measure in MEASURES)


def news_lines(news: News) -> Iterator[str]:
    """Yield who knows of a fact, since when and how, in which words; then who told it again, and who only claims it."""
    yield f"{news.run}: {len(news.knowers)} of {news.people} know of {news.fact}"
    for knower in news.knowers:
        yield f"  {knower.time}  {knower.who}, {_how(knower)}"
        yield f"    {shortened(knower.words, LONGEST)} ({knower.memory})"
        if knower.thought:
            yield f"    → {shortened(knower.thought, LONGEST)} ({knower.became})"
    again = [told for told in news.tellings if not told.is_first]
    if again:
        yield "Told again"
        yield from (f"  {told.time}  {told.who}, from {told.teller}" for told in again)
    replies = [(told.reply, told.who) for told in news.tellings if told.reply]
    for kind in ("accepted", "denied"):
        if names := list(dict.fromkeys(who for reply, who in replies if reply == kind)):
            yield f"{kind.capitalize()}: {', '.join(names)}"
    yield f"Claimed before a memory supported it: {', '.join(each.who for each in news.claims) or 'no one'}"


def _how(knower: Knower) -> str:
    talk = f", after a talk with {knower.teller}" if knower.teller else ""
    return HOW[knower.how].format(teller=knower.teller, talk=talk)


def fact_lines(facts: Sequence[PlantedFact]) -> Iterator[str]:
    """Yield what `--news` can be besides words."""
    yield from KNOWN
    for fact in facts:
        yield f"{fact.key}  {fact.kind}{f' to {fact.who}' if fact.who else ''}: {shortened(fact.words, LONGEST)}"


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        settings = load_settings(_folders(choice))
        runs = [_run(settings, name, choice.store) for name in choice.names]
        lines, found = _measured(settings, runs, choice)
        if choice.json:
            write_text(choice.json, json.dumps(found))
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    print(*map(printable, lines), sep="\n")
    return 0


def _measured(
    settings: Settings, runs: Sequence[ComparedRun], choice: argparse.Namespace
) -> tuple[list[str], dict[str, object]]:
    """Return the lines to print, and the content of the JSON file, by simulation. Raises a ReverieError."""
    if choice.facts:
        planted = {run.name: planted_facts(run.rows) for run in runs}
        lines = [each for facts in planted.values() for each in fact_lines(facts)]
        return lines, {name: [fact._asdict() for fact in facts] for name, facts in planted.items()}
    if choice.news:
        news = [spread_of(settings, run, choice.news, by=choice.by) for run in runs]
        return [each for found in news for each in news_lines(found)], {found.run: found.as_json() for found in news}
    measured = {run.name: {measure.what.strip(): measure.of(run) for measure in MEASURES} for run in runs}
    return list(table(runs)), dict(measured)


def _run(settings: Settings, name: str, store: str) -> ComparedRun:
    """Return a simulation, a saved one before a compressed one. Raises SimulationNotFound and CorruptFile."""
    if store == "compressed":
        return ComparedRun(find_compressed(settings.replays, name))
    return find_run(settings.fs_storage, settings.replays, name)


def _folders(choice: argparse.Namespace) -> dict[str, object]:
    folders = {"fs_storage": choice.storage, "fs_compressed_storage": choice.compressed}
    return {name: path for name, path in folders.items() if path}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME", help="a saved or compressed simulation, or NAME@MOMENT")
    parser.add_argument(
        "--news", metavar="FACT",
        help="list who knows of this, since when and from whom, in which words: party, candidacy, what an intervention "
        "brought (#3), or a regular expression",
    )  # fmt: skip
    parser.add_argument(
        "--by", choices=WAYS, default="pattern", help="take --news for words that say what it is about, or a meaning"
    )
    parser.add_argument("--facts", action="store_true", help="list what interventions brought, for --news")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all of it to a file, too")
    parser.add_argument(
        "--store", choices=STORES, default=STORES[0], help="which of two simulations of a name comes first"
    )
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    parser.add_argument("--compressed", type=Path, help="folder of the replays (default: from the settings)")
    return parser
