"""How many runs it takes to find a difference: with fewer, no test can; with as many, four studies of five do.

A permutation test of few runs has a smallest p, whatever they give. How often a true difference is found is computed
from Student's t with that difference in it (noncentral t; Cohen 1988, chapter 2), which permutation tests come close
to. Several tests at once share the level (Bonferroni), as the first step of Holm does.
"""

from functools import lru_cache
from itertools import count
from math import comb, sqrt

LEVEL = 0.05
"""Highest p of a difference that is more than noise. Intervals cover the rest, 95%."""
POWER = 0.8
"""Share of studies that are to find a difference, as is usual since Cohen (1988)."""
CAUTION = 0.8
"""How surely the runs vary no more than is reckoned with, of a small pilot (Browne 1995)."""
MOST_RUNS = 100_000
"""On each side. What takes more is not to be found."""
KEPT = 4096
"""Results that are kept in memory, for pages that ask again."""


def smallest_p(a: int, b: int, *, paired: bool) -> float:
    """Return the smallest p that so many runs on each side can give; 1 with a single run, which has no spread."""
    if min(a, b) == 1:
        return 1.0
    return 2 / 2**a if paired else (1 + (a == b)) / comb(a + b, a)


def runs_needed(*, paired: bool, tests: int = 1) -> int:
    """Return with how many runs on each side, or pairs, a difference can exceed the noise, among so many tests."""
    return next(size for size in count(2) if smallest_p(size, size, paired=paired) * tests <= LEVEL)


@lru_cache(KEPT)
def found_share(effect: float, a: int, b: int, *, paired: bool, tests: int = 1) -> float:
    """Return in which share of studies a true difference is found, in its direction; 0 if there are too few runs.

    `effect` is the difference by the standard deviation of the differences of pairs or, without pairs, within sides;
    `a` and `b` are the numbers of runs on each side, which are those of pairs if `paired`.
    """
    if smallest_p(a, b, paired=paired) * tests > LEVEL:
        return 0.0
    from scipy.stats import nct, t  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a second

    freedom = a - 1 if paired else a + b - 2
    apart = abs(effect) / _error(a, b, paired=paired)
    beyond = float(t.isf(LEVEL / tests / 2, freedom))
    return float(nct.sf(beyond, freedom, apart))


@lru_cache(KEPT)
def seen_from(spread: float, a: int, b: int, *, paired: bool, tests: int = 1) -> float | None:
    """Return the smallest true difference that four studies of five find with so many runs.

    None: there are too few runs to find any, or they do not vary, so that nothing is known of the noise.
    """
    if not spread or smallest_p(a, b, paired=paired) * tests > LEVEL:
        return None
    from scipy.optimize import brentq  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a second

    error = _error(a, b, paired=paired)

    def short_of(errors: float) -> float:
        return POWER - found_share(errors * error, a, b, paired=paired, tests=tests)

    most = next(2.0**power for power in count() if short_of(2.0**power) <= 0)
    return float(brentq(short_of, 0.0, most)) * error * spread


def runs_to_see(difference: float, spread: float, *, paired: bool, tests: int = 1) -> int | None:
    """Return with how many runs on each side, or pairs, four studies of five find this difference.

    None: runs do not vary, there is no difference to be found, or it takes more than MOST_RUNS.
    """
    if not spread or not difference:
        return None
    least = runs_needed(paired=paired, tests=tests)

    def is_enough(size: int) -> bool:
        return found_share(difference / spread, size, size, paired=paired, tests=tests) >= POWER

    if is_enough(least):
        return least
    low, high = least, 2 * least
    while not is_enough(high):
        low, high = high, 2 * high
        if low > MOST_RUNS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def cautious_spread(spread: float, freedom: int) -> float:
    """Return a standard deviation that the true one exceeds with one pilot of five at most (Browne 1995)."""
    from scipy.stats import chi2  # noqa: PLC0415 - takes a second

    return spread * sqrt(freedom / float(chi2.ppf(1 - CAUTION, freedom)))


def _error(a: int, b: int, *, paired: bool) -> float:
    """Return the standard error of a difference, in standard deviations."""
    return sqrt(1 / a) if paired else sqrt(1 / a + 1 / b)
