"""Calls, tokens and cost of each function of the minds, beside those of another run."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.summaries import Calendar, CallSummary, fallbacks, summarize

HEADER = (
    "", "calls", "prompt", "cached", "answer", "seconds", "corrections", "fallbacks", "errors", "dollars",
)  # fmt: skip
"""Columns of a table; prompt, cached and answer are tokens."""
SHARES = ("calls %", "tokens %")
"""More columns, if there is another run: this one in percent of it."""


@dataclass(frozen=True)
class FunctionCost:
    """Sums over the calls of one function: a question, or embedding."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Those prompt tokens that the provider had cached."""
    answer_tokens: int = 0
    seconds: float = 0.0
    """Time spent waiting for answers, added up over calls at the same time."""
    corrections: int = 0
    """Calls that sent back an unusable answer."""
    fallbacks: int = 0
    """Questions without a usable answer."""
    errors: int = 0
    """Calls without an answer."""
    dollars: float = 0.0
    """Without the calls whose price is unknown."""

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.answer_tokens

    @classmethod
    def of(cls, summary: CallSummary, fallbacks: int) -> "FunctionCost":
        """Return the sums of a group of calls, with the number of questions of this name that had a fallback."""
        return cls(
            calls=summary.calls,
            prompt_tokens=summary.prompt_tokens,
            cached_tokens=summary.cached_tokens,
            answer_tokens=summary.completion_tokens,
            seconds=summary.calls * summary.seconds,
            corrections=summary.repairs,
            fallbacks=fallbacks,
            errors=summary.failed,
            dollars=summary.cost,
        )


def function_costs(ledger: Ledger, calendar: Calendar) -> dict[str, FunctionCost]:
    """Return what each function cost over the whole life of a simulation, the most expensive first."""
    without_answer = fallbacks(ledger)
    costs = [
        (part.name, FunctionCost.of(part, without_answer[part.name]))
        for part in summarize(ledger, "question", calendar)
    ]
    return dict(sorted(costs, key=lambda cost: (-cost[1].dollars, -cost[1].tokens, cost[0])))


def total(costs: Iterable[FunctionCost]) -> FunctionCost:
    """Add up costs."""
    each = list(costs)
    return FunctionCost(*(sum(getattr(cost, field.name) for cost in each) for field in fields(FunctionCost)))


def cost_lines(costs: Mapping[str, FunctionCost], against: Mapping[str, FunctionCost] | None = None) -> Iterator[str]:
    """Yield the lines of a table with the total in the last one; `against` adds what this is in percent of another run.

    Functions of the other run only are rows without calls.
    """
    names = list(dict.fromkeys([*costs, *(against or {})]))
    rows: list[Sequence[str]] = [(*HEADER, *(SHARES if against is not None else ()))]
    for name in names:
        other = None if against is None else against.get(name, FunctionCost())
        rows.append(_cells(name, costs.get(name, FunctionCost()), other))
    rows.append(_cells("all", total(costs.values()), None if against is None else total(against.values())))
    yield from aligned(rows)


def aligned(rows: Sequence[Sequence[str]], *, left: int = 1) -> Iterator[str]:
    """Yield rows as lines in columns; the first `left` columns begin, the others end at the same place."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:left], widths[:left], strict=True)]
        cells += [cell.rjust(width) for cell, width in zip(row[left:], widths[left:], strict=True)]
        yield "  ".join(cells).rstrip()


def _cells(name: str, cost: FunctionCost, other: FunctionCost | None) -> tuple[str, ...]:
    counts = (cost.calls, cost.prompt_tokens, cost.cached_tokens, cost.answer_tokens)
    faults = (cost.corrections, cost.fallbacks, cost.errors)
    shares = () if other is None else (percent(cost.calls, other.calls), percent(cost.tokens, other.tokens))
    numbers = (*(f"{number:,}" for number in counts), f"{cost.seconds:,.1f}", *(f"{number:,}" for number in faults))
    return (name, *numbers, f"{cost.dollars:.4f}", *shares)


def percent(part: float, whole: float) -> str:
    """Return a share with one digit; a dash if there is nothing to compare with."""
    return f"{100 * part / whole:.1f}" if whole else "–"
