"""Private places, as their names tell: `Ada Stone's room`, `Lin family's house`, `комната Анны Смирновой`."""

# ruff: noqa: RUF001 - Russian

import re
from functools import lru_cache

AFTER_OWNER = "house|home|apartment|flat|cabin|studio|place|room|bedroom|bathroom"
BEFORE_OWNER = "дом|квартира|комната|спальня|студия|мастерская|ванная(?: комната)?"
DWELLING = re.compile(
    rf"(?P<english>.+?)['’]s? (?:.* )?(?:{AFTER_OWNER})|(?:{BEFORE_OWNER}) (?:семьи )?(?P<russian>.+)", re.IGNORECASE
)
BETWEEN = re.compile(r", | and | & | и ")
NO_NAMES = {
    "the", "family", "mr.", "mrs.", "ms.", "dr.", "prof.", "man", "men", "woman", "women", "boy", "boys", "girl",
    "girls", "gentleman", "gentlemen", "lady", "ladies", "child", "children", "kid", "kids", "student", "students",
    "teacher", "teachers", "staff", "employee", "employees", "guest", "guests", "visitor", "visitors",
}  # fmt: skip
"""Words that are no part of a person's name, though names of places may capitalise them."""
ENDING = re.compile("(?:[ыи]х|[аеёиоуыэюяьй]+)$")
"""Matches the endings that differ between the cases of a Russian name."""
FLEETING = re.compile("[ео](?=[^аеёиоуыэюя]$)")
"""Vowel that some cases of a Russian name lack: `Павел`, `Павла`."""


def may_use(place: str, person: str) -> bool:
    """Return whether a sector or an arena is public, or named after a person or its family."""
    owners = _owners(place)
    names = {_stem(word) for word in person.split()}
    return not owners or any(owner <= names for owner in owners)


@lru_cache(maxsize=4096)
def _owners(place: str) -> tuple[frozenset[str], ...]:
    """Return the names of each owner; none for `artist's co-living space` or `Men's bathroom`, which name no person."""
    found = DWELLING.fullmatch(place)
    named = BETWEEN.split(found["english"] or found["russian"]) if found else []
    people = [[_stem(word) for word in owner.split() if _may_be_name(word)] for owner in named]
    last_name = people[-1][-1:] if people and len(people[-1]) > 1 else []
    return tuple(frozenset(person if len(person) > 1 else person + last_name) for person in people if person)


def _may_be_name(word: str) -> bool:
    return word[0].isupper() and word.lower() not in NO_NAMES


@lru_cache(maxsize=4096)
def _stem(name: str) -> str:
    """Return what all cases of a Russian name share, and any other name as it is."""
    return FLEETING.sub("", ENDING.sub("", name.replace("ё", "е")))
