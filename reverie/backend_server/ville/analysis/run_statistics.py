"""Statistics of repeated runs: the mean of a side, the difference of two sides, and their intervals.

The unit is the run. Runs of both sides with the same seed are pairs: what varies between seeds is no noise then.
Intervals are those of Student and, without pairs, of Welch, because they cover as often as they say with few runs
(docs/decisions/0010-intervals-by-t.md). Tests permute: the signs of the differences of pairs, or which run is of which
side.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from math import comb, sqrt
from statistics import fmean, median_low, variance

from numpy import abs as absolute
from numpy import ndarray

LEVEL = 0.05
"""Highest p of a difference that is more than noise. Intervals cover the rest, 95%."""
DRAWS = 10_000
"""Random arrangements of the runs, if there are more than that; otherwise all of them."""
KEPT = 4096
"""Results of tests that are kept in memory, for pages that ask again."""


@dataclass(frozen=True)
class MeasuredRun:
    """A run, and what was measured of it."""

    run: str
    seed: int | None
    value: float


@dataclass(frozen=True)
class IntervalEstimate:
    """A mean over runs or over pairs of runs, or a difference of two means."""

    count: int
    """Runs or pairs; of two sides without pairs, the runs of the smaller one."""
    mean: float
    low: float | None = None
    """95% interval; None: a single run does not tell how much runs vary."""
    high: float | None = None


@dataclass(frozen=True)
class RunDifference:
    """A measure of one side minus that of another one."""

    estimate: IntervalEstimate
    pairs: tuple[MeasuredRun, ...]
    """Difference of each run to the one with the same seed. Empty: the means of all runs are compared."""
    p: float
    """Share of all arrangements of the runs that differ at least as much (permutation test)."""
    smallest_p: float
    """The smallest p that so many runs can give."""

    @property
    def exceeds_noise(self) -> bool:
        return self.p <= LEVEL


def estimated_mean(values: Sequence[float]) -> IntervalEstimate:
    """Return the mean of at least one value, with Student's interval."""
    mean, size = fmean(values), len(values)
    if size == 1:
        return IntervalEstimate(1, mean)
    return _around(mean, count=size, error=variance(values) / size, freedom=size - 1)


def difference(a: Sequence[MeasuredRun], b: Sequence[MeasuredRun], *, seed: int = 0) -> RunDifference:
    """Return B minus A; both have at least one run. `seed` is of the random arrangements, if not all are tried."""
    pairs = paired_runs(a, b)
    if pairs:
        apart = tuple(MeasuredRun(other.run, other.seed, other.value - one.value) for one, other in pairs)
        values = tuple(each.value for each in apart)
        least = smallest_p(len(pairs), len(pairs), paired=True)
        return RunDifference(estimated_mean(values), apart, _p_of_pairs(values, seed), least)
    mine, other = (tuple(run.value for run in side) for side in (a, b))
    least = smallest_p(len(a), len(b), paired=False)
    return RunDifference(_apart(mine, other), (), _p_of_sides(mine, other, seed), least)


def paired_runs(a: Sequence[MeasuredRun], b: Sequence[MeasuredRun]) -> tuple[tuple[MeasuredRun, MeasuredRun], ...]:
    """Return the runs of both sides that have the same seed, in the order of B; what has no partner is left out.

    Nothing pairs if a seed occurs twice in a side or is not known, or if most runs of the smaller side have no partner.
    """
    sides = [{run.seed: run for run in side if run.seed is not None} for side in (a, b)]
    shared = [seed for seed in sides[1] if seed in sides[0]]
    if (len(sides[0]), len(sides[1])) != (len(a), len(b)) or 2 * len(shared) < min(len(a), len(b)):
        return ()
    return tuple((sides[0][seed], sides[1][seed]) for seed in shared)


def smallest_p(a: int, b: int, *, paired: bool) -> float:
    """Return the smallest p that so many runs on each side can give; 1 with a single run, which has no spread."""
    if min(a, b) == 1:
        return 1.0
    return 2 / 2**a if paired else (1 + (a == b)) / comb(a + b, a)


def runs_needed(*, paired: bool) -> int:
    """Return with how many runs on each side, or pairs, a difference can exceed the noise."""
    return next(size for size in count(2) if smallest_p(size, size, paired=paired) <= LEVEL)


def pooled_spread(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Return the standard deviation within two samples, pooled; None without any repetition."""
    freedom = len(a) + len(b) - 2
    if freedom < 1:
        return None
    squares = sum(variance(side) * (len(side) - 1) for side in (a, b) if len(side) > 1)
    return sqrt(squares / freedom)


def _apart(a: Sequence[float], b: Sequence[float]) -> IntervalEstimate:
    """Return the difference of two means, with the interval of Welch (1947)."""
    mean, smaller = fmean(b) - fmean(a), min(len(a), len(b))
    if smaller == 1:
        return IntervalEstimate(smaller, mean)
    errors = [(variance(side) / len(side), len(side) - 1) for side in (a, b)]
    error = sum(each for each, _ in errors)
    parts = sum(each**2 / freedom for each, freedom in errors)
    return _around(mean, count=smaller, error=error, freedom=error**2 / parts if parts else 1)


def _around(mean: float, *, count: int, error: float, freedom: float) -> IntervalEstimate:
    """Return the interval around a mean with this squared standard error."""
    from scipy.stats import t  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a second

    reach = float(t.ppf(1 - LEVEL / 2, freedom)) * sqrt(error)
    return IntervalEstimate(count, mean, mean - reach, mean + reach)


@lru_cache(KEPT)
def _p_of_pairs(differences: tuple[float, ...], seed: int) -> float:
    return _permuted("samples", (differences,), seed)


@lru_cache(KEPT)
def _p_of_sides(a: tuple[float, ...], b: tuple[float, ...], seed: int) -> float:
    middle = median_low([*a, *b])  # whole numbers stay whole, so that what is equally far apart is counted as equal
    return _permuted("independent", tuple([value - middle for value in side] for side in (a, b)), seed)


def _permuted(kind: str, sides: Sequence[Sequence[float]], seed: int) -> float:
    """Return the share of arrangements that are at least as far apart; 1 if a side has a single run."""
    from scipy.stats import permutation_test  # noqa: PLC0415 - takes a second

    if min(map(len, sides)) == 1:
        return 1.0
    far = _far_from_zero if len(sides) == 1 else _far_apart
    found = permutation_test(
        sides, far, permutation_type=kind, alternative="greater", vectorized=True, n_resamples=DRAWS, rng=seed
    )
    return float(found.pvalue)


def _far_from_zero(differences: ndarray, axis: int) -> ndarray:
    far: ndarray = absolute(differences.sum(axis=axis))
    return far


def _far_apart(a: ndarray, b: ndarray, axis: int) -> ndarray:
    """Return the distance of two means, times both numbers of runs: without division whole numbers stay whole."""
    far: ndarray = absolute(a.shape[axis] * b.sum(axis=axis) - b.shape[axis] * a.sum(axis=axis))
    return far
