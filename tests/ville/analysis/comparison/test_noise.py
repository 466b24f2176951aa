"""The permutation test counts arrangements, and the spread is that within sides."""

from itertools import permutations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.analysis.comparison.noise import interval, permutation_p, pooled_spread

SIDE = st.lists(st.integers(0, 9), min_size=1, max_size=3)


@given(SIDE, SIDE)
def test_p_is_the_share_of_arrangements_that_differ_as_much(a, b):
    """Counted over all orders of the runs, which is slower but simpler."""
    observed = abs(fmean(b) - fmean(a))
    orders = [(order[: len(a)], order[len(a) :]) for order in permutations([*a, *b])]
    as_much = [abs(fmean(other) - fmean(mine)) >= observed - 1e-9 for mine, other in orders]
    assert permutation_p(a, b, seed=0) == pytest.approx(sum(as_much) / len(orders))


@given(SIDE, SIDE, st.integers(-50, 50))
def test_adding_the_same_to_all_runs_changes_nothing(a, b, more):
    """Neither p nor the spread within sides."""
    moved = [value + more for value in a], [value + more for value in b]
    assert permutation_p(*moved, seed=0) == pytest.approx(permutation_p(a, b, seed=0))
    assert pooled_spread(*moved) == pytest.approx(pooled_spread(a, b), abs=1e-9)


def test_the_interval_holds_the_difference_and_is_the_same_again():
    """Of two clearly different sides it does not hold zero; a constant side has no spread."""
    low, high = interval([1, 2, 3], [11, 12, 13], seed=1)
    assert 0 < low <= 10 <= high
    assert interval([1, 2, 3], [11, 12, 13], seed=1) == (low, high)
    assert pooled_spread([4, 4], [7, 7]) == 0
    assert pooled_spread([4], [7]) is None


def test_many_runs_are_drawn():
    """With too many arrangements to try all, p is estimated: small for sides that do not overlap."""
    assert permutation_p(range(12), range(100, 112), seed=0) < 0.01
    assert permutation_p([1, 2] * 6, [2, 1] * 6, seed=0) > 0.5
