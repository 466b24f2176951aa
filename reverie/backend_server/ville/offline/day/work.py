"""Work of a persona: its trade, its projects in its own words, and facts that it tells about itself."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from ville.offline.day.hours import DATE
from ville.offline.grammar import Pronoun, base_form, doing, first_of, is_third, predicates, sentences, to_first
from ville.offline.profile import Profile
from ville.offline.table import load, rows, shape, shows, words
from ville.offline.talks.news import occasions, private

SHORTEST_FACT = 5
"""Facts of at most so many words are not told."""
_BEGUN = re.compile(r"^has (?:begun|started|taken up) (?:to )?(.+)")
LONGEST = 64
"""Maximum characters of a project in a plan."""
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
    """Hours of work before and after lunch, without fixed hours."""
    places: tuple[str, ...] = ()
    """Places besides home."""


@dataclass(frozen=True)
class Fact:
    """A sentence in which a persona tells something about itself."""

    told: str
    after: str
    """The topic that it continues; empty if it stands alone."""


@cache
def _trades() -> tuple[Trade, ...]:
    return rows(load("trades.yaml"), Trade)


@lru_cache(maxsize=1024)
def trade_of(person: Profile) -> Trade:
    """Return the trade of a profile, by `learned`, then `currently`, then the daily requirement."""
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
    """Return current projects as the identity words them: `writing a book about creativity`."""
    found = (_project(piece, person.pronoun) for piece in person.busy_with)
    return tuple(each for each in found if each)


def _project(predicate: str, pronoun: Pronoun) -> str:
    """Return the work in a predicate, or an empty string. `is deep in her thesis` becomes `working on her thesis`."""
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
    """Return a pattern of preparations for occasions, which are told as news instead."""
    return re.compile(rf"\b(?:plan|prepar|organi[sz]|host|hold)\w*\b.*\b(?:{'|'.join(occasions())})\b")


@lru_cache(maxsize=1024)
def topics_of(person: Profile) -> tuple[str, ...]:
    """Return projects and habits in the first person: `finishing my book about creativity`."""
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
    """Return facts besides the topics: `I have thrown away its opening chapter three times.`"""
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
    """Turn `finishing his paintings` into `finishing my paintings`."""
    return to_first(f"is {text}", pronoun).removeprefix("I'm ")


def to_listener(text: str) -> str:
    """Turn `finishing his paintings` into `finishing your paintings`."""
    return re.sub(r"\b(?:his|her|their|my)\b", "your", text)


def of_another(text: str) -> str:
    """Turn `finishing my paintings` into `finishing the paintings`, which fits any name and pronoun."""
    for own, told in _OF_ANOTHER:
        text = own.sub(told, text)
    return text


def politics(texts: Iterable[str]) -> int:
    """Return 1 if texts show interest in elections, -1 if dislike, else 0."""
    found = [_politics_in(text) for text in texts]
    return -1 if -1 in found else max(found, default=0)


@lru_cache(maxsize=32768)
def _politics_in(text: str) -> int:
    if not shows("politics", text):
        return 0
    return -1 if shows("averse to politics", text) else 1 if shows("fond of politics", text) else 0
