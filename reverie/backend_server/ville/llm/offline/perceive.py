"""Answers what perceiving asks: how much the things noticed matter to this persona."""

import re
from functools import lru_cache
from random import Random

from ville.llm.offline.english.grammar import FULL_NAME
from ville.llm.offline.people.news import OVERHEARD
from ville.llm.offline.people.person import person
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.thoughts.weights import (
    MOMENTOUS,
    NEW_TO_ONE,
    ORDINARY,
    SIGHT,
    TALK,
    concerns_in,
    is_sight,
    weight_of,
)

ENOUGH = 2
"""Words of one's own concerns in a happening, from which on it touches one."""


def how_important(fields: Fields, rng: Random) -> Answer:
    del rng
    return {"scores": [_noticed(fields["identity"], happening) for happening in fields["happenings"]]}


def _noticed(identity: str, happening: str) -> int:
    """What something weighs that one sees: everyday sights never much."""
    weight = importance(identity, happening)
    return min(weight, SIGHT) if weight < MOMENTOUS and is_sight(happening) and OVERHEARD not in happening else weight


@lru_cache(maxsize=32768)
def importance(identity: str, happening: str) -> int:
    """By the table of weights, and one more for what touches this person's own concerns."""
    if OVERHEARD in happening:
        return _weight_of_talk(identity, happening)
    weight = weight_of(happening)
    if weight == ORDINARY or weight >= MOMENTOUS:
        return weight
    touched = len(_concerns(identity) & set(re.findall(r"[a-z][a-z'-]{4,}", happening.lower()))) >= ENOUGH
    return weight + (1 if touched else 0)


def _weight_of_talk(identity: str, happening: str) -> int:
    """One's own talk weighs more than other people's; what one has in mind already excites nobody any more."""
    about = happening.partition(OVERHEARD)[2]
    own = not FULL_NAME.match(happening) or happening.startswith(f"{person(identity).name} is ")
    fresh = any(weight_of(part) > SIGHT and not _in_mind(identity, part) for part in about.split(" and "))
    return TALK + (1 if own else 0) + (NEW_TO_ONE if own and fresh else 0)


@lru_cache(maxsize=8192)
def _in_mind(identity: str, topic: str) -> bool:
    """Whether what somebody is busy with holds most of a topic's words."""
    words = set(re.findall(r"[a-z][a-z'-]{4,}", topic.lower()))
    mind = person(identity).currently.lower()
    return sum(word in mind for word in words) * 2 > len(words)


@lru_cache(maxsize=1024)
def _concerns(identity: str) -> frozenset[str]:
    return concerns_in(person(identity).currently.lower())


RULES: Shelf = {"perceive/how_important": how_important}
