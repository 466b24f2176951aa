"""Answers what perceiving asks: how much the things noticed matter to this persona."""

import re
from functools import lru_cache
from random import Random

from llm.offline.people.person import person
from llm.offline.rule import Answer, Fields, Shelf
from llm.offline.thoughts.weights import TOUCHING, concerns_in, weight_of

MUNDANE, POIGNANT = 1, 10
ENOUGH = 2
"""Words of one's own concerns in a happening, from which on it touches one."""


def how_important(fields: Fields, rng: Random) -> Answer:
    del rng
    identity = fields["identity"]
    return {"scores": [importance(identity, happening) for happening in fields["happenings"]]}


@lru_cache(maxsize=32768)
def importance(identity: str, happening: str) -> int:
    """By the table of weights, and one more for what touches this person's own concerns."""
    weight = weight_of(happening)
    if weight not in TOUCHING:
        return max(MUNDANE, min(POIGNANT, weight))
    own = _concerns(identity)
    touched = len(own & set(re.findall(r"[a-z][a-z'-]{4,}", happening.lower()))) >= ENOUGH
    return min(POIGNANT, weight + (1 if touched else 0))


@lru_cache(maxsize=1024)
def _concerns(identity: str) -> frozenset[str]:
    return concerns_in(person(identity).currently.lower())


RULES: Shelf = {"perceive/how_important": how_important}
