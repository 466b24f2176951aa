"""Everyday words for places and objects of a map, in the languages of the pages (`other_words.yaml`)."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

import yaml

FILE = Path(__file__).with_name("other_words.yaml")

Words = Mapping[str, list[str]]
"""Other words by name."""


def words_for_object(name: str) -> list[str]:
    """Return other words for an object: those of all names that its name contains, the longest first."""
    return _of(name, _known()["objects"])


def words_for_place(name: str) -> list[str]:
    """Return the same for a sector or an arena."""
    return _of(name, _known()["places"])


@lru_cache(maxsize=1000)
def names_called(word: str) -> tuple[str, ...]:
    """Return the names for which this is another word, in the singular or plural: `cooking area` for `Stoves`."""
    said = word.casefold().strip()
    known = [row for words in _known().values() for row in words.items()]
    return tuple(dict.fromkeys(name for name, words in known if {said, said.removesuffix("s")} & set(words)))


def _of(name: str, known: Words) -> list[str]:
    inside = [each for each in known if re.search(rf"\b{re.escape(each)}\b", name, re.IGNORECASE)]
    return list(dict.fromkeys(word for each in sorted(inside, key=len, reverse=True) for word in known[each]))


@cache
def _known() -> Mapping[str, Words]:
    """Return the words for objects and for places, read once."""
    read: Mapping[str, Words] = yaml.safe_load(FILE.read_text("utf-8"))
    return read
