"""Estimate what more steps will cost: from the ledger so far, and from a recorded typical day for other hours."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TypeVar

from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.ledger_schema import OPEN, SHARED
from ville.llm.accounting.prices import Price
from ville.llm.accounting.question_tokens import question_tokens
from ville.llm.accounting.summaries import Calendar
from ville.llm.gateway import Usage

TYPICAL_DAY = Path(__file__).resolve().with_name("typical_day.json")
"""Questions asked in each hour of a day in the Ville, for several numbers of personas (benchmarks/typical_day.py)."""
SECONDS_PER_CALL = 1.0
"""Assumed before any call was measured."""
HOUR = 3600
Summed = TypeVar("Summed", "TypicalHour", "Totals")
ENOUGH = 20
"""Number of calls from which on the ledger is a better basis than the typical day."""


@dataclass(frozen=True)
class TypicalHour:
    """Calls and tokens of one hour of the typical day, by model tier."""

    calls: float = 0
    fast_prompt: float = 0
    fast_answer: float = 0
    advanced_prompt: float = 0
    advanced_answer: float = 0
    rounds: float = 0
    """Number of answers that are awaited one after the other with unlimited concurrency."""
    batches: float = 0
    """Calls for embeddings."""
    batch_tokens: float = 0

    @property
    def tokens(self) -> float:
        return self.fast_prompt + self.fast_answer + self.advanced_prompt + self.advanced_answer


@dataclass(frozen=True)
class Totals:
    """Estimated or actual usage of many calls."""

    calls: float = 0
    tokens: float = 0
    cost: float = 0
    """US dollars."""
    seconds: float = 0
    """Time spent waiting for answers."""


@dataclass(frozen=True)
class CostModel:
    """Prices and concurrency of a simulation. A price is None if unknown."""

    max_concurrency: int = 8
    fast: Price | None = None
    advanced: Price | None = None
    vectors: Price | None = None
    buys_vectors: bool = False
    """Whether a provider makes the embeddings."""

    def totals(self, hour: TypicalHour) -> Totals:
        """Return the usage of a typical hour."""
        calls = hour.calls + hour.batches * self.buys_vectors
        cost = (
            _cost(self.fast, hour.fast_prompt, hour.fast_answer)
            + _cost(self.advanced, hour.advanced_prompt, hour.advanced_answer)
            + _cost(self.vectors, hour.batch_tokens * self.buys_vectors)
        )
        tokens = hour.tokens + hour.batch_tokens * self.buys_vectors
        return Totals(calls, tokens, cost, max(hour.rounds, calls / self.max_concurrency) * SECONDS_PER_CALL)

    @property
    def priced(self) -> bool:
        """Whether all prices are known."""
        return None not in {self.fast, self.advanced} and not (self.buys_vectors and self.vectors is None)

    @property
    def is_free(self) -> bool:
        """Whether all prices are known, and zero."""
        prices = [self.fast, self.advanced, *([self.vectors] if self.buys_vectors else [])]
        return all(price is not None and not (price.input or price.output) for price in prices)


@dataclass(frozen=True)
class PlannedRun:
    """A number of steps to estimate."""

    people: int
    first: int
    """First step."""
    steps: int
    calendar: Calendar


@dataclass(frozen=True)
class Estimate:
    """Expected usage of a planned run."""

    totals: Totals
    known_calls: int
    """Calls of this simulation so far. Below ENOUGH, the estimate is based on the typical day."""
    priced: bool

    def text(self, planned: PlannedRun) -> str:
        """Return two lines for the user."""
        totals = self.totals
        cost = f"{totals.cost:.2f} dollars" if self.priced else "unknown cost (add prices to prices.toml)"
        minutes = round(totals.seconds / 60)
        basis = (
            f"the {self.known_calls:,} calls of this simulation so far"
            if self.known_calls >= ENOUGH
            else "a typical day with the offline rules"
        )
        return (
            f"{planned.steps:,} more steps of {planned.people} people: about {totals.calls:,.0f} calls, "
            f"{totals.tokens:,.0f} tokens, {cost}, {minutes:,} min of waiting for answers.\nBased on {basis}."
        )


def estimate(planned: PlannedRun, cost_model: CostModel, ledger: Ledger | None) -> Estimate:
    """Estimate a run: hours of the day that the ledger covers as they were, others scaled from the typical day."""
    typical = {hour: cost_model.totals(calls) for hour, calls in enumerate(typical_day(planned.people))}
    steps, seen = _usage_by_hour(ledger, planned) if ledger else (Counter[int](), {})
    known = [hour for hour in seen if steps[hour] * planned.calendar.seconds_per_step >= HOUR / 2]
    actual = _sum([seen[hour] for hour in known])
    expected = _sum([_scaled(typical[hour], _hours(steps[hour], planned)) for hour in known])
    trusted = actual.calls >= ENOUGH
    total = Totals()
    for hour, count in _steps_by_hour(planned.first, planned.steps, planned.calendar).items():
        if hour in known:
            total = _sum([total, _scaled(seen[hour], count / steps[hour])])
        else:
            share = _scaled(typical[hour], _hours(count, planned))
            total = _sum([total, corrected(share, actual, expected) if trusted else share])
    calls = round(_sum(list(seen.values())).calls)
    priced = (ledger is not None and ledger.spend.unpriced == 0) if trusted else cost_model.priced
    return Estimate(total, calls, priced)


@cache
def _typical_days() -> Mapping[int, Sequence[TypicalHour]]:
    """Return number of personas to hours of the day."""
    days = json.loads(TYPICAL_DAY.read_text("utf-8"))
    return {day["people"]: [_typical_hour(**hour) for hour in day["hours"]] for day in days}


def _typical_hour(questions: Mapping[str, int], **rest: float) -> TypicalHour:
    """Return an hour with so many calls of each question."""
    sums = Counter[str]()
    for question, calls in questions.items():
        means = question_tokens()[question]
        sums[f"{means.tier}_prompt"] += round(calls * means.prompt)
        sums[f"{means.tier}_answer"] += round(calls * means.answer)
    return TypicalHour(calls=sum(questions.values()), **sums, **rest)


def typical_day(people: int) -> list[TypicalHour]:
    """Return the hours of a day, interpolated between recorded numbers of personas, or scaled beyond them."""
    days = _typical_days()
    above = min((count for count in days if count >= people), default=max(days))
    below = max((count for count in days if count <= people), default=min(days))
    if above == below or not below <= people <= above:
        return [_scaled(hour, people / above) for hour in days[above]]
    share = (people - below) / (above - below)
    pairs = zip(days[below], days[above], strict=True)
    return [_sum([_scaled(few, 1 - share), _scaled(many, share)]) for few, many in pairs]


def _usage_by_hour(ledger: Ledger, planned: PlannedRun) -> tuple[Counter[int], dict[int, Totals]]:
    """Return the number of steps covered by the ledger and their usage, by hour of the day."""
    columns = "step, prompt_tokens + completion_tokens, coalesce(cost, 0), began, seconds"
    query = f"SELECT {columns} FROM calls WHERE outcome NOT IN ('{OPEN}', '{SHARED}') ORDER BY began"  # noqa: S608 - names from this file
    usage: dict[int, list[Totals]] = defaultdict(list)
    first, idle_since = planned.first, 0.0
    for step, tokens, cost, began, seconds in ledger.connection.execute(query):
        first = min(first, step)
        start = datetime.fromisoformat(began).timestamp()
        waited = max(0.0, start + seconds - max(start, idle_since))
        idle_since = max(idle_since, start + seconds)
        usage[planned.calendar.hour_of_day(step)].append(Totals(1, tokens, cost, waited))
    steps = _steps_by_hour(first, planned.first - first, planned.calendar)
    return steps, {hour: _sum(parts) for hour, parts in usage.items()}


def _steps_by_hour(first: int, steps: int, calendar: Calendar) -> Counter[int]:
    """Count steps by hour of the day."""
    return Counter(calendar.hour_of_day(step) for step in range(first, first + steps))


def _hours(steps: int, planned: PlannedRun) -> float:
    return steps * planned.calendar.seconds_per_step / HOUR


def corrected(share: Totals, actual: Totals, expected: Totals) -> Totals:
    """Return an estimate from the typical day, scaled by how wrong the typical day was where usage is known."""
    return Totals(
        share.calls * _ratio(actual.calls, expected.calls),
        share.tokens * _ratio(actual.tokens, expected.tokens),
        share.tokens * _ratio(actual.tokens, expected.tokens) * _ratio(actual.cost, actual.tokens),
        share.seconds * _ratio(actual.seconds, expected.seconds),
    )


def _ratio(one: float, other: float) -> float:
    return one / other if other else 0.0


def _cost(price: Price | None, prompt: float, answer: float = 0) -> float:
    usage = Usage(prompt_tokens=round(prompt), completion_tokens=round(answer))
    return price.of(usage) if price else 0.0


def _scaled(part: Summed, factor: float) -> Summed:
    return type(part)(*(getattr(part, field.name) * factor for field in fields(part)))


def _sum(parts: Sequence[Summed]) -> Summed:
    kind = type(parts[0]) if parts else Totals
    return kind(*(sum(getattr(part, field.name) for part in parts) for field in fields(kind)))  # type: ignore[return-value]
