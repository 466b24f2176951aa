"""Rankings of conditions, from the places that raters and judging models gave to answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

import numpy as np
from scipy.stats import rankdata  # type: ignore[import-untyped]

from ville.storage.evaluations.evaluation_folder import EvaluationFolder
from ville.storage.evaluations.ranking_sheet import RankingSheet, RankingTask, SheetKey, read_key, read_sheet
from ville.storage.evaluations.rating_files import Rating, all_judgements, all_ratings

BY_PEOPLE = "people"
"""Name of the group of all people who rated; that of a model is its own."""


@dataclass(frozen=True)
class ConditionRanking:
    """Ranks of the conditions in one task by one rater: 1 is the most believable, ties have the mean of their ranks."""

    rater: str
    task: str
    person: str
    category: str
    ranks: Mapping[str, float]


@dataclass(frozen=True)
class RaterGroup:
    """The finished ratings of people, or of one judging model."""

    name: str
    ratings: Sequence[Rating]
    """As they were given: of a model, one for each order."""
    rankings: Sequence[ConditionRanking]
    unusable: int = 0
    """Orders in which a model gave no usable answer."""
    served: Sequence[str] = field(default=())
    """Names under which a provider says that it served the model."""

    @property
    def by_model(self) -> bool:
        return self.name != BY_PEOPLE

    @property
    def raters(self) -> list[str]:
        return sorted({ranking.rater for ranking in self.rankings})


@dataclass(frozen=True)
class RankedSheet:
    """The sheet with its key, and the category of each question."""

    sheet: RankingSheet
    key: SheetKey
    categories: Mapping[str, str]

    @classmethod
    def of(cls, folder: EvaluationFolder) -> "RankedSheet":
        """Raises CorruptFile."""
        categories = {question.key: question.category for question in folder.note().questions}
        return cls(read_sheet(folder), read_key(folder), categories)

    def ranking(self, task: RankingTask, rater: str, places: Mapping[str, float]) -> ConditionRanking:
        """Return the ranks of conditions from the places of codes. Conditions with one answer share its place."""
        conditions = self.key.conditions[task.id]
        spread = {name: places[code] for code, names in conditions.items() for name in names}
        ranks = dict(zip(spread, map(float, rankdata(list(spread.values()))), strict=True))
        return ConditionRanking(rater, task.id, task.person, self.categories.get(task.question, ""), ranks)


def rater_groups(folder: EvaluationFolder) -> list[RaterGroup]:
    """Return the people who rated, if there are any, and each model that judged. Raises CorruptFile."""
    ranked = RankedSheet.of(folder)
    groups = [_people(ranked, all_ratings(folder))]
    by_judge: dict[str, list[Rating]] = {}
    for rating in all_judgements(folder):
        by_judge.setdefault(rating.rater, []).append(rating)
    groups += [_judge(ranked, name, several) for name, several in sorted(by_judge.items())]
    return [group for group in groups if group.ratings or group.unusable]


def _people(ranked: RankedSheet, ratings: Iterable[Rating]) -> RaterGroup:
    usable = [(task, each) for each in ratings if (task := ranked.sheet.task(each.task)) and each.is_of(task)]
    rankings = [ranked.ranking(task, each.rater, each.places) for task, each in usable]
    return RaterGroup(BY_PEOPLE, [each for _, each in usable], rankings)


def _judge(ranked: RankedSheet, name: str, ratings: Sequence[Rating]) -> RaterGroup:
    """Return what a model judged. What it says in both orders of a task counts as one ranking, by the mean places."""
    usable: dict[str, list[Rating]] = {}
    for each in ratings:
        if (task := ranked.sheet.task(each.task)) and each.is_of(task):
            usable.setdefault(each.task, []).append(each)
    rankings = []
    for number, several in usable.items():
        if task := ranked.sheet.task(number):
            ranked_places = [_ranked(each.without_copies()) for each in several]
            places = {code: fmean(each[code] for each in ranked_places) for code in ranked_places[0]}
            rankings.append(ranked.ranking(task, name, places))
    kept = [each for several in usable.values() for each in several]
    served = sorted({each.served for each in kept if each.served})
    return RaterGroup(name, kept, rankings, sum(not each.places for each in ratings), served)


def _ranked(places: Mapping[str, int]) -> dict[str, float]:
    return dict(zip(places, map(float, rankdata(list(places.values()))), strict=True))


def ranks_by_condition(rankings: Sequence[ConditionRanking]) -> dict[str, list[float]]:
    """Return all ranks of each condition."""
    found: dict[str, list[float]] = {}
    for ranking in rankings:
        for name, rank in ranking.ranks.items():
            found.setdefault(name, []).append(rank)
    return found


def preferences(rankings: Sequence[ConditionRanking], one: str, other: str) -> list[float]:
    """Return, for each ranking that has both conditions, 1 if the first is ahead, 0 if it is behind, 0.5 for a tie."""
    both = [ranking.ranks for ranking in rankings if {one, other} <= ranking.ranks.keys()]
    return [(1 - float(np.sign(ranks[one] - ranks[other]))) / 2 for ranks in both]
