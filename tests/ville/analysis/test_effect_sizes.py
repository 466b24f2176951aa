"""Effect sizes as in textbooks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, nct

from ville.analysis.effect_sizes import effect_interval, hedges_g, noncentralities, paired_superiority, superiority

FILMS = [9, 7, 8, 9, 8, 9, 9, 10, 9, 9], [9, 6, 7, 8, 7, 9, 8, 8, 8, 7]
"""Ratings of two films by ten people (Lakens 2013, table 1; Hedges' g is 1.08, paired or not)."""
SIDES = st.lists(st.integers(-9, 9), min_size=2, max_size=8)


def test_two_films_differ_as_much_as_is_published():
    """The second has fewer points by eight of ten people, and as many by two."""
    liked, other = FILMS
    assert hedges_g(other, liked) == pytest.approx(1.08, abs=0.005)
    assert hedges_g(liked, other) == -hedges_g(other, liked)
    assert paired_superiority(other, liked) == 9 / 10


@given(SIDES, SIDES, st.integers(1, 9), st.integers(-9, 9))
def test_neither_unit_nor_zero_matters(a, b, times, more):
    """Of both sides."""
    moved = ([times * value + more for value in side] for side in (a, b))
    there, here = hedges_g(*moved), hedges_g(a, b)
    assert there == (None if here is None else pytest.approx(here))


@given(SIDES, SIDES)
def test_superiority_is_that_of_mann_and_whitney(a, b):
    """Their U, by the number of all two runs."""
    assert superiority(a, b) == pytest.approx(mannwhitneyu(b, a).statistic / (len(a) * len(b)))
    assert superiority(a, b) + superiority(b, a) == pytest.approx(1)


def test_of_few_runs_too_the_mean_effect_is_the_true_one():
    """Without the factor of Hedges it would be a quarter too large."""
    lots, true = np.random.default_rng(1), 1.0
    found = [hedges_g(lots.normal(0, 1, 3).tolist(), lots.normal(true, 1, 3).tolist()) for _ in range(4000)]
    assert np.mean(found) == pytest.approx(true, abs=0.05)


def test_the_interval_of_a_noncentrality_is_as_published():
    """A t of 2.83 with 126 degrees of freedom (Kelley 2007), and by definition 2.5 % of chance beyond each limit."""
    assert noncentralities(2.83, 126) == pytest.approx((0.8337, 4.8153), abs=0.001)
    for found, freedom in ((0.0, 2), (1.0, 4), (-3.0, 2), (5.0, 18)):
        low, high = noncentralities(abs(found), freedom)
        assert nct.cdf(abs(found), freedom, [low, high]) == pytest.approx([0.975, 0.025], abs=0.001)
        assert noncentralities(-abs(found), freedom) == pytest.approx((-high, -low))


@pytest.mark.parametrize("shared", [None, 0.7])
def test_the_interval_of_an_effect_holds_the_truth_as_often_as_it_says(shared):
    """Of sides, and of pairs that vary together, of three runs each."""
    lots, true, size = np.random.default_rng(3), 1.0, 3
    held = []
    for _ in range(300):
        common = lots.normal(0, (shared or 0) ** 0.5, size)
        a, b = (common + lots.normal(mean, (1 - (shared or 0)) ** 0.5, size) for mean in (0, true))
        low, high = effect_interval(a.tolist(), b.tolist(), paired=shared is not None)
        held.append(low <= true <= high)
    assert np.mean(held) == pytest.approx(0.95, abs=0.04)


def test_single_runs_and_such_as_do_not_vary_have_no_effect_size():
    assert hedges_g([1], [2, 3]) is hedges_g([1], [2]) is hedges_g([1, 1], [2, 2]) is None
    assert effect_interval([1], [2], paired=True) is effect_interval([1, 1], [2, 2], paired=False) is None
    assert effect_interval([1, 2], [2, 3], paired=True) is None  # all pairs differ by the same
