"""Measure how news spread, who knows whom and who came to the party, as in the paper: `python measure.py NAME ...`."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from ville.analysis.asked_facts import QUESTIONS, AskedFacts, questions_for
from ville.analysis.comparison.compared_run import ComparedRun, find_run
from ville.analysis.end_to_end import PaperRow, end_to_end, table_json
from ville.analysis.news import How, Knower, News
from ville.analysis.news_facts import KNOWN, WAYS, PlantedFact, planted_facts
from ville.analysis.paper_measures import MEASURES, Measure, named_fact
from ville.analysis.validity.report import report_lines
from ville.api.asking import asking_cost
from ville.api.news_functions import ask_facts, spread_of
from ville.api.validity_functions import validity
from ville.assembly.model_choice import chat_config
from ville.cli.output_file import add_json, add_replace, check_json, write_json
from ville.command_lines import typed
from ville.errors import ReverieError
from ville.llm.wire.providers import OFFLINE
from ville.plain_text import printable, shortened
from ville.settings import Settings, load_settings
from ville.storage.compressed.compressed_folder import find_compressed

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
    return row(named_fact(measure.what), [*(_cell(measure, value) for value in [*values, *means]), measure.paper])


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
    yield f"{news.run}: {len(news.knowers)} of {news.people} {named_fact(f'know of {news.fact}')}"
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


def paper_lines(name: str, rows: Sequence[PaperRow]) -> Iterator[str]:
    """Yield the end-to-end table of the paper, with the command that prints the evidence of each number."""
    yield f"{'':<50}{'start':>8}{'end':>8}   paper"
    for each in rows:
        numbers = (NOTHING if value is None else f"{value:,.{each.digits}f}" for value in (each.start, each.end))
        cells = "".join(f"{number:>8}" for number in numbers)
        paper = " → ".join(filter(None, (each.paper_start, each.paper_end)))
        command, *flags = each.command.split()
        yield f"{named_fact(each.what):<50}{cells}   {paper:<15}  {typed(command, name, *flags)}"


def asked_lines(asked: AskedFacts) -> Iterator[str]:
    """Yield who says that it knows, by fact, whether memories support it, and what that makes of the network."""
    yield f"{asked.run}: everyone was asked"
    yield f"  {'':<24}{'says yes':>10}{'supported':>11}{'hallucinated':>14}{'denied':>8}"
    groups = {
        **{named_fact(f"know of the {key}"): asked.about(key) for key in QUESTIONS},
        "know of other people": asked.of_people,
    }
    for what, answers in groups.items():
        counts = (
            sum(each.says_yes for each in answers),
            sum(each.is_known for each in answers),
            sum(each.is_hallucinated for each in answers),
            sum(each.is_denied for each in answers),
        )
        widths = (10, 11, 14, 8)
        yield f"  {what:<24}{''.join(f'{count:>{width},}' for count, width in zip(counts, widths, strict=True))}"
    for each in asked.answers:
        if each.is_hallucinated:
            yield f"  {each.who} on {each.about}, without a memory: {shortened(each.answer, LONGEST)}"
    if asked.density is not None:
        yield f"  density of the network: {asked.density:.3f}"


def _note(line: str) -> None:
    print(printable(line), file=sys.stderr, flush=True)


def _asked(settings: Settings, run: ComparedRun, choice: argparse.Namespace) -> AskedFacts:
    """Return what everyone answers; by the rules, unless a model is agreed to. Raises a ReverieError."""
    given: dict[str, object] = {**_folders(choice), **({} if choice.yes else {"provider": OFFLINE})}
    if not choice.yes and chat_config(settings) is not None:
        cost = asking_cost(settings, len(questions_for(run.meta.persona_names)))
        print(f"By the rules. With your model: {cost} To agree: --yes", file=sys.stderr)
    return ask_facts(run.name, say=_note, **given)


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        check_json(choice)
        settings = load_settings(_folders(choice))
        runs = [_run(settings, name, choice.store) for name in choice.names]
        lines, found = _measured(settings, runs, choice)
        is_printed = write_json(choice, found)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    if not is_printed:
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
    if choice.validity:
        report = validity(*choice.names, arm="", data="", purpose="", say=_note, model=choice.yes, **_folders(choice))
        return list(report_lines(report)), dict(report.as_json())
    if choice.paper:
        tables = {run.name: end_to_end(run) for run in runs}
        lines = [each for name, rows in tables.items() for each in paper_lines(name, rows)]
        return lines, {name: table_json(rows) for name, rows in tables.items()}
    if choice.ask:
        asked = [_asked(settings, run, choice) for run in runs]
        return [each for found in asked for each in asked_lines(found)], {found.run: found.as_json() for found in asked}
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
    parser.add_argument("--paper", action="store_true", help="print the paper's end-to-end table, with its evidence")
    parser.add_argument(
        "--ask", action="store_true",
        help="ask everyone of both facts and of everyone else, as the paper did, and check the answers against "
        "memories; nothing changes",
    )  # fmt: skip
    parser.add_argument(
        "--validity", action="store_true", help="say how far the runs can be trusted as evidence; as study.py validity"
    )
    parser.add_argument(
        "--yes", action="store_true", help="with --ask or --validity: let your model answer, which may cost money"
    )
    parser.add_argument("--facts", action="store_true", help="list what interventions brought, for --news")
    add_json(parser)
    add_replace(parser)
    parser.add_argument(
        "--store", choices=STORES, default=STORES[0], help="which of two simulations of a name comes first"
    )
    parser.add_argument("--storage", type=Path, help="folder of the simulations (default: from the settings)")
    parser.add_argument("--compressed", type=Path, help="folder of the replays (default: from the settings)")
    return parser
