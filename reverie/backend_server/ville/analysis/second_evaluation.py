"""The second evaluation of the paper (section 7) over runs with different seeds, each number with its answers.

What everyone says when asked, checked against memories, stands beside the cheap measure, which reads memories only.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import inf
from typing import Literal

from ville.analysis.asked_facts import QUESTIONS, AskedFact, AskedFacts
from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import acquaintances, density, hearings, turnout
from ville.analysis.paper_measures import CANDIDACY, PARTY, VALENTINES_PARTY
from ville.analysis.run_statistics import (
    IntervalEstimate,
    MeasuredRun,
    RunDifference,
    difference,
    estimated_mean,
    jointly_tested,
)
from ville.analysis.validity.finding import share_of, within
from ville.analysis.validity.talk_words import word_pattern
from ville.json_types import JsonObject

WHY = (
    "You knew of Isabella Rodriguez's Valentine's Day party at Hobbs Cafe, on February 14 from 5pm to 7pm, and did not "
    "go there. Why not?"
)
REASONS = ("conflict", "meant_to", "unaware")
"""Sections of words.yaml, in the order in which they are tried."""
DENSITY = "of pairs"
"""Unit of a share that is not written as percent."""
CHEAP = "by words in memories"
Reason = Literal["conflict", "meant_to", "unaware", "other"]


@dataclass(frozen=True)
class StatedReason:
    """Answer of somebody who was invited and did not come."""

    who: str
    answer: str
    reason: Reason


@dataclass(frozen=True)
class EvaluatedRun:
    """A run whose people were asked."""

    run: str
    arm: str
    seed: int | None
    people: int
    start: AskedFacts | None
    """Asked at the first step; None if that moment cannot be reached."""
    end: AskedFacts
    invited: int | None
    """People who knew of the party before it began, by words in memories; None if the run does not cover it."""
    came: int | None
    """Of these, how many came."""
    reasons: tuple[StatedReason, ...]
    cheap: tuple[tuple[str, float | None, float | None], ...]
    """Name of a row, its value at the start and at the end, read from memories only."""

    def as_json(self) -> JsonObject:
        start = self.start.as_json() if self.start else None
        return {**asdict(self), "start": start, "end": self.end.as_json()}


@dataclass(frozen=True)
class EvaluationRow:
    """A number of the evaluation, over the runs of an arm."""

    arm: str
    key: str
    what: str
    unit: str
    """`%`, `of pairs`, or empty."""
    start: IntervalEstimate | None
    end: IntervalEstimate | None
    over: str
    paper_start: str
    paper_end: str
    counts: tuple[str, str]
    """Start and end of runs that all have the same, as `2 of 3`; empty where they differ, or nothing is counted."""
    runs: tuple[tuple[str, float | None, float | None], ...]
    """Run, and its values at the start and at the end."""

    def as_json(self) -> JsonObject:
        return asdict(self)


@dataclass(frozen=True)
class _Measured:
    """A row, before it is computed."""

    key: str
    what: str
    unit: str
    paper: tuple[str, str]
    start: Callable[[EvaluatedRun], float | None]
    end: Callable[[EvaluatedRun], float | None]
    answers: Callable[[EvaluatedRun, AskedFacts], tuple[int, int]] | None = None
    """Hits and answers of a run, of those that it gave at the start or at the end."""


def no_shows(run: ComparedRun) -> tuple[list[str], int, int] | None:
    """Return who was invited and did not come, how many were invited, and how many of these came; None if the run does
    not cover the party.
    """
    found = turnout(run, VALENTINES_PARTY)
    if found is None:
        return None
    return sorted(found.invited - found.there), len(found.invited), len(found.invited & found.there)


def stated_reason(who: str, answer: str) -> StatedReason:
    """Return an answer with its kind: an obligation, a wish that was not followed, ignorance, or something else."""
    kinds: dict[str, Reason] = {"conflict": "conflict", "meant_to": "meant_to", "unaware": "unaware"}
    found = next((kinds[section] for section in REASONS if word_pattern(section).search(answer)), "other")
    return StatedReason(who, answer, found)  # type: ignore[arg-type]


def cheap_values(run: ComparedRun, start: ComparedRun | None) -> tuple[tuple[str, float | None, float | None], ...]:
    """Return the same measures as they are read from memories without asking."""
    rows: list[tuple[str, float | None, float | None]] = []
    for key, topic in (("candidacy", CANDIDACY), ("party", PARTY)):
        first = len(hearings(start, topic)) / len(start.people) if start else None
        rows.append((f"{key}, {CHEAP}", first, len(hearings(run, topic)) / len(run.people)))
    first = density(start, acquaintances(start, start.ends)) if start else None
    rows.append((f"density, {CHEAP}", first, density(run, acquaintances(run, run.ends))))
    return tuple(rows)


def evaluation_rows(runs: Sequence[EvaluatedRun]) -> list[EvaluationRow]:
    """Return all rows, arm by arm, in the order of the runs."""
    arms = dict.fromkeys(run.arm for run in runs)
    return [_row(arm, [run for run in runs if run.arm == arm], each) for arm in arms for each in _ROWS]


def arm_differences(runs: Sequence[EvaluatedRun]) -> list[tuple[str, str, RunDifference]]:
    """Return what, arm, and difference to the first arm at the end, adjusted for all that are compared."""
    arms = list(dict.fromkeys(run.arm for run in runs))
    found: list[tuple[str, str, RunDifference]] = []
    for each in _ROWS:
        by_arm = {arm: _values([run for run in runs if run.arm == arm], each) for arm in arms}
        found += [
            (each.what, arm, difference(by_arm[arms[0]], by_arm[arm]))
            for arm in arms[1:]
            if by_arm[arms[0]] and by_arm[arm]
        ]
    tested = jointly_tested([change for _, _, change in found])
    return [(what, arm, change) for (what, arm, _), change in zip(found, tested, strict=True)]


def _values(runs: Sequence[EvaluatedRun], each: _Measured) -> list[MeasuredRun]:
    return [MeasuredRun(run.run, run.seed, value) for run in runs if (value := each.end(run)) is not None]


def _row(arm: str, runs: Sequence[EvaluatedRun], each: _Measured) -> EvaluationRow:
    values = tuple((run.run, each.start(run), each.end(run)) for run in runs)
    starts, ends = [one for _, one, _ in values if one is not None], [one for _, _, one in values if one is not None]
    first, last = (_estimate(found, each.unit) for found in (starts, ends))
    over = f"{len(ends)} runs" if len(ends) != 1 else "1 run"
    before = {each.answers(run, run.start) for run in runs if run.start} if each.answers and starts else set()
    after = {each.answers(run, run.end) for run in runs if each.end(run) is not None} if each.answers else set()
    if len(ends) == 1 and after:  # a single run has the interval of its answers; equal ones are no further answers
        ((hits, of),) = after
        last, over = share_of(hits, of), f"{of:,} answers of {over}"
    counts = (_count(before, first), _count(after, last))
    return EvaluationRow(arm, each.key, each.what, each.unit, first, last, over, *each.paper, counts, values)


def _count(found: Collection[tuple[int, int]], estimate: IntervalEstimate | None) -> str:
    """Return hits and answers that all runs have alike, where there is no interval."""
    if len(found) != 1 or estimate is None or estimate.low is not None:
        return ""
    ((hits, of),) = found
    return f"{hits:,} of {of:,}"


def _estimate(values: Sequence[float], unit: str) -> IntervalEstimate | None:
    if not values:
        return None
    found = estimated_mean(values)
    return within(found, most=1.0 if unit in {"%", DENSITY} else inf)


def _share(asked: AskedFacts | None, key: str) -> float | None:
    return sum(each.is_known for each in asked.about(key)) / len(asked.people) if asked else None


def _made_up(answers: Sequence[AskedFact], *, of_claims: bool) -> tuple[int, int]:
    """Return how many answers claim what no memory supports, and of how many: all, or those that claim to know."""
    asked = [each for each in answers if each.says_yes] if of_claims else list(answers)
    return sum(each.is_hallucinated for each in asked), len(asked)


def _rate(found: tuple[int, int]) -> float | None:
    return found[0] / found[1] if found[1] else None


def _facts(asked: AskedFacts) -> list[AskedFact]:
    return [each for each in asked.answers if each.about in QUESTIONS]


def _cheap(key: str, place: int) -> Callable[[EvaluatedRun], float | None]:
    """Return what reads a cheap measure of a run: at the start (1) or at the end (2)."""
    return lambda run: next((row[place] for row in run.cheap if row[0] == key), None)  # type: ignore[return-value]


def _asked_rows() -> Iterator[_Measured]:
    for key, paper in (("candidacy", ("4 %", "32 %")), ("party", ("4 %", "52 %"))):
        yield _Measured(
            f"know {key}",
            f"say that they know of the {key}, and remember it",
            "%",
            paper,
            lambda run, key=key: _share(run.start, key),  # type: ignore[misc]
            lambda run, key=key: _share(run.end, key),  # type: ignore[misc]
            lambda _, asked, key=key: (sum(each.is_known for each in asked.about(key)), len(asked.people)),  # type: ignore[misc]
        )
        name = f"{key}, {CHEAP}"
        yield _Measured(f"cheap {key}", f"know of the {key}, {CHEAP}", "%", ("", ""), _cheap(name, 1), _cheap(name, 2))
    name = f"density, {CHEAP}"
    yield _Measured(
        "density",
        "density of the network, each asked of each other",
        DENSITY,
        ("0.167", "0.74"),
        lambda run: run.start.density if run.start else None,
        lambda run: run.end.density,
    )
    yield _Measured("cheap density", f"density, {CHEAP}", DENSITY, ("", ""), _cheap(name, 1), _cheap(name, 2))


def _answer_rows() -> Iterator[_Measured]:
    for key, what, paper, of_claims in (
        ("made up", "answers about others that claim what no memory supports", "1.3 %", False),
        ("made up of claims", "the same, of answers that claim to know", "", True),
    ):
        yield _Measured(
            key,
            what,
            "%",
            ("", paper),
            lambda _: None,
            lambda run, c=of_claims: _rate(_made_up(run.end.of_people, of_claims=c)),  # type: ignore[misc]
            lambda _, asked, c=of_claims: _made_up(asked.of_people, of_claims=c),  # type: ignore[misc]
        )
    yield _Measured(
        "made up facts",
        "answers about both facts that claim what no memory supports",
        "%",
        ("", ""),
        lambda _: None,
        lambda run: _rate(_made_up(_facts(run.end), of_claims=False)),
        lambda _, asked: _made_up(_facts(asked), of_claims=False),
    )


def _party_rows() -> Iterator[_Measured]:
    yield _Measured(
        "invited", "heard of the party before it began", "", ("", "12"), lambda _: None, lambda run: run.invited
    )
    yield _Measured("came", "of these came", "", ("", "5"), lambda _: None, lambda run: run.came)
    for kind, what, paper in (
        ("conflict", "did not come, and name something that they had to do", "3"),
        ("meant_to", "did not come, and say that they wanted to", "4"),
        ("unaware", "did not come, and say that they did not know", ""),
        ("other", "did not come, and say something else", ""),
    ):
        yield _Measured(
            f"why {kind}",
            what,
            "",
            ("", paper),
            lambda _: None,
            lambda run, kind=kind: None if run.invited is None else sum(each.reason == kind for each in run.reasons),  # type: ignore[misc]
        )


_ROWS = (*_asked_rows(), *_answer_rows(), *_party_rows())
