"""What comes to mind: by keyword when something is seen, by weight when something is on one's mind."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from ville.persona.memory_structures.associative_memory import EPOCH, SECOND, AssociativeMemory
from ville.persona.memory_structures.concept_node import ConceptNode, Kind
from ville.persona.memory_structures.growing_array import Array
from ville.persona.memory_structures.tuning import Tuning
from ville.persona.memory_structures.vectors import Vector

Method = Literal["paper", "released"]
"""How memories are weighed: as the paper describes it, or with the numbers of the code released with it."""

HOUR = 3600
RELEASED_WEIGHTS = (0.5, 3.0, 2.0)
"""Of recency, relevance and importance, on top of a persona's own."""
ROUNDING = 1e-6
"""Cosines of float32 vectors that differ by less are the same; min-max would make a whole point of it."""
REMEMBERED = 30
"""How many memories of a kind one observation brings back."""


@dataclass(frozen=True)
class RelatedMemories:
    """An observation and what its words bring back, newest first."""

    event: ConceptNode
    events: tuple[ConceptNode, ...]
    thoughts: tuple[ConceptNode, ...]


@dataclass(frozen=True)
class RetrievalScores:
    """Every memory that may come to mind, and how much speaks for it, part by part from 0 to 1."""

    numbers: Array
    recency: Array
    relevance: Array
    importance: Array
    score: Array


def recall(
    memory: AssociativeMemory, seen: Iterable[ConceptNode], count: int | None = REMEMBERED
) -> dict[str, RelatedMemories]:
    """For each observation, by its description, the memories that share its subject, predicate or object."""
    return {
        node.description: RelatedMemories(
            node, _sharing(memory, "event", node, count), _sharing(memory, "thought", node, count)
        )
        for node in seen
    }


def _sharing(memory: AssociativeMemory, kind: Kind, node: ConceptNode, count: int | None) -> tuple[ConceptNode, ...]:
    found = {each.number: each for word in node.triple for each in memory.with_keyword(kind, word, count)}
    return tuple(found[number] for number in sorted(found, reverse=True)[:count])


def retrieve(
    memory: AssociativeMemory,
    focus: Vector,
    *,
    tuning: Tuning,
    now: datetime,
    count: int,
    method: Method = "paper",
) -> list[ConceptNode]:
    """The memories that weigh most, heaviest first; none from an empty memory. Nothing changes: whoever thinks of them
    has to `touch` them.

    As in the paper, the same words come to mind once, however often they are remembered.
    """
    weighed = score_memories(memory, focus, tuning=tuning, now=now, method=method)
    order = np.argsort(-weighed.score, kind="stable")
    nodes: dict[object, ConceptNode] = {}
    for number in weighed.numbers[order].tolist():
        if len(nodes) >= count:
            break
        node = memory[number]
        nodes.setdefault(node.embedding_key if method == "paper" else number, node)
    return list(nodes.values())


def score_memories(
    memory: AssociativeMemory, focus: Vector, *, tuning: Tuning, now: datetime, method: Method = "paper"
) -> RetrievalScores:
    """Score every event and thought that is more than idle. Ties are in the order of `numbers`."""
    own = (tuning.recency_w, tuning.relevance_w, tuning.importance_w)
    if method == "paper":
        numbers = _newest_first(memory)
        recency = _hourly_decay(memory.accessed(numbers), now, tuning.recency_decay)
        weights = own
    else:
        numbers = _longest_forgotten_first(memory)
        recency = _released_decay(len(numbers), tuning.recency_decay)
        weights = (own[0] * RELEASED_WEIGHTS[0], own[1] * RELEASED_WEIGHTS[1], own[2] * RELEASED_WEIGHTS[2])
    relevance = memory.relevances(numbers, focus).astype(np.float64)
    fresh, fitting = _spread(recency), _spread(relevance, noise=ROUNDING)
    moving = _spread(memory.poignancies(numbers))
    score = fresh * weights[0] + fitting * weights[1] + moving * weights[2]
    return RetrievalScores(numbers, fresh, fitting, moving, score)


def _newest_first(memory: AssociativeMemory) -> Array:
    return np.sort(np.concatenate([memory.retrievable("event"), memory.retrievable("thought")]))[::-1]


def _longest_forgotten_first(memory: AssociativeMemory) -> Array:
    """By when they were last thought of; among equals events before thoughts, newest first."""
    numbers = np.concatenate([memory.retrievable("event")[::-1], memory.retrievable("thought")[::-1]])
    return numbers[np.argsort(memory.accessed(numbers), kind="stable")]


def _hourly_decay(accessed: Array, now: datetime, decay: float) -> Array:
    hours = ((now - EPOCH) // SECOND - accessed) / HOUR
    recency: Array = decay**hours
    return recency


def _released_decay(count: int, decay: float) -> Array:
    """decay, decay², decay³ ... : in the released code the longest forgotten weigh most."""
    return _powers(decay, 1 << max(0, count - 1).bit_length())[:count]


@lru_cache(maxsize=64)
def _powers(base: float, count: int) -> npt.NDArray[np.float64]:
    return np.array([base**exponent for exponent in range(1, count + 1)], dtype=np.float64)


def _spread(values: Array, noise: float = 0.0) -> Array:
    """From 0 for the least to 1 for the most; 0.5 for all if they are the same but for noise."""
    if not len(values):
        return values
    least, most = values.min(), values.max()
    spread: Array = (values - least) / (most - least) if most - least > noise else np.full(len(values), 0.5)
    return spread
