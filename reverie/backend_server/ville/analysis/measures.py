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
GLANCE = timedelta(minutes=10)
"""Between two looks at where people are."""
STAY = timedelta(minutes=20)
"""Somebody who was there so long has come."""

Node = Mapping[str, Any]
Pair = frozenset[str]


@dataclass(frozen=True)
class News:
    """Something that may spread."""

    name: str
    signs: re.Pattern[str]
    """What words that tell of it look like."""
    source: str = ""
    """Whose it is; if somebody's, only words that name them, or are said with them, count."""


@dataclass(frozen=True)
class Gathering:
    """Where and when those should come who know of the news."""

    news: News
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


class Record:
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
    def memories(self) -> dict[str, list[Node]]:
        """Everybody's memory stream, the oldest node first."""
        files = {name: read_object(self._folder.root / NODES.format(name)) for name in self.people}
        return {name: sorted(nodes.values(), key=lambda node: node["node_count"]) for name, nodes in files.items()}

    def doings(self, moment: datetime) -> dict[str, str]:
        """What everybody did at a moment, as `what @ where`."""
        step = int((moment - self.begins).total_seconds()) // self._folder.meta.sec_per_step
        moves = read_object(self._folder.root / "movement" / f"{step}.json")["persona"]
        return {name: move["description"] for name, move in moves.items()}


def hearings(record: Record, news: News) -> list[Hearing]:
    """Who came to know of something, in order. What was only seen or overheard is no knowledge."""
    found = (_hearing(name, record.memories[name], news) for name in record.people)
    return sorted(hearing for hearing in found if hearing)


def _hearing(name: str, memories: list[Node], news: News) -> Hearing | None:
    first = news.source.partition(" ")[0]
    for node in memories:
        lines = _lines(name, node)
        tellers = [speaker for speaker, words in lines if news.signs.search(words)]
        named = first in " ".join(part for line in lines for part in line)
        if tellers and (named or name == news.source):
            return Hearing(parse_node_time(node["created"]), name, tellers[0] if tellers[0] != name else "")
    return None


def _lines(name: str, node: Node) -> list[tuple[str, str]]:
    """The words of a talk and who said them; a thought is said to oneself. Of a sight there are none."""
    if node["type"] == "chat":
        return [(speaker, words) for speaker, words in node["filling"]]
    return [(name, node["description"])] if node["type"] == "thought" else []


def acquaintances(record: Record, until: datetime) -> set[Pair]:
    """Pairs of whom each has talked with the other or has had a thought about them."""
    known = {name: _known(record.memories[name], until) for name in record.people}
    pairs = combinations(record.people, 2)
    return {frozenset((one, other)) for one, other in pairs if other in known[one] and one in known[other]}


def _known(memories: list[Node], until: datetime) -> str:
    """The words in which one finds whom somebody knows."""
    nodes = [node for node in memories if node["type"] != "event" and parse_node_time(node["created"]) <= until]
    return "\n".join(str(node[key]) for node in nodes for key in ("description", "object"))


def talks(record: Record) -> Counter[Pair]:
    """How often who has talked with whom; a talk that only one of them remembers counts as well."""
    nodes = ((name, node) for name in record.people for node in record.memories[name] if node["type"] == "chat")
    sides = Counter((name, str(node["object"])) for name, node in nodes)
    return Counter({frozenset(side): max(count, sides[side[::-1]]) for side, count in sides.items()})


def density(record: Record, pairs: Collection[Pair]) -> float | None:
    """Share of all possible pairs, 2 |E| / |V| (|V| - 1); None for a single person."""
    possible = len(record.people) * (len(record.people) - 1) // 2
    return len(pairs) / possible if possible else None


def turnout(record: Record, gathering: Gathering) -> Turnout | None:
    """None when it is not over yet."""
    if record.ends < gathering.ends or record.begins > gathering.begins:
        return None
    knew = hearings(record, gathering.news)
    looks = int((gathering.ends - gathering.begins) / GLANCE)
    seen = [record.doings(gathering.begins + look * GLANCE) for look in range(looks)]
    stayed = {name: sum(gathering.place in doings[name].rpartition(" @ ")[2] for doings in seen) for name in seen[0]}
    return Turnout(
        frozenset(hearing.who for hearing in knew if hearing.when < gathering.begins),
        frozenset(name for name, count in stayed.items() if count * GLANCE >= STAY),
    )
