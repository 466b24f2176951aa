"""Verdicts on a claimed cause: what became of the act without it, and with it alone."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal

from ville.analysis.why.cause import Act, ActCause
from ville.json_types import Json

Became = Literal["stays", "vanishes", "comes earlier", "comes later", "changes"]
"""Fate of an act in another run: the same words in the same step; not at all up to a little later; the same
words earlier or later; or others in its place that say much of the same.
"""
Decision = Literal["confirmed", "not confirmed", "not decidable"]
ALWAYS: Mapping[Became, str] = {
    "stays": "it stays",
    "vanishes": "it vanishes",
    "comes earlier": "it comes earlier",
    "comes later": "it comes later",
    "changes": "it changes",
}


@dataclass(frozen=True)
class Rate:
    """How often an act came in repeated runs, with the Wilson interval of its share."""

    came: int
    runs: int

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the share (Wilson 1927)."""
        if not self.runs:
            return 0.0, 1.0
        from scipy.stats import binomtest  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a second

        found = binomtest(self.came, self.runs).proportion_ci(method="wilson")
        return float(found.low), float(found.high)

    def text(self) -> str:
        low, high = self.interval
        return f"{self.came} of {self.runs} [{low:.0%}, {high:.0%}]"


@dataclass(frozen=True)
class Verdict:
    """Result of a test, beside the claim."""

    act: Act
    cause: str
    """Key of the cause."""
    decision: Decision
    why: str
    """In one line."""
    without: Became | None = None
    """Fate of the act without the cause; None if that could not be found."""
    instead: str = ""
    """Words in its place."""
    alone: Became | None = None
    """Fate of it with this cause alone, without the other named ones; None if that is not known."""
    rates: tuple[Rate, Rate] | None = None
    """With a model: how often the act came with the cause, and without it."""

    def as_json(self) -> dict[str, Json]:
        return asdict(self)


def by_outcome(
    act: Act, cause: ActCause, without: Became, *, instead: str = "", alone: Became | None = None
) -> Verdict:
    """Return the verdict of exact runs: a cause is confirmed unless the act stays without it."""
    decision: Decision = "not confirmed" if without == "stays" else "confirmed"
    why = f"without it, {ALWAYS[without]}"
    if instead:
        why += f": {instead}"
    if alone:
        enough = "it alone is enough" if alone == "stays" else "it alone is not enough"
        why += f"; {enough}"
    return Verdict(act, cause.key, decision, why, without, instead, alone)


def unasked(act: Act, cause: ActCause, without: Became, *, instead: str = "") -> Verdict:
    """Return the verdict where nothing is asked without the cause, so that chance has no part in what becomes of the
    act: a cause is confirmed unless the act comes in its step, in its words or in half of them.
    """
    decision: Decision = "not confirmed" if without in {"stays", "changes"} else "confirmed"
    why = f"without it, nothing is asked, and {ALWAYS[without]}" + (f": {instead}" if instead else "")
    return Verdict(act, cause.key, decision, why, without, instead)


def by_rates(act: Act, cause: ActCause, with_it: Rate, without: Rate, *, instead: str = "") -> Verdict:
    """Return the verdict of repeated runs: decided only if the intervals of both sides are apart, or without the cause
    the act comes at least as often. `instead`: words that came once without it.
    """
    told = f"with it {with_it.text()}, without it {without.text()}"
    if without.interval[1] < with_it.interval[0]:
        decision: Decision = "confirmed"
    elif with_it.came and without.came * with_it.runs >= with_it.came * without.runs:
        decision = "not confirmed"
    else:
        decision, told = "not decidable", f"{told}: the intervals overlap"
    return Verdict(act, cause.key, decision, told, instead=instead, rates=(with_it, without))


def undecidable(act: Act, cause: ActCause, reason: str) -> Verdict:
    return Verdict(act, cause.key, "not decidable", reason)
