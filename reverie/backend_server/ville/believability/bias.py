"""Biases of raters that have nothing to do with what is said: for places on the page, for length, for style."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, pearsonr, rankdata  # type: ignore[import-untyped]

from ville.believability.plain_style import words_in
from ville.storage.evaluations.ranking_sheet import COPY, RankingSheet, SheetKey
from ville.storage.evaluations.rating_files import Rating

FEWEST = 10
"""Observations without which nothing is said about a bias."""
LEVEL, ROUNDING = 0.05, 1e-9
DRAWS = 10_000
"""Draws of a permutation test."""
TIMES, POWER = 2, 0.8
"""Without a bias to be found, it is said only if this one would be, with this chance: that the answer at the top comes
first so many times as often as each other one."""


@dataclass(frozen=True)
class PositionShare:
    """How often the answer at one position came first."""

    position: int
    """From 1, in the order of the page."""
    ratings: int
    """Ratings with an answer at this position."""
    first: int
    expected: float
    """Share without a bias: one by the number of answers."""
    low: float
    high: float
    """95 % interval of the share (Clopper and Pearson 1934)."""

    @property
    def share(self) -> float:
        return self.first / self.ratings


@dataclass(frozen=True)
class PositionBias:
    """Whether first places depend on where an answer stood."""

    shares: Sequence[PositionShare]
    p: float | None
    """Of a permutation test of first places by position; None if there are too few."""
    power: float = 0.0
    """Chance of finding it if the answer at the top came first twice as often as each other one."""

    @property
    def is_found(self) -> bool:
        return self.p is not None and self.p < LEVEL

    @property
    def is_excluded(self) -> bool:
        """Whether none is found, and one of that size would be."""
        return not self.is_found and self.power >= POWER


@dataclass(frozen=True)
class StyleBias:
    """Whether longer answers, or marked up copies of answers, are preferred."""

    answers: int
    length: float | None
    """Correlation of length and rank within tasks (Spearman); positive: longer ones are ranked better."""
    length_alike: float | None
    """The same among answers of the same condition, so that what conditions say better does not count."""
    length_low: float | None
    length_high: float | None
    """95 % interval of `length_alike` (Fisher's z)."""
    copies: int
    """Tasks with a copy of an answer in another style, in one order each."""
    copies_ahead: float
    """Number in which the copy is ahead of its original; ties half."""
    p: float | None
    """Of the sign test of copies without ties; None if there are too few."""

    @property
    def length_found(self) -> bool:
        return self.length_low is not None and self.length_high is not None and self.length_low * self.length_high > 0

    @property
    def copies_found(self) -> bool:
        return self.p is not None and self.p < LEVEL


def position_bias(ratings: Sequence[Rating]) -> PositionBias:
    """Return how first places are spread over positions. Of a model, only its first order counts: the second is the
    first turned round, and not independent. Ratings with several firsts say nothing.
    """
    winners = [(len(each.shown), first) for each in ratings if each.turn == 1 and (first := _only_first(each))]
    most = max((count for count, _ in winners), default=0)
    shares = [_share(winners, position) for position in range(1, most + 1)]
    if len(winners) < FEWEST or most == 1:
        return PositionBias(shares, None)
    answers = Counter(count for count, _ in winners)
    expected = np.array([each.expected * each.ratings for each in shares])
    draw = np.random.default_rng(0)
    none, biased = (_distances(_drawn_firsts(draw, answers, times), expected) for times in (1, TIMES))
    found = _distances(np.array([[each.first for each in shares]]), expected)[0]
    p = (1 + int((none >= found - ROUNDING).sum())) / (1 + DRAWS)
    limit = np.quantile(none, 1 - LEVEL, method="higher")
    return PositionBias(shares, p, float((biased > limit + ROUNDING).mean()))


def _drawn_firsts(draw: np.random.Generator, answers: Mapping[int, int], times: int) -> NDArray[np.int64]:
    """Return how many firsts each position has, draws × positions, if the top comes first so many times as often as
    each other position. `answers`: how many rankings there are of so many answers.
    """
    firsts = np.zeros((DRAWS, max(answers)), dtype=np.int64)
    for count, rankings in sorted(answers.items()):
        weights = np.array([times, *[1] * (count - 1)])
        firsts[:, :count] += draw.multinomial(rankings, weights / weights.sum(), size=DRAWS)
    return firsts


def _distances(firsts: NDArray[np.int64], expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Pearson's chi-square of each row of counts."""
    return np.asarray(((firsts - expected) ** 2 / expected).sum(axis=1))


def _only_first(rating: Rating) -> int | None:
    """Return the position of the answer in first place, from 1; None if there are several."""
    best = min(rating.places.values())
    first = [code for code, place in rating.places.items() if place == best]
    return rating.shown.index(first[0]) + 1 if len(first) == 1 else None


def _share(winners: Sequence[tuple[int, int]], position: int) -> PositionShare:
    counts = [count for count, _ in winners if count >= position]
    first = sum(each == position for _, each in winners)
    interval = binomtest(first, len(counts)).proportion_ci(method="exact")
    expected = fmean(1 / count for count in counts)
    return PositionShare(position, len(counts), first, expected, float(interval.low), float(interval.high))


def style_bias(sheet: RankingSheet, key: SheetKey, ratings: Sequence[Rating]) -> StyleBias:
    """Return how ranks go with length, and how often copies in another style are ahead of their originals."""
    lengths: list[float] = []
    ranks: list[float] = []
    groups: list[str] = []
    for rating in ratings:
        task = sheet.task(rating.task)
        if task and len({words_in(card.text) for card in task.cards}) > 1:
            places = rating.without_copies()
            lengths += map(float, rankdata([words_in(card.text) for card in task.cards]) / len(task.cards))
            ranks += map(float, -rankdata([places[card.code] for card in task.cards]) / len(task.cards))
            groups += [" ".join(key.conditions[task.id][card.code]) for card in task.cards]
    alike = _correlation(_centred(lengths, groups), _centred(ranks, groups))
    length, *_ = _correlation(lengths, ranks) or (None,)
    within, low, high = alike or (None, None, None)
    copies = [ahead for rating in ratings for ahead in _copies_ahead(rating.places)]
    decided = [ahead for ahead in copies if ahead != 0.5]  # noqa: PLR2004 - a tie
    p = float(binomtest(int(sum(decided)), len(decided)).pvalue) if len(decided) >= FEWEST else None
    return StyleBias(len(lengths), length, within, low, high, len(copies), sum(copies), p)


def _copies_ahead(places: Mapping[str, int]) -> list[float]:
    """Return 1 for each copy that is ahead of its original, 0 if it is behind, 0.5 for a tie."""
    copies = [code for code in places if code.endswith(COPY)]
    originals = [places[code.removesuffix(COPY)] for code in copies]
    return [
        (places[code] < original) + (places[code] == original) / 2
        for code, original in zip(copies, originals, strict=True)
    ]


def _centred(values: Sequence[float], groups: Sequence[str]) -> list[float]:
    """Return values less the mean of their group."""
    by_group: dict[str, list[float]] = {}
    for value, group in zip(values, groups, strict=True):
        by_group.setdefault(group, []).append(value)
    means = {group: fmean(several) for group, several in by_group.items()}
    return [value - means[group] for value, group in zip(values, groups, strict=True)]


def _correlation(one: Sequence[float], other: Sequence[float]) -> tuple[float, float, float] | None:
    """Return a correlation with its 95 % interval; None if one of both does not vary, or there are too few."""
    if len(one) < FEWEST or max(one) - min(one) < 1e-9 or max(other) - min(other) < 1e-9:  # noqa: PLR2004 - rounding
        return None
    found = pearsonr(one, other)
    interval = found.confidence_interval()
    return float(found.statistic), float(interval.low), float(interval.high)
