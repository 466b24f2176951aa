"""Whether people grow alike: the likeness of what different people say and plan, early and late."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from random import Random
from statistics import fmean

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.validity.finding import OneValue, ValidityFinding, estimated, finding, not_said
from ville.analysis.validity.talk_words import SaidLine, content_words, day_plans, jaccard

PERIODS = 4
"""Spans of a run with as many lines each; the last one is compared with the first."""
FEWEST = 40
"""Lines of a run that tell anything."""
PARTNERS = 60
"""Lines of others with which a line is compared, drawn at random."""
TOO_FEW = f"Fewer than {FEWEST} lines were said in each run."
ONE_DAY = "The runs have plans of one day only."


def homogenisation(runs: Sequence[ComparedRun], lines: Sequence[SaidLine]) -> Iterator[ValidityFinding]:
    """Yield findings on what is said, and on plans."""
    spoken, details = _of_lines(lines)
    yield _found("homogenisation of words", spoken, details, TOO_FEW)
    planned, details = _of_plans(runs)
    yield _found("homogenisation of plans", planned, details, ONE_DAY)


def _found(key: str, values: Sequence[OneValue], details: Iterable[str], missing: str) -> ValidityFinding:
    return finding(key, *estimated(values), details) if values else not_said(key, missing)


def _of_lines(lines: Sequence[SaidLine]) -> tuple[list[OneValue], list[str]]:
    """Return by how much the lines of each person are more like those of others late than early, and by period."""
    values: list[OneValue] = []
    details: list[str] = []
    for run, of_run in groupby(sorted(lines, key=lambda line: (line.run, line.step, line.talk)), lambda line: line.run):
        told = [line for line in of_run if content_words(line.words)]
        if len(told) < FEWEST:
            continue
        size = -(-len(told) // PERIODS)
        periods = [_likeness(told[at : at + size], Random(f"{run} {at}")) for at in range(0, len(told), size)]  # noqa: S311 - a sample
        shown = ", ".join(f"{fmean(each.values()):.3f}" for each in periods if each)
        details.append(f"{run}: likeness of two people's lines in each quarter of all that is said: {shown}")
        first, last = periods[0], periods[-1]
        values += [(run, who, last[who] - first[who]) for who in first if who in last]
    return values, details


def _likeness(lines: Sequence[SaidLine], random: Random) -> dict[str, float]:
    """Return the mean likeness of the lines of each person to lines of others in other conversations."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    words = [content_words(line.words) for line in lines]
    for line, own in zip(lines, words, strict=True):
        for at in random.sample(range(len(lines)), min(PARTNERS, len(lines))):
            if lines[at].who != line.who and lines[at].talk != line.talk:
                found[line.who].append(jaccard(own, words[at]))
    return {who: fmean(each) for who, each in found.items()}


def _of_plans(runs: Sequence[ComparedRun]) -> tuple[list[OneValue], list[str]]:
    values: list[OneValue] = []
    details: list[str] = []
    for run in runs:
        by_day: defaultdict[int, dict[str, frozenset[str]]] = defaultdict(dict)
        for who, day, words in day_plans(run):
            by_day[day][who] = by_day[day].get(who, frozenset()) | content_words(words)
        days = [_to_others(by_day[day]) for day in sorted(by_day) if len(by_day[day]) > 1]
        if len(days) < 2:  # noqa: PLR2004 - a first and a last one
            continue
        first, last = days[0], days[-1]
        values += [(run.name, who, last[who] - first[who]) for who in first if who in last]
        shown = ", ".join(f"{fmean(day.values()):.3f}" for day in days)
        details.append(f"{run.name}: likeness of two people's plans, day by day: {shown}")
    return values, details


def _to_others(plans: dict[str, frozenset[str]]) -> dict[str, float]:
    return {
        who: fmean(jaccard(words, theirs) for name, theirs in plans.items() if name != who)
        for who, words in plans.items()
    }
