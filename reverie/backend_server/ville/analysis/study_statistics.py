"""The measures of a study by base and arm: mean and interval, and the difference to the first arm, paired by seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from statistics import fmean

from ville.analysis.comparison.noise import interval, mean_interval
from ville.storage.study_folder import JobManifest

MOST_DIGITS = 6
SIGNIFICANT = 3
"""Digits of a number that is not a count."""


@dataclass(frozen=True)
class MeasuredRun:
    """A run of a study that is done, and what was measured of it."""

    run: str
    seed: int
    value: float


@dataclass(frozen=True)
class IntervalEstimate:
    """A mean over runs, or over pairs of runs."""

    count: int
    mean: float
    low: float | None = None
    """95% bootstrap interval of the mean, seeded; None: a single run does not tell how much runs vary."""
    high: float | None = None


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
    pairs: tuple[MeasuredRun, ...]
    """Difference of each run to the one with the same seed. Empty: no seeds are shared, so that the means of all runs
    are compared."""
    estimate: IntervalEstimate


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
    """Return all measures that at least one run has. `jobs` may include runs that are not done."""
    bases = list(dict.fromkeys(job.base for job in jobs if job.arm))
    found = (_measure(name, [_base(name, base, arms, jobs) for base in bases]) for name in measures)
    return tuple(filter(None, found))


def _base(measure: str, base: str, arms: Sequence[str], jobs: Sequence[JobManifest]) -> BaseValues:
    first, *others = values = [_arm(measure, arm, [job for job in jobs if job.base == base]) for arm in arms]
    differences = (_difference(first, other) for other in others)
    return BaseValues(base, tuple(values), tuple(filter(None, differences)))


def _arm(measure: str, arm: str, jobs: Sequence[JobManifest]) -> ArmValues:
    own = [job for job in jobs if job.arm == arm]
    runs = tuple(
        MeasuredRun(job.run, job.seed, float(value))
        for job in own
        if job.state == "done" and job.result and (value := job.result.measures.get(measure)) is not None
    )
    return ArmValues(arm, len(own), runs, _estimate([run.value for run in runs]) if runs else None)


def _measure(name: str, bases: Sequence[BaseValues]) -> MeasureByArm | None:
    """Return a measure over all bases; None if no run has it."""
    values = [run.value for base in bases for arm in base.arms for run in arm.runs]
    if not values:
        return None
    whole = all(value.is_integer() for value in values)
    return MeasureByArm(name, tuple(bases), 1 if whole else _digits(max(map(abs, values))), whole)


def _difference(first: ArmValues, other: ArmValues) -> ArmDifference | None:
    """Return the difference of two arms; None if one of them has no values."""
    if first.estimate is None or other.estimate is None:
        return None
    known = {run.seed: run.value for run in first.runs}
    pairs = tuple(
        MeasuredRun(run.run, run.seed, run.value - known[run.seed]) for run in other.runs if run.seed in known
    )
    estimate = _estimate([pair.value for pair in pairs]) if pairs else _unpaired(first, other)
    return ArmDifference(other.arm, pairs, estimate)


def _estimate(values: Sequence[float]) -> IntervalEstimate:
    low, high = mean_interval(tuple(values)) if len(values) > 1 else (None, None)
    return IntervalEstimate(len(values), fmean(values), low, high)


def _unpaired(first: ArmValues, other: ArmValues) -> IntervalEstimate:
    a, b = ([run.value for run in arm.runs] for arm in (first, other))
    low, high = interval(a, b, seed=0) if len(a) > 1 and len(b) > 1 else (None, None)
    return IntervalEstimate(min(len(a), len(b)), fmean(b) - fmean(a), low, high)


def _digits(largest: float) -> int:
    """Return the decimals with which the largest value has three significant digits."""
    return min(MOST_DIGITS, max(0, SIGNIFICANT - 1 - floor(log10(largest)))) if largest else 0
