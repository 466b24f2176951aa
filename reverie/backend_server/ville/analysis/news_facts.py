"""Facts that may have spread in a run, and how each is recognized in what people say and think."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.known_names import is_named
from ville.analysis.measures import NewsTopic, utterances
from ville.analysis.paper_measures import CANDIDACY, PARTY
from ville.errors import BadArgument
from ville.persona.memory_structures.facts.fact_words import SHARE, fact_words
from ville.plain_text import shortened
from ville.storage.records.intervention_log import Row

By = Literal["pattern", "words", "meaning"]
"""How a text stands for a fact: as a regular expression, by the words that say what it is about, or by its meaning."""
WAYS: tuple[By, ...] = get_args(By)
KNOWN = {"party": PARTY, "candidacy": CANDIDACY}
SIGHTS = ("event", "object")
"""Kinds of interventions that are seen, not told."""
PLANTED = ("whisper", "memory_add", "history", *SIGHTS)
"""Kinds of interventions that bring a fact into a run."""
ENOUGH = 3
"""Words of a fact that have to be said, or all of them, if it has fewer."""
LONGEST = 120
"""Characters of the name of a fact."""
_YOU = re.compile(r"\b(?:you|your|yours|ты|тебя|тебе|твой|твоя|вы|вас|вам|ваш|ваша)\b", re.IGNORECASE)
_END = re.compile(r"(?<=[.!?…])\s+")
Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Returns the vectors of texts, of length 1, by the embedder of a run. Raises BadArgument if that would cost calls."""


@dataclass(frozen=True)
class SaidWords:
    """Recognizes a fact by most of the words that say what it is about, however they are put."""

    wanted: frozenset[str]

    def search(self, string: str, /) -> bool:
        said = fact_words(string)
        common = len(self.wanted & said)
        least = min(ENOUGH, len(self.wanted))
        return 0 < least <= common and common >= SHARE * min(len(self.wanted), len(said))


@dataclass(frozen=True)
class NearSentences:
    """Recognizes a fact by the sentences of a run that mean about the same."""

    near: frozenset[str]

    def search(self, string: str, /) -> bool:
        return not self.near.isdisjoint(sentences(string))


class PlantedFact(NamedTuple):
    """A fact that an intervention brought into a run."""

    key: str
    """By which it is chosen: `#3`, row 3 of the log; `#1.20`, the twentieth whisper of a history."""
    kind: str
    step: int
    who: str
    """Who was told; empty for what happens at a place."""
    words: str


def planted_facts(rows: Iterable[Row]) -> list[PlantedFact]:
    """Return all facts that the interventions of a run brought into it, in their order."""
    return [fact for row in rows if row["kind"] in PLANTED for fact in _facts_of(row)]


def _facts_of(row: Row) -> Iterator[PlantedFact]:
    pairs = row.get("rows")
    told = pairs if isinstance(pairs, list) else []
    for place, (name, said) in enumerate(told, 1):
        yield PlantedFact(f"#{row['n']}.{place}", row["kind"], row["step"], str(name), str(said))
    words = str(row.get("words") or "")
    if row["kind"] == "object":
        words = f"{str(row.get('where', '')).rpartition(':')[2]} is {row.get('state', '')}"
    if words and not told:
        yield PlantedFact(f"#{row['n']}", row["kind"], row["step"], str(row.get("who") or ""), words)


def find_fact(run: ComparedRun, text: str, by: By = "pattern", *, embed: Embed | None = None) -> NewsTopic:
    """Return the fact that a text names: `party`, `candidacy`, a planted one (`#3`), or what it says itself.

    Raises BadArgument.
    """
    if text in KNOWN:
        return KNOWN[text]
    if text.startswith("#"):
        return _planted_topic(run, text)
    if by == "pattern":
        return NewsTopic.matching(text)
    name = f"“{shortened(text, LONGEST)}”"
    if by == "meaning":
        return NewsTopic(name, _near_sentences(run, text, embed))
    return _topic(run, text, name)


def _planted_topic(run: ComparedRun, key: str) -> NewsTopic:
    facts = planted_facts(run.rows)
    fact = next((each for each in facts if each.key == key), None)
    if fact is None:
        known = ", ".join(each.key for each in facts[:ENOUGH]) or "none"
        raise BadArgument(f"{run.name} has no planted fact {key}; there are {len(facts)}: {known} …")
    about = fact.who if _YOU.search(fact.words) else ""
    name = f"“{shortened(fact.words, LONGEST)}”"
    return _topic(run, fact.words, name, about=about, is_sight=fact.kind in SIGHTS)


def _topic(run: ComparedRun, text: str, name: str, *, about: str = "", is_sight: bool = False) -> NewsTopic:
    """Return a fact by its words; if it names a resident, it is about them, whoever says what of it.

    Raises BadArgument.
    """
    named = [person for person in run.people if is_named(person, text)]
    wanted = fact_words(text) - fact_words(" ".join(named))
    if not wanted:
        raise BadArgument(f"“{text}” has no words to search for. Use some of four letters or more, or a pattern.")
    source = "" if is_sight else about or next(iter(named), "")
    return NewsTopic(name, SaidWords(wanted), source, is_sight=is_sight)


def _near_sentences(run: ComparedRun, text: str, embed: Embed | None) -> NearSentences:
    """Return what was said and thought and is nearer to a text than half way from what is usual in the run.

    Nearness is the cosine; the usual one is the mean over all sentences, so that it does not matter how far apart an
    embedder puts them. Raises BadArgument.
    """
    if embed is None:
        raise BadArgument("Facts are found by meaning only where an embedder is at hand. Use words, or a pattern.")
    spoken = list(dict.fromkeys(each for words in _texts(run) for each in sentences(words)))
    if not spoken:
        return NearSentences(frozenset())
    vectors = embed([text, *spoken])
    near = vectors[1:] @ vectors[0]
    limit = (1.0 + float(near.mean())) / 2
    return NearSentences(frozenset(each for each, cosine in zip(spoken, near, strict=True) if cosine > limit))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return _END.split(text)


def _texts(run: ComparedRun) -> Iterable[str]:
    return (words for name in run.people for node in run.memories[name] for _, words in utterances(name, node))
