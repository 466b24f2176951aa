"""Tests and ratings of ranked conditions, as in the paper: TrueSkill-like ratings, Kruskal–Wallis, Dunn with Holm."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from random import Random
from statistics import fmean

import numpy as np
from openskill.models import BradleyTerryFull
from scipy.stats import binomtest, friedmanchisquare, kruskal, norm, rankdata  # type: ignore[import-untyped]

from ville.analysis.holm import holm
from ville.believability.rankings import ConditionRanking, preferences, ranks_by_condition

FEWEST = 5
"""Rankings of each condition below which no test is made: the distribution of H is not known to be right there."""
ORDERS = 10
"""Orders of the rankings over which ratings are averaged: of one order, the last rankings count most."""
BETWEEN = 1.959963984540054
"""Standard errors on each side of a 95 % interval."""


@dataclass(frozen=True)
class SkillRating:
    """Strength of a condition, on the scale of TrueSkill: all begin at 25, and 8.33 is what is not known of it."""

    mean: float
    deviation: float
    """Standard deviation of what is believed of the mean."""

    @property
    def interval(self) -> tuple[float, float]:
        """Return a 95 % credible interval."""
        return self.mean - BETWEEN * self.deviation, self.mean + BETWEEN * self.deviation


@dataclass(frozen=True)
class OverallTest:
    """Whether conditions differ at all."""

    statistic: float
    freedom: int
    p: float
    """Of the Kruskal–Wallis test, as in the paper. It takes the ranks of one ranking for independent, which they are
    not: without ties, H is Friedman's statistic times k / (k - 1), so that of four conditions without a difference 10
    in 100 are significant, not 5."""
    effect: float
    """Epsilon squared: share of the variance of ranks that conditions explain (Tomczak and Tomczak 2014)."""
    blocked_p: float | None
    """p of Friedman's test, which compares within a ranking; None unless all rankings have the same conditions."""


@dataclass(frozen=True)
class PairTest:
    """How two conditions differ."""

    one: str
    other: str
    z: float
    """Positive: the first has the lower, better ranks."""
    p: float
    """Two-sided, of Dunn's test, as in the paper; too small for the same reason as that of Kruskal–Wallis."""
    adjusted: float
    """The same after Holm, over all pairs."""
    sign_p: float
    """Two-sided, of the exact sign test within rankings, without ties, after Holm."""
    ahead: float
    """Share of rankings in which the first is ahead of the second, ties half: the effect size."""
    rankings: int


def skill_ratings(rankings: Sequence[ConditionRanking], seed: int) -> dict[str, SkillRating]:
    """Return the strength of each condition by the Bradley–Terry model of Weng and Lin (2011), which takes rankings of
    any length, one after the other: the mean over several orders, which are drawn from the seed.
    """
    ordered = sorted(rankings, key=lambda ranking: (ranking.task, ranking.rater))
    draw = Random(seed)  # noqa: S311 - an order, not a secret
    runs = [_rated(draw.sample(ordered, len(ordered))) for _ in range(ORDERS)]
    return {
        name: SkillRating(fmean(run[name].mean for run in runs), fmean(run[name].deviation for run in runs))
        for name in sorted(runs[0])
    }


def _rated(rankings: Sequence[ConditionRanking]) -> dict[str, SkillRating]:
    """Return the strengths after rankings in this order."""
    model = BradleyTerryFull()
    known = {name: model.rating(name=name) for ranking in rankings for name in ranking.ranks}
    for ranking in rankings:
        names = sorted(ranking.ranks)
        rated = model.rate([[known[name]] for name in names], ranks=[ranking.ranks[name] for name in names])
        known.update(zip(names, (team[0] for team in rated), strict=True))
    return {name: SkillRating(each.mu, each.sigma) for name, each in known.items()}


def overall_test(rankings: Sequence[ConditionRanking]) -> OverallTest | None:
    """Return the Kruskal–Wallis test of the ranks by condition; None if there are too few of them, or all are ties."""
    samples = ranks_by_condition(rankings)
    if not _are_enough(samples):
        return None
    total = sum(map(len, samples.values()))
    found = kruskal(*samples.values())
    return OverallTest(
        statistic=float(found.statistic),
        freedom=len(samples) - 1,
        p=float(found.pvalue),
        effect=float(found.statistic) * (total + 1) / (total**2 - 1),
        blocked_p=_friedman(rankings, list(samples)),
    )


def _friedman(rankings: Sequence[ConditionRanking], names: Sequence[str]) -> float | None:
    if len(names) < 3 or any(len(ranking.ranks) != len(names) for ranking in rankings):  # noqa: PLR2004 - as scipy wants
        return None
    return float(friedmanchisquare(*([ranking.ranks[name] for ranking in rankings] for name in names)).pvalue)


def _are_enough(samples: Mapping[str, Sequence[float]]) -> bool:
    values = {rank for ranks in samples.values() for rank in ranks}
    return len(samples) > 1 and len(values) > 1 and min(map(len, samples.values())) >= FEWEST


def pair_tests(rankings: Sequence[ConditionRanking], order: Sequence[str]) -> list[PairTest]:
    """Return Dunn's test of each pair of conditions, adjusted by Holm; nothing if there are too few rankings."""
    samples = ranks_by_condition(rankings)
    if not _are_enough(samples):
        return []
    names = [name for name in order if name in samples]
    found = dunn({name: samples[name] for name in names})
    shares = [preferences(rankings, *pair) for pair in found]
    adjusted, signs = holm([p for _, p in found.values()]), holm([_sign_test(each) for each in shares])
    return [
        PairTest(*pair, -z, p, adjusted[place], signs[place], fmean(shares[place] or [0.5]), len(shares[place]))
        for place, (pair, (z, p)) in enumerate(found.items())
    ]


def _sign_test(shares: Sequence[float]) -> float:
    decided = [share for share in shares if share in {0.0, 1.0}]
    return float(binomtest(int(sum(decided)), len(decided)).pvalue) if decided else 1.0


def dunn(samples: Mapping[str, Sequence[float]]) -> dict[tuple[str, str], tuple[float, float]]:
    """Return z and two-sided p of each pair of samples: the difference of mean ranks in standard errors (Dunn 1964),
    corrected for ties.
    """
    values = np.concatenate([np.asarray(each, float) for each in samples.values()])
    total, (_, ties) = len(values), np.unique(values, return_counts=True)
    shared = float((ties.astype(float) ** 3 - ties).sum()) / (12 * (total - 1))
    spread = total * (total + 1) / 12 - shared
    parts = np.split(rankdata(values), np.cumsum([len(each) for each in samples.values()])[:-1])
    mean = {name: float(part.mean()) for name, part in zip(samples, parts, strict=True)}
    found = {}
    for one, other in combinations(samples, 2):
        error = sqrt(spread * (1 / len(samples[one]) + 1 / len(samples[other])))
        z = (mean[one] - mean[other]) / error
        found[one, other] = (z, float(2 * norm.sf(abs(z))))
    return found
