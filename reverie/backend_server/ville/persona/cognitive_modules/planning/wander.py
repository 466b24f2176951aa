"""Mind wandering (AGA, Yu et al. 2024; contract §8.7): memories that come to mind by chance, rare ones more often."""

from collections.abc import Sequence
from random import Random

import numpy as np

from ville.persona.cognitive_modules.mind import Mind, Moment, quote_memories
from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.persona.memory_structures.stream.rarity import WeighedMemories, rarity_weights
from ville.persona.prompt_template.blanks import ChanceMemories

FOR_THE_DAY, FOR_AN_ACTIVITY = 3, 5
"""Numbers of memories that come to mind when a day, or an activity, is planned."""
MOST = 2000
"""Texts that are clustered, which takes a second with 1,536 numbers each; of more, every second, third … one."""


def chance_memories(mind: Mind, moment: Moment, count: int) -> ChanceMemories | None:
    """Return memories that come to mind by chance in this step; None without any, or if the setting is off."""
    if not mind.settings.mind_wandering:
        return None
    known = _weighed(mind, moment)
    drawn = draw(known.weights, count, moment.randomness(f"{mind.name} wandering {count}"))
    memories = quote_memories([known.nodes[place] for place in drawn], moment.now)
    return ChanceMemories(memories) if memories else None


def draw(weights: Sequence[float], count: int, chance: Random) -> list[int]:
    """Return the places of items, drawn by weight and without replacement; all if there are not enough."""
    left = dict(enumerate(weights))
    drawn: list[int] = []
    while left and len(drawn) < count:
        (place,) = chance.choices(list(left), list(left.values()))
        drawn.append(place)
        del left[place]
    return drawn


def _weighed(mind: Mind, moment: Moment) -> WeighedMemories:
    """Return what may come to mind; clustered anew only if that has changed since the last time."""
    nodes = _one_for_each_text(mind, moment)
    known = mind.weighed_memories
    if known is None or [node.number for node in known.nodes] != [node.number for node in nodes]:
        vectors = mind.stream.vectors.directions([node.embedding_key for node in nodes])
        known = mind.weighed_memories = WeighedMemories(nodes, rarity_weights(vectors))
    return known


def _one_for_each_text(mind: Mind, moment: Moment) -> list[ConceptNode]:
    """Return events and thoughts from before today, and from midnight, oldest first; the newest with each text.

    Those of today would have to be clustered each time.
    """
    midnight = moment.now.replace(hour=0, minute=0, second=0, microsecond=0)
    numbers = np.sort(np.concatenate([mind.stream.retrievable("event"), mind.stream.retrievable("thought")]))
    nodes = (mind.stream[int(number)] for number in numbers)
    newest = {node.embedding_key: node for node in nodes if node.created <= midnight}
    every = -(-len(newest) // MOST)
    return list(newest.values())[:: every or 1]
