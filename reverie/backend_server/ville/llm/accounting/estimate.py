"""What so many more steps will cost: from the ledger so far, and for hours it has not seen from the record of a day."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TypeVar

from ville.llm.accounting.accounts import Calendar
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.prices import Price
from ville.llm.accounting.tables import OPEN
from ville.llm.gateway import Usage

TYPICAL_DAY = Path(__file__).resolve().with_name("typical_day.json")
"""What a day of the Ville asks, hour by hour, for a few numbers of people. Made by benchmarks/typical_day.py."""
SECONDS_PER_CALL = 1.0
"""Before anybody has measured it."""
HOUR = 3600
Summed = TypeVar("Summed", "Hour", "Use")
ENOUGH = 20
"""Calls from which on a ledger says more than the record of somebody else's day."""


@dataclass(frozen=True)
class Hour:
    """What is asked in an hour of the record, of the fast and of the advanced model. Four characters are a token."""

    calls: float = 0
    fast_prompt: float = 0
    fast_answer: float = 0
    advanced_prompt: float = 0
    advanced_answer: float = 0
    rounds: float = 0
    """Answers one has to wait for one after the other, if nobody has to wait for a line."""
    batches: float = 0
    """Calls for vectors."""
    batch_tokens: float = 0

    @property
    def tokens(self) -> float:
        return self.fast_prompt + self.fast_answer + self.advanced_prompt + self.advanced_answer


@dataclass(frozen=True)
class Use:
    """Of a telephone."""

    calls: float = 0
    tokens: float = 0
    cost: float = 0
    """US dollars."""
    seconds: float = 0
    """In which answers are awaited."""


@dataclass(frozen=True)
class CostModel:
    """On which a telephone answers; a price that is None is not known."""

    max_concurrency: int = 8
    fast: Price | None = None
    advanced: Price | None = None
    vectors: Price | None = None
    buys_vectors: bool = False
    """Whether texts are turned into vectors by a provider."""

    def use(self, hour: Hour) -> Use:
        """Of an hour of the record."""
        calls = hour.calls + hour.batches * self.buys_vectors
        cost = (
            _cost(self.fast, hour.fast_prompt, hour.fast_answer)
            + _cost(self.advanced, hour.advanced_prompt, hour.advanced_answer)
            + _cost(self.vectors, hour.batch_tokens * self.buys_vectors)
        )
        tokens = hour.tokens + hour.batch_tokens * self.buys_vectors
        return Use(calls, tokens, cost, max(hour.rounds, calls / self.max_concurrency) * SECONDS_PER_CALL)

    @property
    def priced(self) -> bool:
        return None not in {self.fast, self.advanced} and not (self.buys_vectors and self.vectors is None)


@dataclass(frozen=True)
class Journey:
    """So many steps of so many people, from a step on."""

    people: int
    first: int
    steps: int
    calendar: Calendar


@dataclass(frozen=True)
class Estimate:
    """What a journey will use."""

    use: Use
    known_calls: int
    """Of this simulation, on which it rests; with too few it rests on the record of another day."""
    priced: bool

    def text(self, journey: Journey) -> str:
        """To be read, in two lines."""
        use = self.use
        cost = f"{use.cost:.2f} dollars" if self.priced else "a cost nobody knows (see prices.toml)"
        minutes = round(use.seconds / 60)
        basis = (
            f"the {self.known_calls:,} calls of this simulation so far"
            if self.known_calls >= ENOUGH
            else "the record of a day with other people and other minds"
        )
        return (
            f"{journey.steps:,} more steps of {journey.people} people: about {use.calls:,.0f} calls, "
            f"{use.tokens:,.0f} tokens, {cost}, {minutes:,} min of waiting for answers.\nReckoned from {basis}."
        )


