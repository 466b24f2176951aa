"""Two memory streams: where they part, and which memories only one of them has."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NodeData
from ville.analysis.meetings import PLAN

MOST_LISTED = 200
"""Memories of one kind that are listed; all are counted."""
KINDS = ("event", "thought", "chat")


@dataclass(frozen=True)
class OwnMemory:
    """A memory that only one run has."""

    who: str
    step: int
    time: str
    node: str
    """For example `node_12`."""
    text: str


@dataclass(frozen=True)
class OwnTalk:
    """A conversation that only one run has."""

    names: tuple[str, ...]
    step: int
    time: str
    about: str
    lines: tuple[tuple[str, str], ...]
    """Speaker and words."""


@dataclass(frozen=True)
class OwnRecords:
    """Memories and talks that only one of two runs has."""

    plans: tuple[OwnMemory, ...] = ()
    """Plans of a day."""
    talks: tuple[OwnTalk, ...] = ()
    memories: tuple[OwnMemory, ...] = ()
    """Other thoughts; the first of them."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Number of all memories by persona."""


def parting(mine: Sequence[NodeData], others: Sequence[NodeData]) -> int | None:
    """Return the index of the first memory that differs; None if both streams are equal."""
    pairs = enumerate(zip(mine, others, strict=False))
    shorter = min(len(mine), len(others))
    found = next((place for place, (one, other) in pairs if one != other), shorter)
    return found if found < max(len(mine), len(others)) else None


def own_records(run: ComparedRun, other: ComparedRun) -> OwnRecords:
    """Return what a run remembers and the other one does not, whatever the numbers of the memories are."""
    plans: list[OwnMemory] = []
    thoughts: list[OwnMemory] = []
    counts: dict[str, int] = {}
    for name in run.people:
        own = list(own_nodes(run.memories[name], other.memories.get(name, ())))
        counts |= {name: len(own)} if own else {}
        for node in (node for node in own if node["type"] == "thought"):
            memory = own_memory(run, name, node)
            (plans if node["predicate"] == PLAN else thoughts).append(memory)
    in_order = sorted(thoughts, key=lambda memory: memory.step)[:MOST_LISTED]
    plans.sort(key=lambda plan: plan.step)
    return OwnRecords(tuple(plans), tuple(_own_talks(run, other))[:MOST_LISTED], tuple(in_order), counts)


def own_memory(run: ComparedRun, name: str, node: NodeData) -> OwnMemory:
    """Return a memory with its place in the run."""
    step = run.step_of(node)
    return OwnMemory(name, step, run.time(step), f"node_{node['node_count']}", node["description"])


def own_nodes(mine: Iterable[NodeData], others: Iterable[NodeData]) -> Iterator[NodeData]:
    """Yield the memories that the others do not have, as often as they lack them."""
    left = Counter(map(_content, others))
    for node in mine:
        content = _content(node)
        if left[content]:
            left[content] -= 1
        else:
            yield node


def _content(node: NodeData) -> tuple[str, str, str]:
    """Return what a memory says, without its number and time."""
    talk = repr(node["filling"]) if node["type"] == "chat" else ""
    return node["type"], node["description"], talk


def _own_talks(run: ComparedRun, other: ComparedRun) -> list[OwnTalk]:
    known = {_words(talk) for talk in talks_of(other)}
    return [talk for talk in talks_of(run) if _words(talk) not in known]


def _words(talk: OwnTalk) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    return talk.names, talk.lines


def talks_of(run: ComparedRun) -> list[OwnTalk]:
    """Return the conversations that are remembered, in order of time. What both remember counts once."""
    found: dict[object, OwnTalk] = {}
    for name in run.people:
        for node in run.memories[name]:
            if node["type"] == "chat":
                names = tuple(sorted((name, str(node["object"]))))
                lines = tuple((speaker, words) for speaker, words in node["filling"])
                step = run.step_of(node)
                found.setdefault((names, lines, step), OwnTalk(names, step, run.time(step), node["description"], lines))
    return sorted(found.values(), key=lambda talk: talk.step)
