"""How a difference spread: who was reached by whom, in which talk; who was reached but unmoved, or moved unreached."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.comparison.firsts import FirstDifference
from ville.analysis.comparison.memory_streams import OwnTalk, parting
from ville.analysis.comparison.set_up import ForeignChange, SetUpComparison
from ville.analysis.measures import NodeData

INTERVENTION, TALK, SIGHT, OWN = "intervention", "talk", "sight", "own"


@dataclass(frozen=True)
class ReachedPersona:
    """How the difference between two runs came to a persona."""

    who: str
    step: int
    time: str
    via: str
    """`intervention`, `talk`, `sight` (it saw a persona who differed), or `own` (no contact is recorded)."""
    through: str
    """The other persona; empty if there is none."""
    words: str
    """Words that were whispered, said or seen."""


@dataclass(frozen=True)
class ReachComparison:
    """Who was reached, by an intervention, a talk or the sight of a persona who differed, and who acts otherwise."""

    reached: tuple[str, ...]
    moved: tuple[str, ...]
    """Those who do something else in some step."""
    reached_unmoved: tuple[str, ...]
    moved_unreached: tuple[str, ...]


def spread(
    a: ComparedRun, b: ComparedRun, set_up: SetUpComparison, firsts: Iterable[FirstDifference]
) -> tuple[ReachedPersona, ...]:
    """Return how each persona of both runs that differs came to do so, the earliest first.

    `firsts` are all first differences, of any kind.
    """
    since: dict[str, FirstDifference] = {}
    alone = {*a.people} ^ {*b.people}
    for found in sorted((each for each in firsts if each.who not in alone), key=lambda each: each.step):
        since.setdefault(found.who, found)
    reached = (_reached(a, b, set_up, found, since=since) for found in since.values())
    return tuple(sorted(reached, key=lambda each: (each.step, each.who)))


def _reached(
    a: ComparedRun,
    b: ComparedRun,
    set_up: SetUpComparison,
    found: FirstDifference,
    *,
    since: Mapping[str, FirstDifference],
) -> ReachedPersona:
    name = found.who
    if row := _row_for(name, (*set_up.only_b, *set_up.only_a), found.step):
        return ReachedPersona(name, found.step, found.time, INTERVENTION, "", row.words)
    for run, other in ((b, a), (a, b)):
        for node in _parted(run, other, name, found.step):
            partner = _partner(name, node, run.people)
            if partner and partner in since and since[partner].step <= found.step and partner != name:
                via = TALK if node["type"] == "chat" else SIGHT
                words = _new_words(node, other.memories.get(name, ())) if via == TALK else str(node["description"])
                return ReachedPersona(name, found.step, found.time, via, partner, words)
    return ReachedPersona(name, found.step, found.time, OWN, "", found.b)


def _row_for(name: str, rows: Iterable[ForeignChange], step: int) -> ForeignChange | None:
    """Return the intervention on a persona up to a step that only one run has."""
    return next((row for row in rows if name in row.who.split(", ") and row.step <= step), None)


def _parted(run: ComparedRun, other: ComparedRun, name: str, step: int) -> Sequence[NodeData]:
    """Return the memories of the first step in which the stream of a persona differs; talks first."""
    mine = run.memories.get(name, [])
    place = parting(mine, other.memories.get(name, []))
    if place is None or place >= len(mine):
        return ()
    since = run.step_of(mine[place])
    near = [node for node in mine[place:] if run.step_of(node) <= max(since, step) + 1]
    return sorted(near, key=lambda node: node["type"] != "chat")


def _partner(name: str, node: NodeData, people: Iterable[str]) -> str:
    """Return the other persona of a talk, or the one that was seen; empty if there is none."""
    other = str(node["object"] if node["type"] == "chat" else node["subject"])
    return other if node["type"] in {"chat", "event"} and other != name and other in people else ""


def _new_words(node: NodeData, others: Iterable[NodeData]) -> str:
    """Return the first line of a talk that was not said in any talk of the other run."""
    said = {tuple(line) for other in others if other["type"] == "chat" for line in other["filling"]}
    lines = [(speaker, words) for speaker, words in node["filling"] if (speaker, words) not in said]
    speaker, words = lines[0] if lines else ("", "")
    return f"{speaker}: {words}" if lines else ""


def compare_reach(
    set_up: SetUpComparison,
    talks: Iterable[OwnTalk],
    moved: Mapping[str, int],
    *,
    ways: Iterable[ReachedPersona],
    known: Collection[str] | None = None,
) -> ReachComparison:
    """Return who was reached and who acts otherwise.

    `talks` are those that only one run has, `moved` has the first step in which a persona does something else, `ways`
    are how the difference came to each persona. With `known`, the personas that know of some news in one run only,
    these were reached.
    """
    told = {name: row.step for row in (*set_up.only_a, *set_up.only_b) for name in row.who.split(", ") if name}
    for talk in sorted(talks, key=lambda each: each.step):
        if any(told.get(name, talk.step + 1) <= talk.step for name in talk.names):
            told |= {name: talk.step for name in talk.names if name not in told}
    touched = {way.who: 0 for way in ways if way.via != OWN}
    told = told | touched if known is None else dict.fromkeys(known, 0)
    unmoved = tuple(name for name in told if name not in moved)
    late = (name for name, step in moved.items() if name not in told or told[name] > step)
    unreached = tuple(name for name in late if name not in touched)
    return ReachComparison(tuple(told), tuple(moved), unmoved, unreached)
