"""Tests of ranks, against published worked examples and by what has to hold."""

import random

import pytest
from scipy.stats import binomtest, chi2, kruskal, ncx2

from ville.believability.bias import position_bias
from ville.believability.rank_tests import dunn, overall_test, pair_tests, skill_ratings
from ville.believability.rankings import ConditionRanking
from ville.storage.evaluations.rating_files import Rating

PONDS = {
    "1": (7.68, 7.69, 7.70, 7.70, 7.72, 7.73, 7.73, 7.76),
    "2": (7.71, 7.73, 7.74, 7.74, 7.78, 7.78, 7.80, 7.81),
    "3": (7.74, 7.75, 7.77, 7.78, 7.80, 7.81, 7.84),
    "4": (7.71, 7.71, 7.74, 7.79, 7.81, 7.85, 7.87, 7.91),
}
"""pH of four ponds, with ties and sizes that differ (Zar, Biostatistical Analysis, example 10.11)."""


def ranked(*orders):
    """Return rankings from names, the best first."""
    return [
        ConditionRanking("x", f"t{number}", "Ada", "memory", {name: 1.0 + place for place, name in enumerate(order)})
        for number, order in enumerate(orders)
    ]


def test_dunn_agrees_with_a_published_example():
    """Differences of mean ranks in standard errors, as in the book."""
    z = {pair: round(abs(value), 2) for pair, (value, _) in dunn(PONDS).items()}
    assert z == {
        ("1", "2"): 2.14, ("1", "3"): 2.95, ("1", "4"): 2.99, ("2", "3"): 0.88, ("2", "4"): 0.85, ("3", "4"): 0.06,
    }  # fmt: skip
    assert kruskal(*PONDS.values()).statistic == pytest.approx(11.944, abs=0.001)


def test_two_samples_agree_with_kruskal_wallis():
    """The square of z of two samples is H, and p is the same."""
    two = {name: PONDS[name] for name in ("1", "4")}
    ((z, p),) = dunn(two).values()
    found = kruskal(*two.values())
    assert (z * z, p) == (pytest.approx(found.statistic), pytest.approx(found.pvalue))


def test_ratings_follow_the_rankings_in_any_order():
    """Who is ranked first more often is rated higher, on the scale of TrueSkill; uncertainty shrinks with rankings."""
    draw = random.Random(1)  # noqa: S311 - examples
    orders = [sorted("abcd", key=lambda name: ord(name) + draw.gauss(0, 1.5)) for _ in range(80)]
    found = skill_ratings(ranked(*orders), 1)
    assert sorted(found, key=lambda name: -found[name].mean) == list("abcd")
    few = skill_ratings(ranked(*orders[:10]), 1)
    assert all(found[name].deviation < few[name].deviation < 25 / 3 for name in found)
    assert skill_ratings(ranked(*orders)[::-1], 1) == found


def test_ties_say_nothing():
    """All equal: the ratings stay, and no test is made."""
    ties = [ConditionRanking("x", f"t{n}", "Ada", "memory", {"a": 1.5, "b": 1.5}) for n in range(20)]
    assert [skill.mean for skill in skill_ratings(ties, 1).values()] == pytest.approx([25, 25])
    assert (overall_test(ties), pair_tests(ties, "ab")) == (None, [])


def test_few_rankings_are_not_tested():
    """Below five, the distribution of H is not known to be right."""
    assert overall_test(ranked(*["abc"] * 4)) is None
    assert overall_test(ranked(*["abc"] * 5)).p < 0.01


def test_planted_nulls_are_found_as_rarely_as_stated():
    """Of drawn evaluations without a difference, five in a hundred are significant at most: by the tests within
    rankings. That of the paper takes ranks of one ranking for independent, and H is k / (k - 1) times Friedman's.
    """
    draw = random.Random(2)  # noqa: S311 - examples
    drawn = [ranked(*(draw.sample("abcd", 4) for _ in range(12))) for _ in range(100)]
    most = 100 * 0.05 + 3 * (100 * 0.05 * 0.95) ** 0.5
    overall = [overall_test(rankings) for rankings in drawn]
    assert sum(each.blocked_p < 0.05 for each in overall) <= most
    assert sum(any(pair.sign_p < 0.05 for pair in pair_tests(each, "abcd")) for each in drawn[:50]) <= most
    for each in overall:
        assert chi2.sf(each.statistic * 48 / 47 * 3 / 4, 3) == pytest.approx(each.blocked_p)


def rated_first(positions, answers=4):
    """Return ratings of so many answers, in which those at these positions, from 0, come first."""
    codes = [f"c{number}" for number in range(answers)]
    return [
        Rating(
            rater="a", task=str(number), shown=codes,
            places={code: 1 + (place != first) for place, code in enumerate(codes)},
        )
        for number, first in enumerate(positions)
    ]  # fmt: skip


def test_a_position_bias_is_excluded_only_by_enough_rankings():
    """The p of a permutation test is that of all outcomes, counted; 24 rankings say little, 120 say it is not there."""
    two = position_bias(rated_first([0] * 9 + [1], answers=2))
    assert two.p == pytest.approx(binomtest(9, 10).pvalue, abs=0.005)
    few, many = (position_bias(rated_first(list(range(4)) * times)) for times in (6, 30))
    assert (few.is_found, few.is_excluded, many.is_found, many.is_excluded) == (False, False, False, True)
    sizes = 2 / 5, 1 / 5, 1 / 5, 1 / 5
    distance = 120 * sum((size - 1 / 4) ** 2 * 4 for size in sizes)
    assert many.power == pytest.approx(ncx2.sf(chi2.isf(0.05, 3), 3, distance), abs=0.05)
    assert few.power < 0.4
    assert position_bias(rated_first([0] * 12 + list(range(4)) * 6)).is_found
    assert position_bias(rated_first([0] * 9)).p is None
