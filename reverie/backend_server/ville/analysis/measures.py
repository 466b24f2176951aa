"""Measures of the paper: how news spread, who knows whom, who came to the party (Park et al. 2023, section 7).

Computed from the memories and moves of a saved simulation, without calls to a model.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, cached_property
from typing import Any, NamedTuple, Protocol, Self

from ville.analysis.known_names import KnownNames, is_named
from ville.errors import BadArgument
from ville.storage.dates import parse_node_time
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.records.commitment_files import commitments_at
from ville.storage.records.memory_files import NODES
from ville.storage.shapes import CommitmentShape

SAMPLE_INTERVAL = timedelta(minutes=10)
"""Time between two looks at the positions of personas."""
MIN_STAY = timedelta(minutes=20)
"""Shortest stay that counts as attending a gathering."""

NAMING = ("description", "object")
"""Texts of a conversation or thought in which names count."""
NodeData = Mapping[str, Any]
Pair = frozenset[str]


class Recognizer(Protocol):
    """Tells words that mention some news from others: a regular expression, or anything else that can search."""

    def search(self, string: str, /) -> object:
        """Return something true if the words mention it."""
        ...


@dataclass(frozen=True)
class NewsTopic:
    """A piece of news that may spread."""

    name: str
    pattern: Recognizer
    source: str = ""
    """The persona the news is about, if any. Words then only count if they name the persona, or are said in a
    conversation that does."""
    is_sight: bool = False
    """Whether to see or overhear it is to know it, as with something that happens at a place."""

    @classmethod
    def matching(cls, pattern: str) -> Self:
        """Return the topic of a regular expression, ignoring case. Raises BadArgument."""
        try:
            return cls(f"'{pattern}'", re.compile(pattern, re.IGNORECASE))
        except re.error as error:
            raise BadArgument(
                f"'{pattern}' is not a regular expression ({error}). Correct it, or use plain words."
            ) from error


@dataclass(frozen=True)
class Gathering:
    """When and where the personas who know of some news should come."""

    news: NewsTopic
    begins: datetime
    ends: datetime
    place: str


class Hearing(NamedTuple):
    """When a persona first knew of some news, and from whom."""

    when: datetime
    """Game time."""
    who: str
    """The persona."""
    teller: str
    """Who told it; empty if it is the persona's own news, or was whispered."""


@dataclass(frozen=True)
class Turnout:
    """Who was told of a gathering before it began, and who attended. The host is left out."""

    invited: frozenset[str]
    there: frozenset[str]


class SavedRun:
    """A saved simulation; its files are read on demand. Raises CorruptFile."""

    def __init__(self, folder: SimulationFolder) -> None:
        meta = folder.meta
        self.name = folder.name
        self.people = (*meta.persona_names, *folder.former)
        """Also those who have moved away."""
        self.steps = meta.step
        self.ends = meta.curr_time
        self.begins = meta.curr_time - timedelta(seconds=meta.step * meta.sec_per_step)
        self._folder = folder

    @cached_property
    def memories(self) -> dict[str, list[NodeData]]:
        """Memory nodes by persona, oldest first."""
        files: dict[str, NodeData] = {name: self._folder.people.memory(name, NODES) for name in self.people}
        return {name: sorted(nodes.values(), key=lambda node: node["node_count"]) for name, nodes in files.items()}

    @cached_property
    def commitments(self) -> dict[str, list[CommitmentShape]]:
        """Commitments of each persona, the newest first; none where questions keep none."""
        return {name: commitments_at(self._folder.root, name, self.ends) for name in self.people}

    def read_again(self) -> "SavedRun":
        """Return the same run, of which nothing was read yet."""
        return SavedRun(self._folder)

    def doings(self, moment: datetime) -> dict[str, str]:
        """Return what each persona did at a time, as `activity @ place`."""
        step = int((moment - self.begins).total_seconds()) // self._folder.meta.sec_per_step
        movement: dict[str, Any] = self._folder.steps.read_movement(step)
        return {name: move["description"] for name, move in movement["persona"].items()}


def hearings(run: SavedRun, news: NewsTopic) -> list[Hearing]:
    """Return who came to know of some news, in order of time. Events that were only seen or overheard do not count."""
    found = (_hearing(name, run.memories[name], news) for name in run.people)
    return sorted(hearing for hearing in found if hearing)


def _hearing(name: str, memories: list[NodeData], news: NewsTopic) -> Hearing | None:
    for node, teller in mentions(name, memories, news):
        return Hearing(parse_node_time(node["created"]), name, teller if teller != name else "")
    return None


