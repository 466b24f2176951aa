"""Retrieval of memories (paper §4.1): by keyword for an observation, by score for a focal point."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from ville.persona.memory_structures.person_names import PersonName
from ville.persona.memory_structures.scratch import Tuning
from ville.persona.memory_structures.stream.associative_memory import EPOCH, SECOND, AssociativeMemory
from ville.persona.memory_structures.stream.concept_node import ConceptNode, Kind
from ville.persona.memory_structures.stream.growing_array import Array
from ville.persona.memory_structures.stream.vectors import Vector
from ville.world.occurrences import IS_NOW, IS_SCENE_OF

Method = Literal["person", "paper", "released"]
"""Scoring as in the paper, with places reserved for thoughts about a person, or without; or with the numbers of the
code released with it."""

HOUR = 3600
RELEASED_WEIGHTS = (0.5, 3.0, 2.0)
"""Factors of recency, relevance and importance, on top of a persona's own weights."""
ROUNDING = 1e-6
"""Cosines of float32 vectors that differ by less count as equal, so that min-max scaling does not magnify noise."""
RESERVED = 0.4
"""Share of the places for thoughts that name the person whom a retrieval is about."""
EARLIEST = 0.5
"""Share of these places for the earliest of these thoughts, so that a history is never crowded out."""
MAX_RELATED = 30
"""Number of memories of each kind that are related to one observation."""


@dataclass(frozen=True)
class RelatedMemories:
    """An observation and the memories that share a keyword with it, newest first."""

    event: ConceptNode
    events: tuple[ConceptNode, ...]
    thoughts: tuple[ConceptNode, ...]


@dataclass(frozen=True)
class RetrievalScores:
    """Scores of all memories that retrieval considers. Each component is scaled to 0–1."""

    numbers: Array
    recency: Array
    relevance: Array
    importance: Array
    score: Array

    def of(self, node: ConceptNode, *, reserved: bool) -> "RetrievedMemory":
        """Return a memory with its scores."""
        place = np.flatnonzero(self.numbers == node.number)[0]
        return RetrievedMemory(
            node,
            recency=float(self.recency[place]),
            relevance=float(self.relevance[place]),
            importance=float(self.importance[place]),
            score=float(self.score[place]),
            reserved=reserved,
        )


@dataclass(frozen=True)
class RetrievedMemory:
    """A memory that was retrieved, and why."""

    node: ConceptNode
    recency: float
    """Components are scaled to 0–1 among all memories of the persona."""
    relevance: float
    importance: float
    score: float
    """Weighted sum of the three."""
    reserved: bool = False
    """Whether it has a place because it names a person whom the retrieval is about, whatever its score."""


def recall(
    memory: AssociativeMemory, seen: Iterable[ConceptNode], count: int | None = MAX_RELATED
) -> dict[str, RelatedMemories]:
    """Return the memories related to each observation by its subject, predicate or object, by description."""
    return {
        node.description: RelatedMemories(
            node, _sharing(memory, "event", node, count), _sharing(memory, "thought", node, count)
        )
        for node in seen
    }


def _sharing(memory: AssociativeMemory, kind: Kind, node: ConceptNode, count: int | None) -> tuple[ConceptNode, ...]:
    sharing = (each for word in node.triple for each in memory.with_keyword(kind, word, count))
    found = {each.number: each for each in sharing if not memory.is_hidden(each)}
    return tuple(found[number] for number in sorted(found, reverse=True)[:count])


def retrieve(
    memory: AssociativeMemory,
    focus: Vector,
    *,
    tuning: Tuning,
    now: datetime,
    count: int,
    method: Method = "person",
    about: Collection[PersonName] = (),
    found_before: Collection[str] = (),
) -> list[RetrievedMemory]:
    """Return the memories with the highest scores, best first, without marking them as accessed.

    `person` and `paper` return memories with the same text once. If a retrieval is about persons, `person` reserves
    places for thoughts that name them, half of these for the earliest, and takes states of objects only for lack of
    other memories. It returns the reserved ones first. Texts that an earlier focal point has found take no reserved
    place, so that each focal point adds to what is known of the person.
    """
    scores = score_memories(memory, focus, tuning=tuning, now=now, method=method)
    nodes, reserved = _best(memory, scores, count, method=method, about=about, found_before=found_before)
    return [scores.of(node, reserved=place < reserved) for place, node in enumerate(nodes)]


