"""Findings of checks: a figure with its interval, a colour with its words, and what to do."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

import yaml

from ville.analysis.run_statistics import IntervalEstimate, estimated_mean
from ville.json_types import JsonObject

FILE = Path(__file__).with_name("checks.yaml")
FEWEST_RUNS = 3
"""Runs from which on the unit is the run; with fewer, it is the person."""
Colour = Literal["red", "amber", "unknown", "green"]
ORDER: Sequence[Colour] = ("red", "amber", "unknown", "green")
"""In the order of a report."""
TOO_LITTLE, MORE = "Too little to say.", "Take more seeds or longer runs."
OneValue = tuple[str, str, float]
"""Run, person, and what was measured."""


@dataclass(frozen=True)
class ValidityFinding:
    """The result of one check."""

    key: str
    """Its key in checks.yaml."""
    title: str
    colour: Colour
    """`unknown`: it could not be said."""
    figure: float | None
    low: float | None
    high: float | None
    """95% interval; None where there is none."""
    unit: str
    """`%`, `hours`, or empty."""
    over: str
    """Units of the interval, as `25 people`."""
    limits: str
    """From where on it is green, and where red."""
    source: str
    """Origin of these limits."""
    says: str
    """Meaning of the figure."""
    todo: str
    doubt: str = ""
    """Why the colour is not certain; empty: the whole interval has it, or all there is was counted."""
    details: tuple[str, ...] = ()
    """Parts of the figure, and examples with run, person and memory."""

    @property
    def is_certain(self) -> bool:
        return not self.doubt

    def as_json(self) -> JsonObject:
        return {**asdict(self), "is_certain": self.is_certain}


@cache
def checks() -> Mapping[str, Mapping[str, Any]]:
    """Return thresholds and texts of all checks, by key."""
    table: Mapping[str, Mapping[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
    return table


def finding(key: str, estimate: IntervalEstimate, over: str, details: Iterable[str] = ()) -> ValidityFinding:
    """Return a finding with the colour that its whole interval has by checks.yaml, and the words of its mean.

    An interval that reaches into another colour is amber, with this doubt. From red to green, nothing can be said.
    """
    check = checks()[key]
    colour, doubt = _colour_of(check, estimate)
    if not doubt and estimate.low is None and over and (estimate.all_same or estimate.count == 1):
        doubt = f"All {over} show the same: no interval." if estimate.all_same else "A single value has no interval."
    return ValidityFinding(
        key=key,
        title=check["title"],
        colour=colour,
        figure=estimate.mean,
        low=estimate.low,
        high=estimate.high,
        unit=check.get("unit", ""),
        over=over,
        limits=_limits(check),
        source=check["source"],
        says=TOO_LITTLE if colour == "unknown" else check["means"][_colour(check, estimate.mean)],
        todo=MORE if colour == "unknown" else check["do"],
        doubt=doubt,
        details=tuple(details),
    )


def not_said(key: str, why: str, todo: str = "", details: Iterable[str] = ()) -> ValidityFinding:
    """Return a finding of a check that could not be made."""
    check = checks()[key]
    return ValidityFinding(
        key=key,
        title=check["title"],
        colour="unknown",
        figure=None,
        low=None,
        high=None,
        unit=check.get("unit", ""),
        over="",
        limits=_limits(check),
        source=check["source"],
        says=why,
        todo=todo or check["do"],
        details=tuple(details),
    )


def estimated(values: Sequence[OneValue]) -> tuple[IntervalEstimate, str]:
    """Return the mean of at least one value with its interval, and its units: runs from three on, otherwise people.

    A person of several runs counts once, with the mean of its values.
    """
    runs = {run for run, _, _ in values}
    by_unit: defaultdict[str, list[float]] = defaultdict(list)
    for run, who, value in values:
        by_unit[run if len(runs) >= FEWEST_RUNS else who].append(value)
    what = "runs" if len(runs) >= FEWEST_RUNS else "people"
    return estimated_mean([fmean(each) for each in by_unit.values()]), f"{len(by_unit):,} {what}"


def estimated_share(marks: Mapping[tuple[str, str], Sequence[bool]], what: str) -> tuple[IntervalEstimate, str]:
    """Return the mean share of at least one run and person, with its interval and units.

    Where all have the same share, these do not tell how much shares vary: all marks, which are called `what`, do then.
    """
    found, over = estimated([(run, who, sum(each) / len(each)) for (run, who), each in marks.items()])
    if found.low is not None:
        return within(found), over
    every = [mark for each in marks.values() for mark in each]
    return share_of(sum(every), len(every)), f"{len(every):,} {what}"


def within(estimate: IntervalEstimate, least: float = 0.0, most: float = 1.0) -> IntervalEstimate:
    """Return an estimate whose interval does not go beyond what is possible."""
    if estimate.low is None or estimate.high is None:
        return estimate
    return replace(estimate, low=max(least, estimate.low), high=min(most, estimate.high))


def share_of(hits: int, of: int) -> IntervalEstimate:
    """Return a share of at least one answer with the interval of Wilson (1927)."""
    from scipy.stats import binomtest  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a second

    interval = binomtest(hits, of).proportion_ci(method="wilson")
    return IntervalEstimate(of, hits / of, float(interval.low), float(interval.high))


def _colour_of(check: Mapping[str, Any], estimate: IntervalEstimate) -> tuple[Colour, str]:
    """Return the colour of an estimate, and why it is not certain."""
    found = {_colour(check, each) for each in (estimate.mean, estimate.low, estimate.high) if each is not None}
    if len(found) == 1:
        return found.pop(), ""
    if {"red", "green"} <= found:
        return "unknown", "The interval reaches from red to green."
    (other,) = found - {"amber"}
    return "amber", f"The interval reaches into {other}."


def _colour(check: Mapping[str, Any], figure: float) -> Colour:
    sign = 1 if check["better"] == "higher" else -1
    if sign * figure >= sign * check["green"]:
        return "green"
    return "red" if sign * figure < sign * check["red"] else "amber"


def _limits(check: Mapping[str, Any]) -> str:
    unit = check.get("unit", "")
    share, mark = (100, "%") if unit == "%" else (1, f" {unit}" if unit else "")
    sides = ("from", "below") if check["better"] == "higher" else ("up to", "above")
    green, red = (f"{check[side] * share:g}{mark}" for side in ("green", "red"))
    return f"green {sides[0]} {green}, red {sides[1]} {red}"
