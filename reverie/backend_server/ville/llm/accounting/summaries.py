"""Summarize a ledger: calls, tokens and cost by question, persona, model, outcome or hour."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self

from ville.errors import BadArgument
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.ledger_schema import ANSWERED, OPEN, SHARED

GROUPS: Mapping[str, str] = {
    "question": "question",
    "persona": "CASE persona WHEN '' THEN '(everyone)' ELSE persona END",
    "model": "CASE model WHEN '' THEN '(no answer)' ELSE model END",
    "outcome": "outcome",
    "hour": "hour_of(step)",
}
"""Columns that a ledger can be grouped by, and the SQL expression of each."""


INTERVIEWED = "(interviews)"
"""Name of the group of all interviews."""


@dataclass(frozen=True)
class CallSummary:
    """Sums over the calls of one group."""

    name: str
    calls: int
    repairs: int
    """Calls that sent back a bad answer."""
    failed: int
    """Calls without an answer."""
    estimated: int
    """Calls whose tokens were not reported."""
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    cost: float
    """US dollars, without the calls whose price is unknown."""
    seconds: float
    """Average duration."""


HEADER = ("", "calls", "repairs", "failed", "estimated", "prompt", "cached", "answer", "dollars", "s/call")
"""Columns of a table; prompt, cached and answer are tokens."""


@dataclass(frozen=True)
class Calendar:
    """Converts steps to game time."""

    start: datetime
    """Game time of step 0."""
    seconds_per_step: int

    @classmethod
    def at(cls, now: datetime, step: int, seconds_per_step: int) -> Self:
        """Return the calendar of a simulation that is at a step at a game time."""
        return cls(now - timedelta(seconds=step * seconds_per_step), seconds_per_step)

    def time(self, step: int) -> datetime:
        return self.start + timedelta(seconds=step * self.seconds_per_step)

    def hour(self, step: int) -> str:
        """Return the hour of a step, for example `Feb 13, 08:00`."""
        return f"{self.time(step):%b %d, %H}:00"

    def hour_of_day(self, step: int) -> int:
        return self.time(step).hour


def summarize(ledger: Ledger, by: str, calendar: Calendar) -> list[CallSummary]:
    """Group calls by one of GROUPS; the most expensive group first, hours in order of time. Raises BadArgument."""
    if by not in GROUPS:
        raise BadArgument(f"Unknown group '{by}'. Choose one of {', '.join(GROUPS)}.")
    ledger.connection.create_function("hour_of", 1, calendar.hour, deterministic=True)
    order = "min(step)" if by == "hour" else "total(cost) DESC, count(*) DESC, 1"
    query = (
        f"SELECT {GROUPS[by]}, count(*), sum(repair > 0), sum(outcome <> '{ANSWERED}'), sum(estimated), "  # noqa: S608 - names from this file
        "sum(prompt_tokens), sum(cached_tokens), sum(completion_tokens), total(cost), avg(seconds) "
        f"FROM calls WHERE outcome NOT IN ('{OPEN}', '{SHARED}') GROUP BY 1 ORDER BY {order}"
    )
    return [CallSummary(*row) for row in ledger.connection.execute(query)]


def fallbacks(ledger: Ledger) -> Counter[str]:
    """Return how many questions of each name had no usable answer."""
    return Counter(question for (question,) in ledger.connection.execute("SELECT question FROM fallbacks"))


def summarize_all(run: Ledger, interviews: Ledger | None, by: str, *, calendar: Calendar) -> list[CallSummary]:
    """Group the calls of a run as `summarize` does, with one more group for all interviews, if there were any."""
    asked = summarize(interviews, "question", calendar) if interviews else []
    return [*summarize(run, by, calendar), *([replace(total(asked), name=INTERVIEWED)] if asked else [])]


def total(parts: Sequence[CallSummary]) -> CallSummary:
    """Add up all groups."""
    calls = sum(part.calls for part in parts)
    return CallSummary(
        name="all",
        calls=calls,
        repairs=sum(part.repairs for part in parts),
        failed=sum(part.failed for part in parts),
        estimated=sum(part.estimated for part in parts),
        prompt_tokens=sum(part.prompt_tokens for part in parts),
        cached_tokens=sum(part.cached_tokens for part in parts),
        completion_tokens=sum(part.completion_tokens for part in parts),
        cost=sum(part.cost for part in parts),
        seconds=sum(part.calls * part.seconds for part in parts) / max(1, calls),
    )


def format_table(parts: Sequence[CallSummary]) -> str:
    """Return a table with a header and the total in the last line."""
    rows = [HEADER, *(_cells(part) for part in [*parts, total(parts)])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    )


def _cells(part: CallSummary) -> tuple[str, ...]:
    numbers = (
        part.calls, part.repairs, part.failed, part.estimated,
        part.prompt_tokens, part.cached_tokens, part.completion_tokens,
    )  # fmt: skip
    return (
        part.name,
        *(f"{number:,}" for number in numbers),
        f"{part.cost:.4f}",
        f"{part.seconds:.2f}",
    )
