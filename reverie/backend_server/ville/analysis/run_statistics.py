"""Statistics of repeated runs: the mean of a side, the difference of two sides, and their intervals.

The unit is the run. Runs of both sides with the same seed are pairs: what varies between seeds is no noise then.
Intervals are those of Student and, without pairs, of Welch, because they cover as often as they say with few runs
(docs/decisions/0010-intervals-by-t.md). Tests permute: the signs of the differences of pairs, or which run is of which
side. What is tested together is adjusted together (Holm 1979).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import sqrt
from statistics import fmean, median_low, stdev, variance
from typing import Literal

from numpy import abs as absolute
from numpy import ndarray

from ville.analysis.effect_sizes import effect_interval, hedges_g, paired_superiority, pooled_spread, superiority
from ville.analysis.holm import holm
from ville.analysis.run_counts import KEPT, LEVEL, runs_needed, seen_from, smallest_p
from ville.json_types import JsonObject

DRAWS = 10_000
"""Random arrangements of the runs, if there are more than that; otherwise all of them."""
AT_ONCE = 2_000_000
"""Values of arrangements that are held at once, so that thousands of runs take no gigabytes. No p depends on it."""
DIGITS = 12
"""Decimals of means and differences; below are only the last digits of sums."""
SAME = 1e-12
"""Standard error, as a share of the mean, up to which nothing varies but the last digits of sums."""


PlanPart = Literal["", "primary", "registered", "exploratory"]
"""Part of a difference in a registered plan: a hypothesis on a primary measure, another one, or none."""


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
    """95% interval; None: a single run does not tell how much runs vary, nor do runs that are all the same."""
    high: float | None = None
    all_same: bool = False
    """Whether several runs or pairs were measured, and show the same."""

    def same(self, what: str = "runs") -> str:
        """Return in words, for the place of the interval, that all show the same; empty if they do not."""
        return f"all {self.count:,} {what} show the same" if self.all_same else ""


@dataclass(frozen=True)
class RunDifference:
    """A measure of one side minus that of another one."""

    estimate: IntervalEstimate
    pairs: tuple[MeasuredRun, ...]
    """Difference of each run to the one with the same seed. Empty: the means of all runs are compared."""
    sizes: tuple[int, int]
    """Runs on each side that are compared."""
    p: float
    """Share of all arrangements of the runs that differ at least as much (permutation test)."""
    spread: float | None
    """Standard deviation of the differences of pairs or, without pairs, within sides; None: of single runs."""
    effect: float | None
    """Difference in standard deviations within sides (Hedges' g); None: of single runs, or of runs that do not vary."""
    effect_between: tuple[float, float] | None
    """Its 95% interval; None as before, and of pairs that all differ by the same."""
    superiority: float
    """Share of pairs, or of all two runs, in which the second side has more; equal ones count half."""
    can_differ: bool
    """Whether a test could find anything: of single runs, and of values that are all the same, none can."""
    tests: int = 1
    """Differences that are tested together."""
    adjusted_p: float = 1.0
    """p, adjusted for all of them (Holm 1979)."""
    plan: PlanPart = ""
    """Whether a registered study foresaw it; empty if nothing was registered."""

    @property
    def is_paired(self) -> bool:
        return bool(self.pairs)

    @property
    def same(self) -> str:
        """In words, that nothing varies, for the place of the interval; empty if something does."""
        return self.estimate.same("pairs" if self.is_paired else "runs of a side")

    @property
    def exceeds_noise(self) -> bool:
        return self.adjusted_p <= LEVEL

    @property
    def smallest_p(self) -> float:
        """The smallest adjusted p that so many runs can give, if this is the largest of all differences."""
        return min(1.0, smallest_p(*self.sizes, paired=self.is_paired) * self.tests)

    @property
    def too_few(self) -> bool:
        """Whether so few runs cannot tell any difference from noise."""
        return self.smallest_p > LEVEL and not self.exceeds_noise

    @property
    def needed(self) -> int:
        """Number of runs on each side, or of pairs, with which a difference can exceed the noise."""
        return runs_needed(paired=self.is_paired, tests=self.tests)

    @property
    def seen_from(self) -> float | None:
        """The smallest true difference that four studies of five would find; None: too few runs to find any."""
        return seen_from(self.spread or 0.0, *self.sizes, paired=self.is_paired, tests=self.tests)

    def as_json(self) -> JsonObject:
        """Return what pages show."""
        return {**asdict(self.estimate), "paired": self.is_paired, **{name: getattr(self, name) for name in SHOWN}}


SHOWN = (
    *("p", "adjusted_p", "tests", "effect", "effect_between", "superiority"),
    *("exceeds_noise", "smallest_p", "too_few", "needed", "seen_from", "plan"),
)
"""Parts of a difference that pages show, beside its mean and interval."""


def estimated_mean(values: Sequence[float]) -> IntervalEstimate:
    """Return the mean of at least one value, with Student's interval if values vary."""
    mean, size = round(fmean(values), DIGITS), len(values)
    if size == 1:
        return IntervalEstimate(1, mean)
    return _around(mean, count=size, error=variance(values) / size, freedom=size - 1)


def difference(a: Sequence[MeasuredRun], b: Sequence[MeasuredRun], *, seed: int = 0) -> RunDifference:
    """Return B minus A; both have at least one run. `seed` is of the random arrangements, if not all are tried."""
    pairs = paired_runs(a, b)
    return _of_pairs(pairs, seed) if pairs else _of_sides(a, b, seed)


def jointly_tested(found: Sequence[RunDifference]) -> tuple[RunDifference, ...]:
    """Return differences with their p adjusted for all of them.

    What is the same in all runs cannot be found to differ, whatever the arrangement, and so is no test (Tarone 1990).
    """
    tests = [each.p for each in found if each.can_differ]
    adjusted = iter(holm(tests))
    return tuple(
        replace(each, tests=max(1, len(tests)), adjusted_p=next(adjusted) if each.can_differ else 1.0) for each in found
    )


def paired_runs(a: Sequence[MeasuredRun], b: Sequence[MeasuredRun]) -> tuple[tuple[MeasuredRun, MeasuredRun], ...]:
    """Return the runs of both sides that have the same seed, in the order of B; what has no partner is left out.

    Nothing pairs if a seed occurs twice in a side or is not known, or if most runs of the smaller side have no partner.
    """
    sides = [{run.seed: run for run in side if run.seed is not None} for side in (a, b)]
    shared = [seed for seed in sides[1] if seed in sides[0]]
    if (len(sides[0]), len(sides[1])) != (len(a), len(b)) or 2 * len(shared) < min(len(a), len(b)):
        return ()
    return tuple((sides[0][seed], sides[1][seed]) for seed in shared)


def _of_pairs(pairs: Sequence[tuple[MeasuredRun, MeasuredRun]], seed: int) -> RunDifference:
    apart = tuple(MeasuredRun(other.run, other.seed, round(other.value - one.value, DIGITS)) for one, other in pairs)
    values = tuple(each.value for each in apart)
    mine, other = (tuple(run.value for run in side) for side in zip(*pairs, strict=True))
    p = _p_of_pairs(values, seed)
    return RunDifference(
        estimated_mean(values),
        apart,
        (len(pairs), len(pairs)),
        p,
        stdev(values) if len(values) > 1 else None,
        hedges_g(mine, other),
        effect_interval(mine, other, paired=True),
        paired_superiority(mine, other),
        can_differ=len(pairs) > 1 and any(values),
        adjusted_p=p,
    )


def _of_sides(a: Sequence[MeasuredRun], b: Sequence[MeasuredRun], seed: int) -> RunDifference:
    mine, other = (tuple(run.value for run in side) for side in (a, b))
    p = _p_of_sides(mine, other, seed)
    return RunDifference(
        _apart(mine, other),
        (),
        (len(mine), len(other)),
        p,
        pooled_spread(mine, other),
        hedges_g(mine, other),
        effect_interval(mine, other, paired=False),
        superiority(mine, other),
        can_differ=min(len(mine), len(other)) > 1 and len({*mine, *other}) > 1,
        adjusted_p=p,
    )


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
    """Return the interval around a mean with this squared standard error; none if nothing varies."""
    from scipy.stats import t  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a second

    if sqrt(error) <= SAME * abs(mean):
        return IntervalEstimate(count, mean, all_same=True)
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
        sides,
        far,
        permutation_type=kind,
        alternative="greater",
        vectorized=True,
        n_resamples=DRAWS,
        batch=max(1, AT_ONCE // sum(map(len, sides))),
        rng=seed,
    )
    return float(found.pvalue)


def _far_from_zero(differences: ndarray, axis: int) -> ndarray:
    far: ndarray = absolute(differences.sum(axis=axis))
    return far


def _far_apart(a: ndarray, b: ndarray, axis: int) -> ndarray:
    """Return the distance of two means, times both numbers of runs: without division whole numbers stay whole."""
    far: ndarray = absolute(a.shape[axis] * b.sum(axis=axis) - b.shape[axis] * a.sum(axis=axis))
    return far