def estimate(journey: Journey, cost_model: CostModel, ledger: Ledger | None) -> Estimate:
    """Hours of the day that the ledger has seen will go as they went; others as in the record, in proportion."""
    record = {hour: cost_model.use(hours) for hour, hours in enumerate(typical_day(journey.people))}
    steps, seen = _seen(ledger, journey) if ledger else (Counter[int](), {})
    known = [hour for hour in seen if steps[hour] * journey.calendar.seconds_per_step >= HOUR / 2]
    lived = _sum([seen[hour] for hour in known])
    expected = _sum([_scaled(record[hour], _hours(steps[hour], journey)) for hour in known])
    trusted = lived.calls >= ENOUGH
    total = Use()
    for hour, count in _hours_of(journey.first, journey.steps, journey.calendar).items():
        if hour in known:
            total = _sum([total, _scaled(seen[hour], count / steps[hour])])
        else:
            share = _scaled(record[hour], _hours(count, journey))
            total = _sum([total, _in_proportion(share, lived, expected) if trusted else share])
    calls = round(_sum(list(seen.values())).calls)
    priced = (ledger is not None and ledger.spend.unpriced == 0) if trusted else cost_model.priced
    return Estimate(total, calls, priced)


@cache
def _record() -> Mapping[int, Sequence[Hour]]:
    """Number of people to hours of the day."""
    days = json.loads(TYPICAL_DAY.read_text("utf-8"))
    return {day["people"]: [Hour(**hour) for hour in day["hours"]] for day in days}


def typical_day(people: int) -> list[Hour]:
    """Between two records a mixture of them, beyond them in proportion."""
    record = _record()
    above = min((count for count in record if count >= people), default=max(record))
    below = max((count for count in record if count <= people), default=min(record))
    if above == below or not below <= people <= above:
        return [_scaled(hour, people / above) for hour in record[above]]
    share = (people - below) / (above - below)
    pairs = zip(record[below], record[above], strict=True)
    return [_sum([_scaled(few, 1 - share), _scaled(many, share)]) for few, many in pairs]


def _seen(ledger: Ledger, journey: Journey) -> tuple[Counter[int], dict[int, Use]]:
    """Steps that were lived through with this ledger, and what they used, by the hour of the day."""
    sums = "step, prompt_tokens + completion_tokens, coalesce(cost, 0), began, seconds"
    calls = ledger.connection.execute(f"SELECT {sums} FROM calls WHERE outcome <> '{OPEN}' ORDER BY began")  # noqa: S608 - our own words
    uses: dict[int, list[Use]] = defaultdict(list)
    first, quiet_since = journey.first, 0.0
    for step, tokens, cost, began, seconds in calls:
        first = min(first, step)
        start = datetime.fromisoformat(began).timestamp()
        awaited = max(0.0, start + seconds - max(start, quiet_since))
        quiet_since = max(quiet_since, start + seconds)
        uses[journey.calendar.hour_of_day(step)].append(Use(1, tokens, cost, awaited))
    steps = _hours_of(first, journey.first - first, journey.calendar)
    return steps, {hour: _sum(parts) for hour, parts in uses.items()}


def _hours_of(first: int, steps: int, calendar: Calendar) -> Counter[int]:
    """How many of these steps lie in each hour of the day."""
    return Counter(calendar.hour_of_day(step) for step in range(first, first + steps))


def _hours(steps: int, journey: Journey) -> float:
    return steps * journey.calendar.seconds_per_step / HOUR


def _in_proportion(share: Use, lived: Use, expected: Use) -> Use:
    """What the record says, by as much more or less as it was wrong before."""
    return Use(
        share.calls * _ratio(lived.calls, expected.calls),
        share.tokens * _ratio(lived.tokens, expected.tokens),
        share.tokens * _ratio(lived.tokens, expected.tokens) * _ratio(lived.cost, lived.tokens),
        share.seconds * _ratio(lived.seconds, expected.seconds),
    )


def _ratio(one: float, other: float) -> float:
    return one / other if other else 0.0


def _cost(price: Price | None, prompt: float, answer: float = 0) -> float:
    usage = Usage(prompt_tokens=round(prompt), completion_tokens=round(answer))
    return price.of(usage) if price else 0.0


def _scaled(part: Summed, factor: float) -> Summed:
    return type(part)(*(getattr(part, field.name) * factor for field in fields(part)))


def _sum(parts: Sequence[Summed]) -> Summed:
    kind = type(parts[0]) if parts else Use
    return kind(*(sum(getattr(part, field.name) for part in parts) for field in fields(kind)))  # type: ignore[return-value]
