"""Answer the question of perceiving: how important events are to a persona."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

from ville.offline.grammar import FULL_NAME
from ville.offline.incidents import known_trouble
from ville.offline.profile import profile_of
from ville.offline.rule_types import Answer, Fields, Shelf
from ville.offline.table import load, rows, shows, words
from ville.offline.talks.ties import OVERHEARD

ORDINARY = 1
MOMENTOUS = 8
"""Events of at least this importance are not adjusted."""
NEWS = 6
"""Importance from which the words of a text alone make it news."""
TALK, NEW_TO_ONE = 3, 2
"""Importance of a conversation, and its increase if the subject is new to the persona."""
SIGHT = 3
"""Maximum importance of an everyday sight."""
ENOUGH = 2
"""Words shared with `currently` that make an event a concern of the persona."""
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
    """Return the importance of an event other than talk, the same for everyone."""
    if shows("a thing", happening):
        return ORDINARY
    return next((row.weight for row in weights("weights") if row.means.search(happening)), ORDINARY)


def weight_of_news(text: str) -> int:
    """Return the importance of a text that is news by its words alone, such as a love or a party; 0 for any other.

    Small models call everything small news.
    """
    weight = weight_of(text)
    return weight if weight >= NEWS else 0


def how_important(fields: Fields, rng: Random) -> Answer:
    del rng
    happenings = enumerate(fields["happenings"], 1)
    return {str(number): _noticed(fields["identity"], happening) for number, happening in happenings}


def _noticed(identity: str, happening: str) -> int:
    """Return the importance of something seen; everyday sights are capped, unusual ones have their own."""
    if trouble := known_trouble(happening):
        return trouble.weight
    weight = importance(identity, happening)
    sight = weight < MOMENTOUS and _DOING.match(happening) and OVERHEARD not in happening
    return min(weight, SIGHT) if sight else weight


@lru_cache(maxsize=32768)
def importance(identity: str, happening: str) -> int:
    """Return the importance by the table, plus one for the persona's own concerns."""
    if OVERHEARD in happening:
        return _weight_of_talk(identity, happening)
    weight = weight_of(happening)
    if weight == ORDINARY or weight >= MOMENTOUS:
        return weight
    touched = len(_concerns(identity) & set(_WORD.findall(happening.lower()))) >= ENOUGH
    return weight + (1 if touched else 0)


def _weight_of_talk(identity: str, happening: str) -> int:
    """Return the importance of talk: higher for one's own, and for a new subject."""
    about = happening.partition(OVERHEARD)[2]
    own = not FULL_NAME.match(happening) or happening.startswith(f"{profile_of(identity).name} is ")
    mind = profile_of(identity).currently.lower()
    words = _WORD.findall(about.lower())
    fresh = weight_of(about) > SIGHT and sum(word in mind for word in words) * 2 <= len(words)
    return TALK + (1 if own else 0) + (NEW_TO_ONE if own and fresh else 0)


@lru_cache(maxsize=1024)
def _concerns(identity: str) -> frozenset[str]:
    """Return the words of `currently` that mark the persona's concerns."""
    return frozenset(_WORD.findall(profile_of(identity).currently.lower())) - words("importance.yaml", "common")


RULES: Shelf = {"perceive/how_important": how_important, "perceive/how_important_briefly": how_important}