def _best(
    memory: AssociativeMemory,
    scores: RetrievalScores,
    count: int,
    *,
    method: Method,
    about: Collection[PersonName],
    found_before: Collection[str],
) -> tuple[list[ConceptNode], int]:
    """Return the retrieved memories, and how many of them, at the beginning, are reserved."""
    ranked = scores.numbers[np.argsort(-scores.score, kind="stable")]
    if method == "released":
        return [memory[number] for number in ranked[:count].tolist()], 0
    found: dict[str, ConceptNode] = {}
    for person in about if method == "person" else ():
        naming, places = ranked[np.isin(ranked, memory.thoughts_naming(person))], round(RESERVED * count / len(about))
        taken = len(found)
        for numbers, share in ((np.sort(naming), EARLIEST), (naming, 1.0)):
            new = (node for node in _nodes(memory, numbers) if node.embedding_key not in found_before)
            _fill(found, new, taken + round(share * places))
    reserved = len(found)
    if about and method == "person":
        _fill(found, (node for node in _nodes(memory, ranked) if not _is_object_state(node)), count)
    _fill(found, _nodes(memory, ranked), count)
    return list(found.values()), reserved


def _nodes(memory: AssociativeMemory, numbers: Array) -> Iterator[ConceptNode]:
    return (memory[number] for number in numbers.tolist())


def _fill(found: dict[str, ConceptNode], nodes: Iterable[ConceptNode], count: int) -> None:
    """Add nodes by their embedded text until there are so many."""
    for node in nodes:
        if len(found) >= count:
            return
        found.setdefault(node.embedding_key, node)


def _is_object_state(node: ConceptNode) -> bool:
    """Return whether a node is an observation whose subject has an address, as only objects have; occurrences count
    for more.
    """
    return node.kind == "event" and ":" in node.subject and node.predicate not in {IS_NOW, IS_SCENE_OF}


def score_memories(
    memory: AssociativeMemory, focus: Vector, *, tuning: Tuning, now: datetime, method: Method = "person"
) -> RetrievalScores:
    """Return the weighted sum of recency, relevance and importance of every event and thought that is not idle.

    Paper §4.1: each component is min-max scaled; recency decays by `recency_decay` per hour since the last access.
    """
    own = (tuning.recency_w, tuning.relevance_w, tuning.importance_w)
    if method != "released":
        numbers = _newest_first(memory)
        recency = _hourly_decay(memory.accessed(numbers), now, tuning.recency_decay)
        weights = own
    else:
        numbers = _least_recent_first(memory)
        recency = _released_decay(len(numbers), tuning.recency_decay)
        weights = (own[0] * RELEASED_WEIGHTS[0], own[1] * RELEASED_WEIGHTS[1], own[2] * RELEASED_WEIGHTS[2])
    relevance = memory.relevances(numbers, focus).astype(np.float64)
    recency, relevance = _min_max(recency), _min_max(relevance, noise=ROUNDING)
    importance = _min_max(memory.poignancies(numbers))
    score = recency * weights[0] + relevance * weights[1] + importance * weights[2]
    return RetrievalScores(numbers, recency, relevance, importance, score)


def _newest_first(memory: AssociativeMemory) -> Array:
    return np.sort(np.concatenate([memory.retrievable("event"), memory.retrievable("thought")]))[::-1]


def _least_recent_first(memory: AssociativeMemory) -> Array:
    """Return memories by last access; ties: events before thoughts, newest first."""
    numbers = np.concatenate([memory.retrievable("event")[::-1], memory.retrievable("thought")[::-1]])
    return numbers[np.argsort(memory.accessed(numbers), kind="stable")]


def _hourly_decay(accessed: Array, now: datetime, decay: float) -> Array:
    hours = ((now - EPOCH) // SECOND - accessed) / HOUR
    recency: Array = decay**hours
    return recency


def _released_decay(count: int, decay: float) -> Array:
    """Return decay, decay², decay³ ...: in the released code the least recently accessed memory scores highest."""
    return _powers(decay, 1 << max(0, count - 1).bit_length())[:count]


@lru_cache(maxsize=64)
def _powers(base: float, count: int) -> npt.NDArray[np.float64]:
    return np.array([base**exponent for exponent in range(1, count + 1)], dtype=np.float64)


def _min_max(values: Array, noise: float = 0.0) -> Array:
    """Scale values to 0–1; all become 0.5 if they differ by no more than the noise."""
    if not len(values):
        return values
    least, most = values.min(), values.max()
    scaled: Array = (values - least) / (most - least) if most - least > noise else np.full(len(values), 0.5)
    return scaled
