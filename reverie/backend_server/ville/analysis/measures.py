"""What the paper measured of a whole town: how news spread, who knows whom, who came (Park et al. 2023, §7).

Counted from what a saved simulation remembers and what it did. Nobody is asked, nothing is run.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from ville.storage.dates import parse_node_time
from ville.storage.files import read_object
from ville.storage.simulation_folder import SimulationFolder

NODES = "personas/{}/bootstrap_memory/associative_memory/nodes.json"
SAMPLE_INTERVAL = timedelta(minutes=10)
"""Between two looks at where people are."""
MIN_STAY = timedelta(minutes=20)
"""Somebody who was there so long has come."""

NodeData = Mapping[str, Any]
Pair = frozenset[str]


@dataclass(frozen=True)
class NewsTopic:
    """Something that may spread."""

    name: str
    pattern: re.Pattern[str]
    """What words that tell of it look like."""
    source: str = ""
    """Whose it is; if somebody's, only words that name them, or are said with them, count."""


@dataclass(frozen=True)
class Gathering:
    """Where and when those should come who know of the news."""

    news: NewsTopic
    begins: datetime
    ends: datetime
    place: str


class Hearing(NamedTuple):
    """The first that somebody knew of some news."""

    when: datetime
    who: str
    teller: str
    """Empty for those who had it from nobody: it is theirs, or it was whispered to them."""


@dataclass(frozen=True)
class Turnout:
    """Who knew of a gathering before it began, and who was there."""

    invited: frozenset[str]
    there: frozenset[str]


class SavedRun:
    """A saved simulation, read where it is asked for. Raises CorruptFile."""

    def __init__(self, folder: SimulationFolder) -> None:
        meta = folder.meta
        self.name = folder.name
        self.people = meta.persona_names
        self.steps = meta.step
        self.ends = meta.curr_time
        self.begins = meta.curr_time - timedelta(seconds=meta.step * meta.sec_per_step)
        self._folder = folder

    @cached_property
    def memories(self) -> dict[str, list[NodeData]]:
        """Everybody's memory stream, the oldest node first."""
        files = {name: read_object(self._folder.root / NODES.format(name)) for name in self.people}
        return {name: sorted(nodes.values(), key=lambda node: node["node_count"]) for name, nodes in files.items()}

    def doings(self, moment: datetime) -> dict[str, str]:
        """What everybody did at a moment, as `what @ where`."""
        step = int((moment - self.begins).total_seconds()) // self._folder.meta.sec_per_step
        moves = read_object(self._folder.root / "movement" / f"{step}.json")["persona"]
        return {name: move["description"] for name, move in moves.items()}


def hearings(run: SavedRun, news: NewsTopic) -> list[Hearing]:
    """Who came to know of something, in order. What was only seen or overheard is no knowledge."""
    found = (_hearing(name, run.memories[name], news) for name in run.people)
    return sorted(hearing for hearing in found if hearing)


def _hearing(name: str, memories: list[NodeData], news: NewsTopic) -> Hearing | None:
    first = news.source.partition(" ")[0]
    for node in memories:
        lines = _utterances(name, node)
        tellers = [speaker for speaker, words in lines if news.pattern.search(words)]
        named = first in " ".join(part for line in lines for part in line)
        if tellers and (named or name == news.source):
            return Hearing(parse_node_time(node["created"]), name, tellers[0] if tellers[0] != name else "")
    return None


def _utterances(name: str, node: NodeData) -> list[tuple[str, str]]:
    """The words of a talk and who said them; a thought is said to oneself. Of a sight there are none."""
    if node["type"] == "chat":
        return [(speaker, words) for speaker, words in node["filling"]]
    return [(name, node["description"])] if node["type"] == "thought" else []


def acquaintances(run: SavedRun, until: datetime) -> set[Pair]:
    """Pairs of whom each has talked with the other or has had a thought about them."""
    known = {name: _memory_text(run.memories[name], until) for name in run.people}
    pairs = combinations(run.people, 2)
    return {frozenset((one, other)) for one, other in pairs if other in known[one] and one in known[other]}


def _memory_text(memories: list[NodeData], until: datetime) -> str:
    """The words in which one finds whom somebody knows."""
    nodes = [node for node in memories if node["type"] != "event" and parse_node_time(node["created"]) <= until]
    return "\n".join(str(node[key]) for node in nodes for key in ("description", "object"))


def talks(run: SavedRun) -> Counter[Pair]:
    """How often who has talked with whom; a talk that only one of them remembers counts as well."""
    nodes = ((name, node) for name in run.people for node in run.memories[name] if node["type"] == "chat")
    sides = Counter((name, str(node["object"])) for name, node in nodes)
    return Counter({frozenset(side): max(count, sides[side[::-1]]) for side, count in sides.items()})


def density(run: SavedRun, pairs: Collection[Pair]) -> float | None:
    """Share of all possible pairs, 2 |E| / |V| (|V| - 1); None for a single person."""
    possible = len(run.people) * (len(run.people) - 1) // 2
    return len(pairs) / possible if possible else None


def turnout(run: SavedRun, gathering: Gathering) -> Turnout | None:
    """None when it is not over yet."""
    if run.ends < gathering.ends or run.begins > gathering.begins:
        return None
    knew = hearings(run, gathering.news)
    looks = int((gathering.ends - gathering.begins) / SAMPLE_INTERVAL)
    seen = [run.doings(gathering.begins + look * SAMPLE_INTERVAL) for look in range(looks)]
    stayed = {name: sum(gathering.place in doings[name].rpartition(" @ ")[2] for doings in seen) for name in seen[0]}
    return Turnout(
        frozenset(hearing.who for hearing in knew if hearing.when < gathering.begins),
        frozenset(name for name, count in stayed.items() if count * SAMPLE_INTERVAL >= MIN_STAY),
    )
