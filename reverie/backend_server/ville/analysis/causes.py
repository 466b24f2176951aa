"""Causes of the calls of a run: the question, the persona, and its activity."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.function_costs import aligned, percent
from ville.analysis.task_spans import shown
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.ledger_schema import OPEN, SHARED
from ville.storage.steps.frames import FrameRecord

QUERY = (
    "SELECT step, persona, question, prompt_tokens + completion_tokens, coalesce(cost, 0) FROM calls "
    "WHERE outcome NOT IN (?, ?) ORDER BY step"
)
EVERYONE = "(everyone)"
"""Stands for a persona in the calls that serve all of them."""
HEADER = ("question", "who", "while", "calls", "tokens", "dollars", "% of tokens")


@dataclass(frozen=True)
class Cause:
    """Why calls were made."""

    question: str
    """Name of its template, for example `plan/subtasks`, or `embedding`."""
    who: str
    doing: str
    """The activity of that persona in the step of the call, or with whom it talked; empty if it is not recorded."""


@dataclass
class CauseCost:
    """Sums over the calls of one cause."""

    cause: Cause
    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0


def causes(run: ComparedRun, ledger: Ledger) -> list[CauseCost]:
    """Return what each cause cost, the most expensive first."""
    found: dict[Cause, CauseCost] = {}
    for step, rows in groupby(ledger.connection.execute(QUERY, (OPEN, SHARED)), key=lambda row: row[0]):
        frame = run.frame(step)
        for _, persona, question, tokens, dollars in rows:
            cause = Cause(question, persona or EVERYONE, _doing(frame.get(persona), persona))
            cost = found.setdefault(cause, CauseCost(cause))
            cost.calls += 1
            cost.tokens += tokens
            cost.dollars += dollars
    return sorted(found.values(), key=lambda cost: (-cost.dollars, -cost.tokens, -cost.calls, str(cost.cause)))


def _doing(record: FrameRecord | None, name: str) -> str:
    if record is None:
        return ""
    doing = shown(name, record)
    return f"talking with {doing.partner}" if doing.partner else doing.activity


def cause_lines(found: list[CauseCost], most: int) -> Iterator[str]:
    """Yield a table of the most expensive causes, with a line for the others and one for all."""
    whole = sum(cost.tokens for cost in found)
    others = found[most:]
    rows = [(*_words(cost.cause), cost.calls, cost.tokens, cost.dollars) for cost in found[:most]]
    sums = [(f"({len(others):,} more)", others)] if others else []
    for name, part in [*sums, ("all", found)]:
        counts = sum(each.calls for each in part), sum(each.tokens for each in part), sum(each.dollars for each in part)
        rows.append((name, "", "", *counts))
    yield from aligned([HEADER, *(_cells(row, whole) for row in rows)], left=3)


def _words(cause: Cause) -> tuple[str, str, str]:
    return cause.question, cause.who, cause.doing


def _cells(row: tuple[str, str, str, int, int, float], whole: int) -> tuple[str, ...]:
    question, who, doing, calls, tokens, dollars = row
    return question, who, doing, f"{calls:,}", f"{tokens:,}", f"{dollars:.4f}", percent(tokens, whole)
