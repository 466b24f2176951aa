"""A ledger summed up: what was spent on what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from ville.errors import BadArgument
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.tables import ANSWERED, OPEN

GROUPS: Mapping[str, str] = {
    "question": "question",
    "persona": "CASE persona WHEN '' THEN '(everybody)' ELSE persona END",
    "model": "CASE model WHEN '' THEN '(no answer)' ELSE model END",
    "outcome": "outcome",
    "hour": "hour_of(step)",
}
"""By what a ledger can be summed up."""


@dataclass(frozen=True)
class Account:
    """The calls of one kind, summed up."""

    name: str
    calls: int
    repairs: int
    """Calls that sent a bad answer back."""
    failed: int
    """Calls that brought no answer."""
    estimated: int
    """Calls whose tokens were not reported."""
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    cost: float
    """US dollars, as far as prices are known."""
    seconds: float
    """On average."""


HEADER = ("", "calls", "repairs", "failed", "estimated", "prompt", "cached", "answer", "dollars", "s/call")
"""Prompt, cached and answer are tokens."""


@dataclass(frozen=True)
class Calendar:
    """How steps become game time."""

    start: datetime
    """Of step 0."""
    seconds_per_step: int

    @classmethod
    def at(cls, now: datetime, step: int, seconds_per_step: int) -> Self:
        """Of a simulation that has come to a step at a time."""
        return cls(now - timedelta(seconds=step * seconds_per_step), seconds_per_step)

    def time(self, step: int) -> datetime:
        return self.start + timedelta(seconds=step * self.seconds_per_step)

    def hour(self, step: int) -> str:
        """As in `Feb 13, 08:00`."""
        return f"{self.time(step):%b %d, %H}:00"

    def hour_of_day(self, step: int) -> int:
        return self.time(step).hour


def accounts(ledger: Ledger, by: str, calendar: Calendar) -> list[Account]:
    """Sums by question, persona, model, outcome or hour of game time; the dearest first, hours in their order.

    Raises BadArgument.
    """
    if by not in GROUPS:
        raise BadArgument(f"A ledger cannot be summed up by '{by}': choose one of {', '.join(GROUPS)}.")
    ledger.connection.create_function("hour_of", 1, calendar.hour, deterministic=True)
    order = "min(step)" if by == "hour" else "total(cost) DESC, count(*) DESC, 1"
    query = (
        f"SELECT {GROUPS[by]}, count(*), sum(repair > 0), sum(outcome <> '{ANSWERED}'), sum(estimated), "  # noqa: S608 - our own words
        "sum(prompt_tokens), sum(cached_tokens), sum(completion_tokens), total(cost), avg(seconds) "
        f"FROM calls WHERE outcome <> '{OPEN}' GROUP BY 1 ORDER BY {order}"
    )
    return [Account(*row) for row in ledger.connection.execute(query)]


def total(parts: Sequence[Account]) -> Account:
    """All of them in one."""
    calls = sum(part.calls for part in parts)
    return Account(
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


def table(parts: Sequence[Account]) -> str:
    """As columns under a header, with the sum at the end."""
    rows = [HEADER, *(_cells(part) for part in [*parts, total(parts)])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    )


def _cells(part: Account) -> tuple[str, ...]:
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
