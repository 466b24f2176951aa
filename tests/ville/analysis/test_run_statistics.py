"""Means, intervals and differences of repeated runs: as in textbooks, and as often right as they say."""

from dataclasses import replace
from itertools import permutations, product
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.analysis.effect_sizes import pooled_spread
from ville.analysis.run_counts import LEVEL, runs_needed, seen_from, smallest_p
from ville.analysis.run_statistics import MeasuredRun, difference, estimated_mean, jointly_tested, paired_runs

SIDE = st.lists(st.integers(0, 9), min_size=2, max_size=4)
SAMPLES = 1500
"""Of each kind whose mean is known. By chance, the share that is right varies by less than two percent."""


def side(values, seeds=None):
    seeds = seeds or [None] * len(values)
    return [MeasuredRun(f"{place}", seed, value) for place, (seed, value) in enumerate(zip(seeds, values, strict=True))]


def pairs(differences):
    """Two sides that share their seeds, and differ by these."""
    seeds = range(len(differences))
    return side([0] * len(differences), seeds), side(differences, seeds)


SLEEP = (
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
)
"""Hours of additional sleep of ten patients by two drugs (Cushny and Peebles 1905), on which Student (1908) showed
his t. The intervals below are those of the documentation of R, `t.test` of `sleep`.
"""
DARWIN = (49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48)
"""Heights of crossed maize minus those of self-fertilized, by pair, in eighths of an inch (Darwin 1876). Fisher
permuted their signs (The Design of Experiments, 1935, section 21): 1,726 of 32,768 sums differ from zero as much.
"""


def test_students_patients_have_students_interval():
    """Of the same patients by both drugs; and as if they were others, by Welch."""
    patients = range(10)
    paired = difference(side(SLEEP[0], patients), side(SLEEP[1], patients))
    assert paired.estimate.mean == pytest.approx(1.58)
    assert (paired.estimate.low, paired.estimate.high) == pytest.approx((0.7001142, 2.4598858))
    assert paired.exceeds_noise
    unpaired = difference(side(SLEEP[0]), side(SLEEP[1]))
    assert unpaired.estimate.mean == pytest.approx(1.58)
    assert (unpaired.estimate.low, unpaired.estimate.high) == pytest.approx((-0.2054832, 3.3654832))
    assert not unpaired.exceeds_noise


def test_darwins_maize_has_fishers_p():
    """There are too many signs to try all: p is estimated, and the same again for the same seed."""
    found = difference(*pairs(DARWIN), seed=1)
    assert found.p == pytest.approx(1726 / 32768, abs=0.01)
    assert difference(*pairs(DARWIN), seed=1) == found
    assert difference(*pairs([-each for each in DARWIN]), seed=1).p == found.p


@given(SIDE, SIDE)
def test_p_is_the_share_of_arrangements_that_differ_as_much(a, b):
    """Counted over all orders of the runs, which is slower but simpler."""
    observed = abs(fmean(b) - fmean(a))
    orders = [(order[: len(a)], order[len(a) :]) for order in permutations([*a, *b])] if len(a + b) < 8 else []
    as_much = [abs(fmean(other) - fmean(mine)) >= observed - 1e-9 for mine, other in orders]
    assert not orders or difference(side(a), side(b)).p == pytest.approx(sum(as_much) / len(orders))


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=8))
def test_p_of_pairs_is_the_share_of_signs_that_differ_as_much(differences):
    """Of all ways in which each pair could have been the other way round."""
    sums = [sum(signs) for signs in product(*((each, -each) for each in differences))]
    as_much = sum(abs(each) >= abs(sum(differences)) for each in sums)
    assert difference(*pairs(differences)).p == pytest.approx(as_much / len(sums))


@given(SIDE, SIDE, st.integers(-50, 50))
def test_adding_the_same_to_all_runs_changes_nothing(a, b, more):
    """Neither p, nor the difference, its interval and the spread within sides."""
    moved = [value + more for value in a], [value + more for value in b]
    before, after = difference(side(a), side(b)), difference(*map(side, moved))
    assert after.p == before.p
    for one, other in zip(vars(before.estimate).values(), vars(after.estimate).values(), strict=True):
        assert one == pytest.approx(other, abs=1e-9)
    assert pooled_spread(*moved) == pytest.approx(pooled_spread(a, b), abs=1e-9)


@given(SIDE, SIDE)
def test_exchanging_the_sides_turns_the_difference_round(a, b):
    """Paired or not."""
    for seeds in (None, range(4)):
        one, other = (side(values, seeds and seeds[: len(values)]) for values in (a, b))
        there, back = difference(one, other), difference(other, one)
        assert (there.p, there.smallest_p, len(there.pairs)) == (back.p, back.smallest_p, len(back.pairs))
        assert (back.estimate.mean, back.estimate.all_same) == (
            pytest.approx(-there.estimate.mean),
            there.estimate.all_same,
        )
        if there.estimate.low is not None:
            turned = (-there.estimate.high, -there.estimate.low)
            assert (back.estimate.low, back.estimate.high) == pytest.approx(turned)


