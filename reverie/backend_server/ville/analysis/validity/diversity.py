"""Whether people differ more from each other than from themselves in a run with another seed."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.validity.finding import ValidityFinding, estimated, finding, not_said
from ville.analysis.validity.talk_words import SILENT, SaidLine, activities, content_words, jaccard

ONE_RUN = "This takes the same people in at least two runs with different seeds."
TWO_SEEDS = "Run the town with a second seed, and name both runs."
WordSets = Mapping[str, Mapping[str, frozenset[str]]]
"""By run and person."""


def diversity(runs: Sequence[ComparedRun], lines: Sequence[SaidLine]) -> Iterator[ValidityFinding]:
    """Yield findings on what people do, and on the words in which they speak."""
    done = {run.name: {name: activities(run, name) for name in run.people} for run in runs}
    said: dict[str, dict[str, set[str]]] = {run.name: {} for run in runs}
    for line in lines:
        said[line.run].setdefault(line.who, set()).update(content_words(line.words))
    spoken = {run: {who: frozenset(words) for who, words in each.items()} for run, each in said.items()}
    for key, sets in (("diversity of activities", done), ("diversity of words", spoken)):
        yield _found(key, sets)


def _found(key: str, sets: WordSets) -> ValidityFinding:
    values = list(_values(sets))
    if sum(any(people.values()) for people in sets.values()) < min(len(sets), 2):
        return not_said(key, SILENT)
    if not values:
        return not_said(key, ONE_RUN, TWO_SEEDS, _alone(sets))
    estimate, over = estimated([(run, who, own - others) for run, who, own, others in values])
    own, others = fmean(own for _, _, own, _ in values), fmean(others for _, _, _, others in values)
    return finding(
        key,
        estimate,
        over,
        [f"likeness to oneself under another seed {own:.2f}, to other people in the same run {others:.2f}"],
    )


def _values(sets: WordSets) -> Iterator[tuple[str, str, float, float]]:
    """Yield run, person, its likeness to itself in the other runs, and to others in the same run."""
    for run, people in sets.items():
        for who, words in people.items():
            selves = [jaccard(words, others[who]) for name, others in sets.items() if name != run and who in others]
            others = [jaccard(words, theirs) for name, theirs in people.items() if name != who]
            if words and selves and others:
                yield run, who, fmean(selves), fmean(others)


def _alone(sets: WordSets) -> Iterator[str]:
    """Yield what can be said of single runs."""
    for run, people in sets.items():
        likeness = [jaccard(one, other) for one, other in combinations(people.values(), 2)]
        if likeness:
            yield f"{run}: likeness of two people {fmean(likeness):.2f}; not compared with anything"
