"""The measures of a study by base and arm: mean and interval, and the difference to the first arm."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor, log10

from ville.analysis.run_statistics import (
    IntervalEstimate,
    MeasuredRun,
    RunDifference,
    difference,
    estimated_mean,
    jointly_tested,
)
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
    measures: Sequence[str], arms: Sequence[str], jobs: Sequence[JobManifest]
) -> tuple[MeasureByArm, ...]:
    """Return all measures that at least one run has. `jobs` may include runs that are not done.

    All differences of a study are tested together.
    """
    bases = list(dict.fromkeys(job.base for job in jobs if job.arm))
    found = (_measure(name, [_base(name, base, arms, jobs) for base in bases]) for name in measures)
    return _jointly_tested(tuple(filter(None, found)))


def _jointly_tested(measures: Sequence[MeasureByArm]) -> tuple[MeasureByArm, ...]:
    every = [each.found for measure in measures for base in measure.bases for each in base.differences]
    adjusted = iter(jointly_tested(every))

    def with_adjusted(base: BaseValues) -> BaseValues:
        return replace(base, differences=tuple(replace(each, found=next(adjusted)) for each in base.differences))

    return tuple(replace(measure, bases=tuple(map(with_adjusted, measure.bases))) for measure in measures)


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
