"""What people work on: their trade, their projects in their own words, and what they tell of themselves."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from ville.llm.offline.grammar import Pronoun, base_form, doing, first_of, is_third, predicates, sentences, to_first
from ville.llm.offline.hours import DATE
from ville.llm.offline.news import occasions, private
from ville.llm.offline.profile import Profile
from ville.llm.offline.table import load, rows, shape, shows, words

SHORTEST_FACT = 5
"""Words of what says too little to be told."""
_BEGUN = re.compile(r"^has (?:begun|started|taken up) (?:to )?(.+)")
LONGEST = 64
"""Characters of a project's name in a plan."""
_OF_ANOTHER = tuple((re.compile(own), told) for own, told in (
    (r" to [^,]*\bmy\b.*$| (?:to|for|by) myself\b", ""), (r"\bon my own\b", "alone"), (r"\bmy(?: own)?\b", "the"),
    (r"\bI\b", "they"), (r"\bme\b", "them"),
))  # fmt: skip


@dataclass(frozen=True)
class Trade:
    """A row of trades.yaml."""

    means: re.Pattern[str]
    work: tuple[str, ...]
    hours: tuple[int, ...] = (3, 3)
    """How long the mornings' and the afternoons' stretches are, for those who keep no fixed hours."""
    places: tuple[str, ...] = ()
    """Where it can be done, beside home."""


@dataclass(frozen=True)
class Fact:
    """Something that people say of themselves in a whole sentence."""

    told: str
    after: str
    """The topic that it goes on about; empty: it stands by itself."""


@cache
def _trades() -> tuple[Trade, ...]:
    return rows(load("trades.yaml"), Trade)


@lru_cache(maxsize=1024)
def trade_of(person: Profile) -> Trade:
    """Return the calling that an identity shows; what was learned counts before what goes on just now."""
    for text in (person.learned, person.currently, person.requirement):
        for trade in _trades()[:-1]:
            if text and trade.means.search(text):
                return trade
    pieces = [piece for sentence in sentences(person.learned)
              for piece in predicates(sentence, person.name, person.pronoun)]  # fmt: skip
    told = [re.sub(r"^is an? [^,.]*? who ", "", piece) for piece in pieces]
    own = tuple(
        base_form(_short(piece)) for piece in told if is_third(first_of(piece)) and not shape("not work").match(piece)
    )
    return Trade(re.compile(""), own) if own else _trades()[-1]


@lru_cache(maxsize=1024)
def projects_of(person: Profile) -> tuple[str, ...]:
    """Return what the person is busy with, in its own words, as in `writing a book about creativity`."""
    found = (_project(piece, person.pronoun) for piece in person.busy_with)
    return tuple(each for each in found if each)


def _project(predicate: str, pronoun: Pronoun) -> str:
    """Return the work in a predicate, or nothing. `is deep in her thesis` becomes `working on her thesis`."""
    if absorbed := shape("absorbed in").match(predicate):
        return _short(f"working on {absorbed[1]}")
    if begun := _BEGUN.match(predicate):
        thing = begun[1]
        if first_of(thing).endswith("ing"):
            return _short(doing(f"is {thing}"))
        noun = re.match(rf"(?:a|an|the|{pronoun.possessive})\b", thing)
        return _short(f"working on {thing}" if noun else doing(thing))
    if predicate.startswith("is ") and predicate.split()[1].endswith("ing") and not shows("not a project", predicate):
        return _short(predicate.removeprefix("is "))
    return ""


def _short(text: str) -> str:
    dated = DATE.search(text)
    cut = shape("ends a project").split(text[: dated.start()] if dated else text)[0].strip()
    while len(cut) > LONGEST and " " in cut:
        cut = re.sub(r"\s+(?:(?:of|for|about|with|behind|out of|from|in|on|to)\s)?\S*$", "", cut)
    return re.sub(r"\s+(?:and|or|of|for|about|with|the|a|on|in|to|from|his|her|their)$", "", cut)


@cache
def _occasion() -> re.Pattern[str]:
    """Occasions, and the verbs that prepare them: those are told as news, with their hour and place."""
    return re.compile(rf"\b(?:plan|prepar|organi[sz]|host|hold)\w*\b.*\b(?:{'|'.join(occasions())})\b")


@lru_cache(maxsize=1024)
def topics_of(person: Profile) -> tuple[str, ...]:
    """Return what a person is busy with, as it says it itself: `writing a book about creativity`."""
    said = list(projects_of(person))
    said += [
        re.split(r"[,;:]| who | because ", doing(piece), maxsplit=1)[0]
        for piece in person.busy_with
        if first_of(piece) in words("verbs.yaml", "telling")
        and not private().search(piece)
        and not shows("politics", piece)
    ]
    told = [own_words(each, person.pronoun) for each in said if not _no_topic(each)]
    return tuple(dict.fromkeys(told))


def _no_topic(text: str) -> bool:
    return bool(shows("vague", text) or _occasion().search(text) or DATE.search(text))


@lru_cache(maxsize=1024)
def facts_of(person: Profile) -> tuple[Fact, ...]:
    """Return what a person's sheet says beside the topics, as `I have thrown away its opening chapter three times`."""
    found: list[Fact] = []
    for sentence in (*sentences(person.currently), *sentences(person.learned)):
        begins = re.match(rf"(?:{re.escape(person.first)}|(?i:{person.pronoun.subject}))\b(?!['’]s)", sentence)
        if begins and not (DATE.search(sentence) or shows("heard of", sentence) or private().search(sentence)):
            found += _facts_in(sentence, person)
    return tuple(found)


def _facts_in(sentence: str, person: Profile) -> Iterable[Fact]:
    after = ""
    for piece in predicates(sentence, person.name, person.pronoun):
        told = f"{to_first(re.sub(r'^is an? [^,.]*? who ', '', piece), person.pronoun)}."
        own = own_words(doing(piece), person.pronoun), own_words(_project(piece, person.pronoun), person.pronoun)
        topic = next((topic for topic in topics_of(person) if own[0].startswith(topic) or own[1] == topic), "")
        occasion = any(re.search(rf"\b{name}\b", piece) for name in occasions())
        if topic:
            after = topic
        elif not (shows("not a fact", piece) or shows("politics", piece) or occasion):
            leans = bool(shows("leans on what was said", piece))
            if (after or not leans) and len(told.split()) > SHORTEST_FACT:
                yield Fact(told, after if leans else "")


def own_words(text: str, pronoun: Pronoun) -> str:
    """`finishing his paintings` becomes `finishing my paintings`."""
    return to_first(f"is {text}", pronoun).removeprefix("I'm ")


def to_listener(text: str) -> str:
    """`finishing his paintings` and `finishing my paintings` become `finishing your paintings`."""
    return re.sub(r"\b(?:his|her|their|my)\b", "your", text)


def of_another(text: str) -> str:
    """`finishing my paintings` becomes `finishing the paintings`: it goes with any name and pronoun."""
    for own, told in _OF_ANOTHER:
        text = own.sub(told, text)
    return text


def politics(texts: Iterable[str]) -> int:
    """Return 1 for those who like to talk about elections, -1 for those who leave the room, 0 for the rest."""
    found = [_politics_in(text) for text in texts]
    return -1 if -1 in found else max(found, default=0)


@lru_cache(maxsize=32768)
def _politics_in(text: str) -> int:
    if not shows("politics", text):
        return 0
    return -1 if shows("averse to politics", text) else 1 if shows("fond of politics", text) else 0
