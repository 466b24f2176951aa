"""How large a difference is, beside its unit: in standard deviations of runs, and by which side is higher how often."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from math import exp, lgamma, sqrt
from statistics import fmean, stdev, variance

import numpy as np
from numpy.typing import NDArray

from ville.analysis.run_counts import KEPT, LEVEL

POINTS = 2000
"""Of a distribution over which another one is averaged; the limits of an interval are exact to two decimals."""
BEYOND = 10.0
"""Standard deviations further than which no normal number comes."""


def pooled_spread(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Return the standard deviation within two samples, pooled; None without any repetition."""
    freedom = len(a) + len(b) - 2
    if freedom < 1:
        return None
    squares = sum(variance(side) * (len(side) - 1) for side in (a, b) if len(side) > 1)
    return sqrt(squares / freedom)


def hedges_g(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Return the difference of two means, B minus A, by the spread within sides, without the bias of few runs.

    The factor is that of Hedges (1981). Of pairs, too, the spread is that within sides (Lakens 2013: g of the average
    standard deviation), so that studies with and without pairs can be set side by side. None: a side has a single run,
    or runs do not vary.
    """
    spread, freedom = pooled_spread(a, b), len(a) + len(b) - 2
    if not spread or min(len(a), len(b)) == 1:
        return None
    unbiased = exp(lgamma(freedom / 2) - lgamma((freedom - 1) / 2)) * sqrt(2 / freedom)
    return (fmean(b) - fmean(a)) / spread * unbiased


def effect_interval(a: Sequence[float], b: Sequence[float], *, paired: bool) -> tuple[float, float] | None:
    """Return the 95% interval of the difference in standard deviations within sides; None where `hedges_g` has none.

    It has all differences of which what was found is neither among the lowest nor among the highest 2.5 %, by the
    noncentral t distribution. That is exact for two sides of normal numbers (Steiger and Fouladi 1997), and close to it
    for pairs, whose differences have a spread of their own (Algina and Keselman 2003).
    """
    spread = pooled_spread(a, b)
    if not spread or min(len(a), len(b)) == 1:
        return None
    apart = fmean(b) - fmean(a)
    if paired:
        error, freedom = stdev(other - one for one, other in zip(a, b, strict=True)) / sqrt(len(a)), len(a) - 1
    else:
        error, freedom = spread * sqrt(1 / len(a) + 1 / len(b)), len(a) + len(b) - 2
    if not error:
        return None
    low, high = noncentralities(apart / error, freedom)
    return low * error / spread, high * error / spread


@lru_cache(KEPT)
def noncentralities(found: float, freedom: int) -> tuple[float, float]:
    """Return the noncentralities for which this t is the highest and the lowest that is not rare.

    The share of a noncentral t that is below it is averaged over the spreads that may come of the runs, because
    scipy's own function has no answer in some of the tails that matter here.
    """
    from scipy.optimize import brentq  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a second
    from scipy.special import ndtr  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a second

    spreads = _spreads(freedom)
    least, most = sorted((found * float(spreads[0]), found * float(spreads[-1])))

    def limit(share: float) -> float:
        def beyond(noncentrality: float) -> float:
            return float(ndtr(found * spreads - noncentrality).mean()) - share

        return float(brentq(beyond, least - BEYOND, most + BEYOND))

    return limit(1 - LEVEL / 2), limit(LEVEL / 2)


@lru_cache(KEPT)
def _spreads(freedom: int) -> NDArray[np.float64]:
    """Return spreads that may come of runs with a spread of one, all as likely as each other."""
    from scipy.stats import chi2  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a second

    spreads: NDArray[np.float64] = np.sqrt(chi2.ppf((np.arange(POINTS) + 0.5) / POINTS, freedom) / freedom)
    return spreads


def superiority(a: Sequence[float], b: Sequence[float]) -> float:
    """Return how often a run of B has more than one of A, over all two of them; equal ones count half.

    0.5: as often as not (the A of Vargha and Delaney 2000).
    """
    ordered = sorted(a)
    return sum(bisect_left(ordered, other) + bisect_right(ordered, other) for other in b) / 2 / (len(a) * len(b))


def paired_superiority(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the share of pairs in which B has more; equal ones count half."""
    return sum((other > one) + (other == one) / 2 for one, other in zip(a, b, strict=True)) / len(a)
