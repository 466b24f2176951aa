"""How large a difference is, beside its unit: in standard deviations of runs, and by which side is higher how often."""

from collections.abc import Sequence
from math import exp, lgamma, sqrt
from statistics import fmean, variance


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


def superiority(a: Sequence[float], b: Sequence[float]) -> float:
    """Return how often a run of B has more than one of A, over all two of them; equal ones count half.

    0.5: as often as not (the A of Vargha and Delaney 2000).
    """
    return _share_higher([(one, other) for one in a for other in b])


def paired_superiority(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the share of pairs in which B has more; equal ones count half."""
    return _share_higher(list(zip(a, b, strict=True)))


def _share_higher(couples: Sequence[tuple[float, float]]) -> float:
    return sum((other > one) + (other == one) / 2 for one, other in couples) / len(couples)
