"""Recognize personas in texts: by full name, by first name alone, and by inflected forms (Russian)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TypedDict

import yaml

from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.persona.memory_structures.stream.growing_array import Array, GrowingArray
from ville.storage.dates import DAYS, MONTHS

FILE = Path(__file__).with_suffix(".yaml")
WORD = re.compile(r"[\u0400-\u04ff]+|[^\W\d_\u0400-\u04ff]+")
"""A run of letters of one script, so that Latin names with Cyrillic endings are recognized."""
CAPITAL = "[A-Z\u0410-\u042f\u0401]"
YO = ("\u0451", "\u0435")
"""A letter and the one that is often written for it."""
CYRILLIC = re.compile(r"[\u0400-\u04ff]")
NO_WORD = ""
"""Stands for any word, in the index of names."""


@dataclass(frozen=True)
class PersonName:
    """The ways in which texts name one persona. Words are in lower case."""

    full: re.Pattern[str]
    first: frozenset[str]
    """Forms of the first name."""
    last: frozenset[str]
    """Forms of the last name, which may follow."""
    alone: frozenset[str]
    """Forms of the first name that mean this persona without a last name."""

    def named_in(self, text: str) -> bool:
        """Return whether a text names the persona. A first name before another capitalized name does not."""
        if self.full.search(text):
            return True
        low = text.lower()
        if not any(form in low for form in self.first):
            return False
        words = list(WORD.finditer(text))
        return any(self._is_meant(text, word, following) for word, following in pairwise([*words, None]) if word)

    def _is_meant(self, text: str, word: re.Match[str], following: re.Match[str] | None) -> bool:
        form = word[0].lower()
        if form not in self.first or not word[0][0].isupper():
            return False
        surname = following[0] if following and text[word.end() : following.start()].isspace() else ""
        return surname.lower() in self.last if len(surname) > 1 and surname[0].isupper() else form in self.alone


@lru_cache(maxsize=16384)
def person_name(name: str, namesakes: tuple[str, ...] = ()) -> PersonName:
    """Return how texts name a persona. Forms that may also mean a namesake do not count without a last name."""
    if name[:1].islower():  # a description, such as "a news reporter"
        return PersonName(_full_name(name), frozenset(), frozenset(), frozenset())
    first, *others = name.split()
    forms = _forms(first)
    taken = frozenset(form for namesake in namesakes for word in namesake.split() for form in _forms(word))
    return PersonName(_full_name(name), forms, _forms(others[-1] if others else ""), forms - taken - _common())


class Names(tuple[str, ...]):  # noqa: SLOT001 - its index is kept in it
    """Names of people, in order, with an index by the words that texts use for them."""

    @cached_property
    def _by_part(self) -> Mapping[str, Sequence[int]]:
        """Places of the names in which a form of a first or last name occurs."""
        return _index({form for word in name.split() for form in _forms(word)} for name in self)

    @cached_property
    def _by_word(self) -> Mapping[str, Sequence[int]]:
        """Places of the names that a text may mean in which a word occurs; NO_WORD: in any text."""
        return _index(map(_words_of, self))

    def namesakes(self, name: str) -> tuple[str, ...]:
        """Return the others of whom a part of the name may be mistaken for the first name of this persona."""
        others = self._at(self._by_part, _forms(name.split(maxsplit=1)[0]))
        return tuple(other for other in others if other != name)

    def perhaps_in(self, text: str) -> list[str]:
        """Return the names that a text may name: all that it does name, and few others."""
        words = WORD.findall(text)
        return self._at(self._by_word, {NO_WORD, *map(str.lower, words), *map(_folded, words)})

    def _at(self, index: Mapping[str, Sequence[int]], words: Iterable[str]) -> list[str]:
        return [self[place] for place in sorted({place for word in words for place in index.get(word, ())})]


@lru_cache(maxsize=4096)
def names_of(*people: str) -> Names:
    """Return names with their index, which is made once."""
    return Names(people)


def _index(words_of_all: Iterable[Iterable[str]]) -> Mapping[str, Sequence[int]]:
    index: dict[str, list[int]] = {}
    for place, words in enumerate(words_of_all):
        for word in words:
            index.setdefault(word, []).append(place)
    return index


def _words_of(name: str) -> set[str]:
    """Return words of which each text that names a persona has one: forms of the first name, or the first word."""
    word = WORD.search(name)
    if word is None or name.lower() == name.upper():
        return {NO_WORD}
    return {_folded(word[0]), *(() if name[0].islower() else _forms(name.split(maxsplit=1)[0]))}


def _folded(word: str) -> str:
    """Return what is the same for all spellings of a word that regular expressions take for the same."""
    return word.casefold().replace("\u0131", "i").replace("i\u0307", "i")


def _full_name(name: str) -> re.Pattern[str]:
    """Return a pattern of the full name as whole words; scripts without capitals have no blanks between words.

    A name of one word counts only in its own case and without a last name: `Rose`, but neither `rose` nor `Rose Lin`.
    """
    pattern = re.escape(name)
    if name.lower() == name.upper():
        return re.compile(pattern)
    if " " in name:
        return re.compile(rf"(?<!\w){pattern}(?!\w)", re.IGNORECASE)
    return re.compile(rf"(?<!\w){pattern}(?!\w)(?!\s{CAPITAL}\w)")


@cache
def _forms(word: str) -> frozenset[str]:
    """Return a name as written in Latin and in Russian, with Russian endings, in lower case."""
    spellings = [word, *_table()["spellings"].get(word, [])]
    stems = {stem for spelling in map(str.lower, spellings) for stem in (spelling, spelling.replace(*YO))}
    return frozenset(form for stem in stems for form in _inflected(stem))


def _inflected(word: str) -> list[str]:
    if not CYRILLIC.search(word):
        return [word] if word else []
    endings = _table()["endings"]
    if word[-1] in endings:
        return [word[:-1] + ending for ending in endings[word[-1]]]
    return [word + ending for ending in endings["consonant"]]


@cache
def _common() -> frozenset[str]:
    """Return first names that are also words, months or days."""
    return frozenset(" ".join([*_table()["common"], *MONTHS, *DAYS]).lower().split())


class _Table(TypedDict):
    """The file of how texts name people."""

    common: list[str]
    spellings: dict[str, list[str]]
    endings: dict[str, list[str]]


@cache
def _table() -> _Table:
    table: _Table = yaml.safe_load(FILE.read_text("utf-8"))
    return table


class NameIndex:
    """Memories that name each persona. Every memory is searched once for each persona asked for."""

    def __init__(self) -> None:
        self._found: dict[PersonName, tuple[int, GrowingArray]] = {}

    def naming(self, person: PersonName, nodes: list[ConceptNode]) -> Array:
        """Return the numbers of the nodes that name a persona, in order. `nodes` may only have grown."""
        searched, found = self._found.get(person) or (0, GrowingArray("int64"))
        for node in nodes[searched:]:
            if person.named_in("\n".join((node.description, node.embedding_key, *node.keywords))):
                found.append(node.number)
        self._found[person] = len(nodes), found
        return found.values
