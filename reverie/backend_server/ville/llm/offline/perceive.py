"""Answer what perceiving asks: how much the things noticed matter to this persona."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

from ville.llm.offline.grammar import FULL_NAME
from ville.llm.offline.profile import profile_of
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.table import load, rows, shows, words
from ville.llm.offline.ties import OVERHEARD

ORDINARY = 1
MOMENTOUS = 8
"""From this weight on, a happening weighs as much wherever it is met with."""
TALK, NEW_TO_ONE = 3, 2
"""What it weighs that somebody is talking, and how much more if it is about something one has not yet in mind."""
SIGHT = 3
"""The most that an everyday sight weighs: one sees such things all day."""
ENOUGH = 2
"""Words of one's own concerns in a happening, from which on it touches one."""
_DOING = re.compile(r"^(?:[A-Z][\w’'-]* ){1,4}is \w+ing\b")
_WORD = re.compile(r"[a-z][a-z'-]{4,}")


@dataclass(frozen=True)
class Weight:
    """A row of importance.yaml."""

    weight: int
    means: re.Pattern[str]


@cache
def weights(section: str) -> tuple[Weight, ...]:
    return rows(load("importance.yaml")[section], Weight)


@lru_cache(maxsize=32768)
def weight_of(happening: str) -> int:
    """Return what a happening weighs for anyone to whom it is new. Talk is weighed by those who hear it."""
    if shows("a thing", happening):
        return ORDINARY
    return next((row.weight for row in weights("weights") if row.means.search(happening)), ORDINARY)


def how_important(fields: Fields, rng: Random) -> Answer:
    del rng
    return {"scores": [_noticed(fields["identity"], happening) for happening in fields["happenings"]]}


def _noticed(identity: str, happening: str) -> int:
    """Return what something weighs that is seen: everyday sights never much."""
    weight = importance(identity, happening)
    sight = weight < MOMENTOUS and _DOING.match(happening) and OVERHEARD not in happening
    return min(weight, SIGHT) if sight else weight


@lru_cache(maxsize=32768)
def importance(identity: str, happening: str) -> int:
    """Return the weight of the table, and one more for what touches this person's own concerns."""
    if OVERHEARD in happening:
        return _weight_of_talk(identity, happening)
    weight = weight_of(happening)
    if weight == ORDINARY or weight >= MOMENTOUS:
        return weight
    touched = len(_concerns(identity) & set(_WORD.findall(happening.lower()))) >= ENOUGH
    return weight + (1 if touched else 0)


def _weight_of_talk(identity: str, happening: str) -> int:
    """Return the weight of talk: more for one's own, and most if it is about something that is not on one's mind."""
    about = happening.partition(OVERHEARD)[2]
    own = not FULL_NAME.match(happening) or happening.startswith(f"{profile_of(identity).name} is ")
    mind = profile_of(identity).currently.lower()
    words = _WORD.findall(about.lower())
    fresh = weight_of(about) > SIGHT and sum(word in mind for word in words) * 2 <= len(words)
    return TALK + (1 if own else 0) + (NEW_TO_ONE if own and fresh else 0)


@lru_cache(maxsize=1024)
def _concerns(identity: str) -> frozenset[str]:
    """The words of an identity that its person would prick up the ears at."""
    return frozenset(_WORD.findall(profile_of(identity).currently.lower())) - words("importance.yaml", "common")


RULES: Shelf = {"perceive/how_important": how_important}