def test_pairs_have_the_same_seed_in_whatever_order_they_are():
    """Runs without a partner are left out, unless most have none; unknown or repeated seeds pair nothing."""
    a = side([1, 2, 3], [1, 2, 3])
    assert [each.value for each in difference(a, side([13, 11, 50], [3, 1, 9])).pairs] == [10, 10]
    for seeds in ([3, 8, 9], [1, 1, 2], [1, 2, None]):
        found = difference(a, side([1, 2, 6], seeds))
        assert (found.pairs, found.estimate.mean) == ((), 1)
    assert len(paired_runs(side([0] * 9, range(9)), side([0, 0], [7, 8]))) == 2
    for shared, count in ((1, 0), (2, 2), (3, 3)):
        assert len(paired_runs(side([0] * 4, range(4)), side([0] * 4, range(4 - shared, 8 - shared)))) == count


def test_a_single_run_does_not_tell_how_much_runs_vary():
    """It has a mean, but no interval, and nothing exceeds the noise; nor does a single pair, or one run beside many."""
    assert (estimated_mean([3]).mean, estimated_mean([3]).low) == (3, None)
    for a, b in (pairs([5]), (side([1]), side([2])), (side([1]), side(range(90)))):
        found = difference(a, b)
        assert (found.estimate.count, found.estimate.low, found.estimate.high) == (1, None, None)
        assert (found.p, found.smallest_p, found.exceeds_noise) == (1, 1, False)
    assert pooled_spread([4], [7]) is None
    assert pooled_spread([4, 4], [7, 7]) == 0
    assert pooled_spread([4], [1, 3]) == pytest.approx(2**0.5)
    assert pooled_spread([1, 2, 3], [2, 4, 6, 8]) == pytest.approx(((2 + 20) / 5) ** 0.5)


def test_no_difference_is_made_of_the_last_digits_of_sums():
    """Shares that differ by tenths in both directions differ by nothing on average."""
    plain = [MeasuredRun(f"a{seed}", seed, value) for seed, value in enumerate((0.3, 0.4, 0.7))]
    other = [MeasuredRun(f"b{seed}", seed, value) for seed, value in enumerate((0.4, 0.3, 0.7))]
    found = difference(plain, other)
    assert found.estimate.mean == 0
    assert sorted(each.value for each in found.pairs) == [-0.1, 0.0, 0.1]


def test_what_is_just_at_the_level_exceeds_the_noise():
    """It is the highest p that does."""
    found = difference(side([1, 2]), side([3, 4]))
    assert replace(found, adjusted_p=LEVEL).exceeds_noise
    assert not replace(found, adjusted_p=LEVEL + 1e-9).exceeds_noise


def test_sides_that_do_not_vary_have_no_interval():
    """Paired or not, also where only the last digits of sums differ; a single run is not said to be the same."""
    assert estimated_mean([0.1 + 0.2, 0.3, 0.3]).all_same
    assert not estimated_mean([0.3]).all_same
    for seeds in (None, [1, 2]):
        found = difference(side([1, 1], seeds), side([4, 4], seeds)).estimate
        assert (found.mean, found.low, found.high, found.all_same) == (3, None, None, True)


@pytest.mark.parametrize("paired", [True, False])
def test_the_smallest_p_is_that_of_sides_that_do_not_overlap(paired):
    """No difference can have a smaller one; with as many runs as are needed it exceeds the noise, with fewer not."""
    for size in range(2, 7):
        seeds = range(size) if paired else None
        found = difference(side(range(size), seeds), side(range(100, 100 + size), seeds))
        assert found.p == pytest.approx(found.smallest_p)
        assert found.smallest_p == smallest_p(size, size, paired=paired)
        assert found.exceeds_noise == (size >= runs_needed(paired=paired))
    one_more = difference(side([1, 2]), side([7, 8, 9]))
    assert one_more.p == pytest.approx(one_more.smallest_p)


DRAWN = {
    "normal": (lambda lots, size: lots.normal(5, 2, size), 0.02),
    "counts": (lambda lots, size: lots.poisson(5, size), 0.03),
    "skewed": (lambda lots, size: lots.exponential(5, size), 0.1),
}
"""Samples with mean 5, and how far below 95% coverage may be: Student's intervals are made for the first."""


def coverage(estimates, mean):
    """Samples that are all the same have no interval, and so none that could hold the mean or not."""
    held = [found.low <= mean <= found.high for found in estimates if not found.all_same]
    return sum(held) / len(held)


