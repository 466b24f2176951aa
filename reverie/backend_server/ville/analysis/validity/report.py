"""The report of validity: all findings on one or more runs, from red to green."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.validity.data_files import RealData
from ville.analysis.validity.diversity import diversity
from ville.analysis.validity.finding import FILE as CHECKS
from ville.analysis.validity.finding import ORDER, Colour, ValidityFinding
from ville.analysis.validity.grounding import grounding
from ville.analysis.validity.homogenisation import homogenisation
from ville.analysis.validity.outcome_words import MeasuredOutcome, outcome_words, persona_words
from ville.analysis.validity.politeness import politeness
from ville.analysis.validity.realism import realism
from ville.analysis.validity.talk_words import said_lines
from ville.analysis.validity.trips import mobility
from ville.json_types import JsonObject
from ville.plain_text import quantity
from ville.storage.folder.branches import parting_step

WORDS: dict[Colour, str] = {
    "red": "RED: not to be relied on",
    "amber": "AMBER: with care",
    "unknown": "NOT SAID",
    "green": "GREEN: nothing against it found",
}
MARKS: dict[Colour, str] = {"red": "✖", "amber": "▲", "unknown": "?", "green": "●"}
"""Shapes that tell colours apart for those who do not see them."""

REPORTED = "report the figure with its interval."


@dataclass(frozen=True)
class ValidityReport:
    """All findings on one or more runs."""

    of: str
    """Name of the study, or of the runs."""
    runs: tuple[str, ...]
    people: int
    outcomes: tuple[str, ...]
    """Names of what is measured."""
    findings: tuple[ValidityFinding, ...]
    """Red ones first."""
    parting: int = 0
    """The step from which on runs that share a beginning are counted, the last one; 0: they share none."""
    answers: tuple[JsonObject, ...] = ()
    """Answers from which findings were made, each with its run."""

    def count(self, colour: Colour) -> int:
        """Return the number of findings of a colour."""
        return sum(each.colour == colour for each in self.findings)

    def as_json(self) -> JsonObject:
        return {
            "v": 1,
            "of": self.of,
            "runs": list(self.runs),
            "people": self.people,
            "outcomes": list(self.outcomes),
            "parting": self.parting,
            "thresholds": CHECKS.name,
            "findings": [{**each.as_json(), "shown": figure_text(each)} for each in self.findings],
            "answers": list(self.answers),
        }


def measured_findings(
    runs: Sequence[ComparedRun], outcomes: Sequence[MeasuredOutcome], real: RealData | None = None
) -> Iterator[ValidityFinding]:
    """Yield the findings that take no answers: from memories, moves, prompts and data. Raises CorruptFile.

    A beginning that runs share does not count once for each: of memories, lines and moves, those of its own part do.
    """
    parting = parting_steps(runs)
    lines = [line for run in runs for line in said_lines(run) if line.step >= parting[run.name]]
    own = [run.since(parting[run.name]) if parting[run.name] else run for run in runs]
    yield from diversity(own, lines)
    yield from homogenisation(own, lines)
    yield from politeness(lines)
    yield outcome_words(runs, outcomes)
    yield persona_words(runs, outcomes)
    yield grounding(runs, lines)
    yield from realism([mobility(run) for run in own], real)


def parting_steps(runs: Sequence[ComparedRun]) -> dict[str, int]:
    """Return by name of each run the step from which on it shares nothing with any other. Raises CorruptFile."""
    roots = [run.folder.root for run in runs]
    return {run.name: parting_step(run.folder.root, roots) for run in runs}


def sorted_findings(found: Iterable[ValidityFinding]) -> tuple[ValidityFinding, ...]:
    """Return findings from red to green; those of a colour in the order in which they were made."""
    return tuple(sorted(found, key=lambda each: ORDER.index(each.colour)))


def report_lines(report: ValidityReport, *, details: bool = True) -> Iterator[str]:
    """Yield the report in words."""
    counts = (f"{report.count(colour)} {colour if colour != 'unknown' else 'not said'}" for colour in ORDER)
    yield f"Validity of {report.of}: {', '.join(counts)}"
    runs, people = quantity(len(report.runs), "run", "runs"), quantity(report.people, "person", "people")
    yield f"{runs}, {people}. Measured: {'; '.join(report.outcomes)}"
    if report.parting:
        yield f"The runs share their beginning: each counts from where it parts, step {report.parting:,} at the latest."
    for colour in ORDER:
        found = [each for each in report.findings if each.colour == colour]
        if found:
            yield ""
            yield f"{MARKS[colour]} {WORDS[colour]}"
        for each in found:
            yield from _lines(each, details=details)


def _lines(each: ValidityFinding, *, details: bool) -> Iterator[str]:
    yield f"  {each.title}"
    if shown := figure_text(each):
        yield f"    {shown}"
    yield f"    {each.says} {each.doubt}".rstrip()
    yield f"    To do: {each.todo if each.colour != 'green' else REPORTED}"
    if details:
        yield from (f"      {line}" for line in each.details)


def figure_text(each: ValidityFinding) -> str:
    """Return a figure with its interval, units, limits and their source; empty without one."""
    if each.figure is None:
        return ""
    shown = [_number(each, value) for value in (each.figure, each.low, each.high) if value is not None]
    between = f" [{shown[1]}, {shown[2]}]" if len(shown) > 2 else ""  # noqa: PLR2004 - figure and both ends
    unit = f" {each.unit}" if each.unit not in {"", "%"} else ""
    over = f" over {each.over}" if each.over else ""
    return f"{shown[0]}{between}{unit}{over} ({each.limits}; {each.source})"


def _number(each: ValidityFinding, value: float) -> str:
    return f"{value:.1%}" if each.unit == "%" else f"{value:.3g}"
