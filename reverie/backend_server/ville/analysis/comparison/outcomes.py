"""Outcomes of two runs: news, ties, attendance and cost."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NewsTopic, acquaintances, hearings, talks, turnout
from ville.analysis.paper_measures import CANDIDACY, MEASURES, PARTY, VALENTINES_PARTY
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.ledger_schema import ANSWERED, OPEN


@dataclass(frozen=True)
class MeasuredPair:
    """One measure of both runs; None where a run does not reach so far."""

    what: str
    a: float | None
    b: float | None
    digits: int


@dataclass(frozen=True)
class NewsCurve:
    """Who knew of a piece of news since when. A curve is the number of entries up to a step."""

    news: str
    a: tuple[tuple[int, str, str], ...]
    """Step, persona, and who told it (empty: its own news, or from outside)."""
    b: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True)
class OwnTies:
    """Pairs that know each other, or guests that came, in one run only."""

    what: str
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]


@dataclass(frozen=True)
class RunCost:
    """Usage of a run, from its ledger."""

    calls: int
    tokens: int
    dollars: float
    failed: int
    """Calls that ended without an answer."""
    corrected: int
    """Answers that could not be used and were sent back."""


@dataclass(frozen=True)
class Outcomes:
    """Outcomes of both runs."""

    measures: tuple[MeasuredPair, ...]
    curves: tuple[NewsCurve, ...]
    ties: tuple[OwnTies, ...]
    cost_a: RunCost | None
    """None if the rules answered."""
    cost_b: RunCost | None


def compare_outcomes(a: ComparedRun, b: ComparedRun, topics: Sequence[NewsTopic]) -> Outcomes:
    """Return what came of two runs. `topics` are pieces of news beside those of the paper."""
    measures = tuple(MeasuredPair(each.what.strip(), each.of(a), each.of(b), each.digits) for each in MEASURES)
    curves = (NewsCurve(topic.name, _curve(a, topic), _curve(b, topic)) for topic in (*topics, PARTY, CANDIDACY))
    known = tuple(curve for curve in curves if curve.a or curve.b)
    return Outcomes(measures, known, tuple(_ties(a, b)), run_cost(a), run_cost(b))


def _curve(run: ComparedRun, topic: NewsTopic) -> tuple[tuple[int, str, str], ...]:
    return tuple((max(0, run.step_at(each.when)), each.who, each.teller) for each in hearings(run, topic))


def _ties(a: ComparedRun, b: ComparedRun) -> Iterator[OwnTies]:
    """Yield what only one run has of each kind of tie."""
    sides = [
        {
            "know each other at the end": set(map(_pair, acquaintances(run, run.ends))),
            "talked with each other": set(map(_pair, talks(run))),
            "came to the party": set(party.there) if (party := turnout(run, VALENTINES_PARTY)) else set(),
        }
        for run in (a, b)
    ]
    for what, mine in sides[0].items():
        other = sides[1][what]
        if mine != other:
            yield OwnTies(what, tuple(sorted(mine - other)), tuple(sorted(other - mine)))


def _pair(names: frozenset[str]) -> str:
    return " and ".join(sorted(names))


def run_cost(run: ComparedRun) -> RunCost | None:
    """Return the usage of a run; None if it has no ledger. Raises CorruptFile."""
    if run.ledger is None:
        return None
    query = (
        "SELECT count(*) FILTER (WHERE outcome NOT IN (?, ?, 'shared')), count(*) FILTER (WHERE repair > 0) FROM calls"
    )
    with closing(Ledger.read(run.ledger)) as ledger:
        failed, corrected = ledger.connection.execute(query, (ANSWERED, OPEN)).fetchone()
        spend = ledger.spend
    return RunCost(spend.calls, spend.tokens, spend.cost, failed, corrected)
