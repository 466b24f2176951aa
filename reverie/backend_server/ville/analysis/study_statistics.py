"""The measures of a study by base and arm: mean and interval, and the difference to the first arm."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor, log10

from ville.analysis.run_statistics import (
    IntervalEstimate,
    MeasuredRun,
    PlanPart,
    RunDifference,
    difference,
    estimated_mean,
    jointly_tested,
)
from ville.storage.studies.registration import Registration
from ville.storage.studies.study_folder import JobManifest

MOST_DIGITS = 6
SIGNIFICANT = 3
"""Digits of a number that is not a count."""


@dataclass(frozen=True)
class ArmValues:
    """A measure over the runs of an arm from one base."""

    arm: str
    planned: int
    """Number of runs, with those that are not done."""
    runs: tuple[MeasuredRun, ...]
    estimate: IntervalEstimate | None
    """None: no run is done, or none reaches far enough to be measured."""


@dataclass(frozen=True)
class ArmDifference:
    """A measure of an arm minus that of the first arm, from the same base."""

    arm: str
    found: RunDifference


@dataclass(frozen=True)
class BaseValues:
    """A measure over the runs from one base."""

    base: str
    arms: tuple[ArmValues, ...]
    differences: tuple[ArmDifference, ...]


@dataclass(frozen=True)
class MeasureByArm:
    """One measure over all runs of a study: what begins from different bases is not averaged."""

    measure: str
    bases: tuple[BaseValues, ...]
    digits: int
    """Decimals of means."""
    whole: bool
    """Whether the measure counts something."""


def measures_by_arm(
    measures: Sequence[str],
    arms: Sequence[str],
    jobs: Sequence[JobManifest],
    registered: Registration | None = None,
) -> tuple[MeasureByArm, ...]:
    """Return all measures that at least one run has. `jobs` may include runs that are not done.

    All differences of a study are tested together. If a plan was `registered`, its primary measures come first, its
    hypotheses are tested together, and what it did not foresee is tested apart from them, as exploratory.
    """
    bases = list(dict.fromkeys(job.base for job in jobs if job.arm))
    primary = registered.primary if registered else ()
    order = sorted(measures, key=lambda name: name not in primary)
    found = (_measure(name, [_base(name, base, arms, jobs) for base in bases]) for name in order)
    return _jointly_tested(tuple(filter(None, found)), registered)


def _jointly_tested(measures: Sequence[MeasureByArm], registered: Registration | None) -> tuple[MeasureByArm, ...]:
    """Return measures with the p of their differences adjusted in each family: what was registered, and the rest."""
    places = [
        (measure.measure, base.base, each)
        for measure in measures
        for base in measure.bases
        for each in base.differences
    ]
    planned = [replace(each.found, plan=_part(registered, measure, each.arm)) for measure, _, each in places]
    adjusted: dict[tuple[str, str, str], RunDifference] = {}
    for is_family in (True, False):
        family = [
            (place, found)
            for place, found in zip(places, planned, strict=True)
            if (found.plan in {"primary", "registered"}) is is_family
        ]
        tested = jointly_tested([found for _, found in family])
        adjusted |= {
            (measure, base, each.arm): found for ((measure, base, each), _), found in zip(family, tested, strict=True)
        }

    def with_adjusted(measure: str, base: BaseValues) -> BaseValues:
        differences = (replace(each, found=adjusted[measure, base.base, each.arm]) for each in base.differences)
        return replace(base, differences=tuple(differences))

    return tuple(
        replace(each, bases=tuple(with_adjusted(each.measure, base) for base in each.bases)) for each in measures
    )


def _part(registered: Registration | None, measure: str, arm: str) -> PlanPart:
    """Return what the difference of an arm to the first one is in a registered plan."""
    if registered is None:
        return ""
    if not any((each.measure, each.arm) == (measure, arm) for each in registered.hypotheses):
        return "exploratory"
    return "primary" if measure in registered.primary else "registered"


def _base(measure: str, base: str, arms: Sequence[str], jobs: Sequence[JobManifest]) -> BaseValues:
    first, *others = values = [_arm(measure, arm, [job for job in jobs if job.base == base]) for arm in arms]
    differences = (_arm_difference(first, other) for other in others)
    return BaseValues(base, tuple(values), tuple(filter(None, differences)))


def _arm(measure: str, arm: str, jobs: Sequence[JobManifest]) -> ArmValues:
    own = [job for job in jobs if job.arm == arm]
    runs = tuple(
        MeasuredRun(job.run, job.seed, value)
        for job in own
        if job.state == "done" and job.result and (value := job.result.measures.get(measure)) is not None
    )
    return ArmValues(arm, len(own), runs, estimated_mean([run.value for run in runs]) if runs else None)


def _measure(name: str, bases: Sequence[BaseValues]) -> MeasureByArm | None:
    """Return a measure over all bases; None if no run has it."""
    values = [run.value for base in bases for arm in base.arms for run in arm.runs]
    if not values:
        return None
    whole = all(value.is_integer() for value in values)
    return MeasureByArm(name, tuple(bases), 1 if whole else _digits(max(map(abs, values))), whole)


def _arm_difference(first: ArmValues, other: ArmValues) -> ArmDifference | None:
    """Return the difference of two arms; None if one of them has no values."""
    if first.estimate is None or other.estimate is None:
        return None
    return ArmDifference(other.arm, difference(first.runs, other.runs))


def _digits(largest: float) -> int:
    """Return the decimals with which the largest value has three significant digits."""
    return min(MOST_DIGITS, max(0, SIGNIFICANT - 1 - floor(log10(largest))))