@pytest.mark.parametrize("size", [3, 5, 10, 30])
@pytest.mark.parametrize("kind", DRAWN)
def test_an_interval_holds_the_mean_as_often_as_it_says(kind, size):
    """95 of 100, also of three runs; of normal samples neither more nor less."""
    draw, below = DRAWN[kind]
    lots = np.random.default_rng(size)
    found = coverage((estimated_mean(draw(lots, size).tolist()) for _ in range(SAMPLES)), 5)
    assert found >= 1 - LEVEL - below
    assert kind != "normal" or found <= 1 - LEVEL + below


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(3, 3), (3, 7)])
def test_an_interval_of_two_sides_holds_the_difference_as_often_as_it_says(sizes):
    """Nearly, also if one side has fewer runs and varies much more than the other."""
    lots = np.random.default_rng(1)
    drawn = (zip((5, 2), (3, 1), sizes, strict=True) for _ in range(SAMPLES))
    sides = ([side(lots.normal(*each).tolist()) for each in one] for one in drawn)
    assert coverage((difference(a, b).estimate for a, b in sides), -3) >= 1 - LEVEL - 0.03


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [None, range(6)])
def test_of_sides_that_do_not_differ_no_more_exceed_the_noise_than_it_says(seeds):
    """One in twenty at most, paired or not."""
    lots, size = np.random.default_rng(2), len(seeds) if seeds else 5
    beyond = sum(
        difference(*(side(lots.normal(5, 2, size).tolist(), seeds) for _ in range(2))).exceeds_noise for _ in range(500)
    )
    assert beyond / 500 <= LEVEL + 0.03


def test_a_difference_is_seen_through_what_varies_between_seeds_where_they_pair():
    """It is ten times smaller than that."""
    lots = np.random.default_rng(3)
    seeds = lots.normal(50, 10, 10)
    a, b = (seeds + lots.normal(more, 0.3, 10) for more in (0, 1))
    assert difference(side(a.tolist(), range(10)), side(b.tolist(), range(10))).exceeds_noise
    assert not difference(side(a.tolist()), side(b.tolist())).exceeds_noise


@given(st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=6), min_size=1, max_size=5))
def test_no_test_is_easier_among_others_than_alone(several):
    """And the largest of those that differ is adjusted for all of them; what nowhere differs is no test."""
    alone = [difference(*pairs(differences)) for differences in several]
    together = jointly_tested(alone)
    tests = sum(any(differences) for differences in several)
    for one, among in zip(alone, together, strict=True):
        assert (among.p, among.tests) == (one.p, max(1, tests))
        assert among.p <= among.adjusted_p <= min(1.0, max(1, tests) * among.p) or not among.can_differ
    differing = [each for each in together if each.can_differ]
    if differing:
        least = min(differing, key=lambda each: each.p)
        assert least.adjusted_p == pytest.approx(min(1.0, tests * least.p))


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [None, range(8)])
def test_of_several_measures_that_do_not_differ_none_exceeds_the_noise_more_often_than_it_says(seeds):
    """In one study of twenty at most, however many measures it has; without the adjustment, in one of four."""
    lots, size, measures, studies = np.random.default_rng(4), len(seeds or range(5)), 6, 200
    any_alone = any_found = 0
    for _ in range(studies):
        drawn = lots.normal(5, 2, (measures, 2, size))
        alone = [difference(*(side(values.tolist(), seeds) for values in both)) for both in drawn]
        any_alone += any(each.p <= LEVEL for each in alone)
        any_found += any(each.exceeds_noise for each in jointly_tested(alone))
    assert any_found / studies <= LEVEL + 0.04
    assert any_alone / studies > 2 * LEVEL


@pytest.mark.parametrize("size", [2, 5, 6, 7])
def test_too_few_runs_are_called_so(size):
    """Of two measures that differ as clearly as can be, seven pairs show each; fewer show none."""
    both = jointly_tested([difference(*pairs([9] * size)), difference(*pairs([-9] * size))])
    for found in both:
        assert (found.too_few, found.exceeds_noise, found.needed) == (size < 7, size >= 7, 7)
        assert found.smallest_p == min(1, 2 * 2 / 2**size) == found.adjusted_p
        assert (found.as_json()["too_few"], found.as_json()["paired"]) == (size < 7, True)


@pytest.mark.slow
def test_a_planted_difference_is_found_as_often_as_it_is_said_to_be():
    """The one that is seen from on, in four studies of five; nearly, because p is of permutations and the spread of a
    sample.
    """
    lots, size, spread = np.random.default_rng(5), 10, 2.0
    planted = difference(*pairs([0.0, 1.0])).seen_from
    assert planted is None
    planted = seen_from(spread, size, size, paired=True)
    found = sum(difference(*pairs(lots.normal(planted, spread, size).tolist())).exceeds_noise for _ in range(400))
    assert found / 400 == pytest.approx(0.8, abs=0.07)
