"""How far raters agree, beyond chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from scipy.stats import friedmanchisquare, kendalltau  # type: ignore[import-untyped]
from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]

from ville.storage.evaluations.ranking_sheet import RankingSheet
from ville.storage.evaluations.rating_files import Rating

FEWEST_CARDS = 3
"""Answers without which Friedman's statistic, and so W, is not defined in scipy."""


@dataclass(frozen=True)
class Agreement:
    """Agreement of people on tasks that several of them rated."""

    tasks: int
    """Tasks that two or more people rated."""
    kappa: float | None
    """Of which of two answers is the better one, or neither: the mean of Cohen's kappa over all pairs of raters, which
    is Light's kappa (1971) of three and more. None if it is not defined."""
    concordance: float | None
    """Kendall's W: 0 without any agreement, 1 if all rank alike; the mean over tasks, corrected for ties."""


@dataclass(frozen=True)
class OrderAgreement:
    """How far a model agrees with itself when the order of answers is turned round."""

    tasks: int
    same_first: float
    """Share of tasks with the same answers in first place."""
    correlation: float | None
    """Kendall's tau-b of both rankings, the mean over tasks."""


def agreement(sheet: RankingSheet, ratings: Sequence[Rating]) -> Agreement:
    """Return the agreement of people."""
    by_task: dict[str, list[Rating]] = {}
    for rating in ratings:
        by_task.setdefault(rating.task, []).append(rating)
    shared = {task: several for task, several in by_task.items() if len(several) > 1}
    concordances = [_concordance([each.places for each in several]) for several in shared.values()]
    return Agreement(len(shared), _kappa(sheet, shared), _mean([w for w in concordances if w is not None]))


def _kappa(sheet: RankingSheet, shared: Mapping[str, Sequence[Rating]]) -> float | None:
    """Return the mean kappa over pairs of raters."""
    choices: dict[tuple[str, str], tuple[list[int], list[int]]] = {}
    for number, several in shared.items():
        task = sheet.task(number)
        pairs = list(combinations([card.code for card in task.cards], 2)) if task else []
        for one, other in combinations(sorted(several, key=lambda rating: rating.rater), 2):
            mine, theirs = choices.setdefault((one.rater, other.rater), ([], []))
            mine += [_better(one.places, *pair) for pair in pairs]
            theirs += [_better(other.places, *pair) for pair in pairs]
    return _mean([_cohen(mine, theirs) for mine, theirs in choices.values()])


def _cohen(mine: list[int], theirs: list[int]) -> float:
    """Return Cohen's kappa; 1 where both always choose the same one, for which it is not defined."""
    return 1.0 if len({*mine, *theirs}) == 1 else float(cohen_kappa_score(mine, theirs))


def _better(places: Mapping[str, int], one: str, other: str) -> int:
    return (places[one] > places[other]) - (places[one] < places[other])


def _concordance(several: Sequence[Mapping[str, int]]) -> float | None:
    """Return Kendall's W from Friedman's statistic; None for two answers, or if everything is a tie."""
    codes = sorted(several[0])
    if len(codes) < FEWEST_CARDS or all(len(set(places.values())) == 1 for places in several):
        return None
    statistic = float(friedmanchisquare(*([places[code] for places in several] for code in codes)).statistic)
    return statistic / (len(several) * (len(codes) - 1))


def order_agreement(ratings: Sequence[Rating]) -> OrderAgreement | None:
    """Return how far a model agrees with itself; None if no task was judged in both orders."""
    by_task: dict[str, list[dict[str, int]]] = {}
    for rating in ratings:
        by_task.setdefault(rating.task, []).append(rating.without_copies())
    both = [(one, two) for one, two in (each for each in by_task.values() if len(each) == 2)]  # noqa: PLR2004 - orders
    if not both:
        return None
    same = fmean(_first(one) == _first(two) for one, two in both)
    taus = [kendalltau([one[code] for code in one], [two[code] for code in one]).statistic for one, two in both]
    return OrderAgreement(len(both), same, _mean([float(tau) for tau in taus if tau == tau]))  # noqa: PLR0124 - not nan


def _first(places: Mapping[str, int]) -> set[str]:
    best = min(places.values())
    return {code for code, place in places.items() if place == best}


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
