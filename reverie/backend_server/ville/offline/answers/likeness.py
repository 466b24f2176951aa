"""Which memory has most to do with a question, by the words that the two share."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache

from ville.offline.answers.recollection import PREFIX
from ville.offline.grammar import FULL_NAME, sentences
from ville.offline.rule_types import Memory
from ville.offline.table import load, words

FILE = "interviews.yaml"
SHORTEST_STEM = 3
_WORD = re.compile(r"[^\W\d_][\w'’-]*|\d+")
_ENDINGS = re.compile(r"(?:['’]s?|ing|ed|es|s|e)$")
_DOUBLED = re.compile(r"([bdglmnprt])\1$")


@dataclass(frozen=True)
class Likeness:
    """A sentence that comes to mind at a question."""

    text: str
    when: datetime
    seen: bool
    """Whether it was seen; else it was thought, told, or belongs to the identity."""
    shared: frozenset[str]
    """Words that question and sentence share, without names."""
    names: frozenset[str]
    """Words of names that both have."""
    sure: bool
    """Whether it is about what was asked, and not only about a person or a thing in the question."""
    weight: int
    """Importance from 1 to 10."""

    @property
    def rank(self) -> tuple[bool, int, int, bool, int, datetime]:
        return (self.sure, len(self.shared), len(self.names), not self.seen, self.weight, self.when)


def likest(question: str, memories: Sequence[Memory], *, also: Sequence[str], now: datetime) -> list[Likeness]:
    """Return the sentences of memories, and of further texts, that share words with a question, the best first."""
    wanted, names = meaning(question), names_in(question, memories)
    found = (_likeness(text, memory, wanted, names, now=now) for text, memory in _told(memories, also))
    return sorted((each for each in found if each.shared or each.names), key=lambda each: each.rank, reverse=True)


def _told(memories: Sequence[Memory], also: Sequence[str]) -> Iterator[tuple[str, Memory | None]]:
    for memory in memories:
        yield from ((sentence, memory) for sentence in sentences(PREFIX.sub("", memory.text)))
    for text in also:
        yield from ((sentence, None) for sentence in sentences(text))


def _likeness(
    text: str, memory: Memory | None, wanted: frozenset[str], names: frozenset[str], *, now: datetime
) -> Likeness:
    here = meaning(text)
    shared, named = (wanted - names) & here, wanted & names & here
    whole = shared == wanted - names
    return Likeness(
        text, memory.when if memory else now, memory is not None and memory.kind == "event", shared, named,
        sure=bool(shared) and (whole or len(shared) > 1), weight=memory.poignancy if memory else 1,
    )  # fmt: skip


def names_in(question: str, memories: Sequence[Memory]) -> frozenset[str]:
    """Return the stems of the words of a question that belong to the names of persons."""
    known = {part for memory in memories for name in FULL_NAME.findall(memory.text) for part in name.split()}
    return frozenset(_stem(word.lower()) for word in _WORD.findall(question) if word in known and word[:1].isupper())


@lru_cache(maxsize=4096)
def meaning(text: str) -> frozenset[str]:
    """Return the stems of the words that carry the meaning of a text; those of words that mean the same are one."""
    meant = (word for word in _WORD.findall(text.lower()) if word not in words(FILE, "stopwords"))
    return frozenset(_alike().get(stem, stem) for stem in map(_stem, meant))


@cache
def _alike() -> dict[str, str]:
    """Return for the stem of each word of a line of `alike` the stem of its first word."""
    lines = [[_stem(word) for word in line.split()] for line in load(FILE)["alike"]]
    return {stem: line[0] for line in lines for stem in line}


@lru_cache(maxsize=16384)
def _stem(word: str) -> str:
    """`moving`, `moved` and `move` have one stem."""
    bare = _ENDINGS.sub("", word)
    stem = bare if len(bare) >= SHORTEST_STEM else word
    stem = _DOUBLED.sub(r"\1", stem)
    return f"{stem[:-1]}i" if stem.endswith("y") and len(stem) > SHORTEST_STEM else stem