def mentions(name: str, memories: list[NodeData], news: NewsTopic) -> Iterator[tuple[NodeData, str]]:
    """Yield the memories in which some news is spoken of, each with who does so first, oldest first."""
    for node in memories:
        if (teller := told_by(name, node, news)) is not None:
            yield node, teller


def told_by(name: str, node: NodeData, news: NewsTopic) -> str | None:
    """Return who first speaks of some news in a memory: the persona itself in its thoughts; None if it is not there."""
    lines = utterances(name, node)
    if news.is_sight and node["type"] == "event":
        lines = [(name, node["description"])]
    named = is_named(news.source.partition(" ")[0], " ".join(part for line in lines for part in line))
    tellers = (speaker for speaker, words in lines if news.pattern.search(words))
    return next(tellers, None) if named or name == news.source else None


def utterances(name: str, node: NodeData) -> list[tuple[str, str]]:
    """Return speaker and words of a conversation or thought; nothing for an event."""
    if node["type"] == "chat":
        return [(speaker, words) for speaker, words in node["filling"]]
    return [(name, node["description"])] if node["type"] == "thought" else []


def node_id(node: NodeData) -> str:
    """Return the id of a memory, as in the files."""
    return f"node_{node['node_count']}"


def evidence(node: NodeData) -> list[str]:
    """Return the ids of the memories that an event or thought rests on. Old files have one text, or nothing."""
    filling = node["filling"] if node["type"] != "chat" else None
    sources = [filling] if isinstance(filling, str) else filling if isinstance(filling, list) else []
    return [source for source in sources if isinstance(source, str)]


def acquaintances(run: SavedRun, until: datetime) -> set[Pair]:
    """Return all pairs in which each has talked with the other, or has had a thought about the other."""
    named = {pair for pair, node in namings(run).items() if parse_node_time(node["created"]) <= until}
    return {frozenset(pair) for pair in named if pair[::-1] in named}


def namings(run: SavedRun) -> dict[tuple[str, str], NodeData]:
    """Return the first memory in which a persona talks with another, or has a thought about it, by the two."""
    place, names = {name: number for number, name in enumerate(run.people)}, KnownNames(run.people)
    within = cache(names.within)
    found: dict[tuple[str, str], NodeData] = {}
    for name in run.people:
        first: dict[str, NodeData] = {}
        for node in (node for node in run.memories[name] if node["type"] != "event"):
            for other in {other for key in NAMING for other in within(str(node[key]))} - first.keys() - {name}:
                first[other] = node
        found |= {(name, other): first[other] for other in sorted(first, key=lambda other: place[other])}
    return found


def talks(run: SavedRun) -> Counter[Pair]:
    """Return the number of conversations by pair. A conversation that only one of them remembers counts too."""
    nodes = ((name, node) for name in run.people for node in run.memories[name] if node["type"] == "chat")
    return talks_by_pair((name, str(node["object"])) for name, node in nodes)


def talks_by_pair(remembered: Iterable[tuple[str, str]]) -> Counter[Pair]:
    """Return the number of conversations by pair; each that somebody remembers is given with whom it was."""
    sides = Counter(remembered)
    return Counter({frozenset(side): max(count, sides[side[::-1]]) for side, count in sides.items()})


def density(run: SavedRun, pairs: Collection[Pair]) -> float | None:
    """Return the density of the network, 2 |E| / |V| (|V| - 1); None for a single persona."""
    possible = len(run.people) * (len(run.people) - 1) // 2
    return len(pairs) / possible if possible else None


def turnout(run: SavedRun, gathering: Gathering) -> Turnout | None:
    """Return who was told and who came; None if the simulation does not cover the whole gathering."""
    if run.ends < gathering.ends or run.begins > gathering.begins:
        return None
    knew = hearings(run, gathering.news)
    looks = int((gathering.ends - gathering.begins) / SAMPLE_INTERVAL)
    seen = [run.doings(gathering.begins + look * SAMPLE_INTERVAL) for look in range(looks)]
    stayed = {
        name: sum(gathering.place in doings.get(name, "").rpartition(" @ ")[2] for doings in seen)
        for name in run.people
    }
    host = frozenset([gathering.news.source])
    return Turnout(
        frozenset(hearing.who for hearing in knew if hearing.when < gathering.begins) - host,
        frozenset(name for name, count in stayed.items() if count * SAMPLE_INTERVAL >= MIN_STAY) - host,
    )
