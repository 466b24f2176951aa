"""How rare the memories of a persona are (AGA, Yu et al. 2024; contract §8.7).

Vectors are clustered by density: DBSCAN with `EPS` and `MIN_SAMPLES`, by Euclidean distance of vectors of length 1. A
memory weighs one divided by the size of its cluster, and 1 if it belongs to none.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.persona.memory_structures.stream.growing_array import Array

EPS, MIN_SAMPLES = 0.3, 2
NOISE = -1
"""Label of a vector that belongs to no cluster."""


@dataclass(frozen=True)
class WeighedMemories:
    """Memories with different texts, and the weight of each; the weights add up to 1."""

    nodes: Sequence[ConceptNode]
    weights: Sequence[float]


def rarity_weights(vectors: Array) -> list[float]:
    """Return a weight for each vector of length 1: 1 / size of its cluster, as parts of their sum."""
    from sklearn.cluster import DBSCAN  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a second, and is rare

    if not len(vectors):
        return []
    labels = DBSCAN(eps=EPS, min_samples=MIN_SAMPLES).fit(vectors).labels_.tolist()
    size_of = Counter(labels)
    size_of[NOISE] = 1
    weights = [1 / size_of[label] for label in labels]
    total = math.fsum(weights)
    return [weight / total for weight in weights]
