"""What people talk about when there is no news: what each of them is at, and whom they saw doing what."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from ville.llm.offline.english.grammar import FULL_NAME, Pronoun, predicates, sentences, to_first
from ville.llm.offline.english.hours import DATE
from ville.llm.offline.english.verbs import doing
from ville.llm.offline.english.wordlist import first_of, words
from ville.llm.offline.people.news import OCCASIONS, OVERHEARD, PRIVATE
from ville.llm.offline.people.person import HEARD, Person
from ville.llm.offline.people.trades import project, projects_of

TELLING = words("""
    takes writes draws paints trains learns looks reads edits teaches follows practises composes makes goes pays tries
    helps streams plays collects builds plans grows cooks bakes repairs studies counts photographs keeps gathers visits
    """)
"""Verbs of a `currently` that make a topic."""
NO_TOPIC = (
    "giving|running for|coming|going to|getting|afraid|sure|glad|not|told|being|having|hoping|standing|sitting"
    "|something|anything|nothing|everything|morning|evening|calling|seeing|talking|saying"
)
"""After `I'm`, these do not begin what somebody is at."""
SAID = re.compile(
    rf"\b(?:I'm|I am|I have been|me|about|at)\s((?!{NO_TOPIC})\w+ing\b[^.,;!?]*?)"
    r"(?= these days| today| day in| and I could| and it takes|[.,;!?]|$)"
)
"""Somebody's own words about what they are at."""
FOUND_OUT = re.compile(rf"({FULL_NAME.pattern}) is ((?!giving|running)\w+ing\b [^.,;]+)")
LITTLE_WHILE = timedelta(hours=1)
PARTS = ((5, "evening"), (12, "morning"), (18, "afternoon"), (24, "evening"))
"""Hour by which a part of the day is over; who is up before dawn has not been to bed yet."""
_SEEN = re.compile(rf"^({FULL_NAME.pattern}) is (\w+ing\b[^.;(]*)")
_DULL = re.compile(
    r"\b(?:sleeping|conversing|waiting|idle|toilet|getting dressed|shower|teeth|brushing|in bed|into bed|out of bed)\b"
)
_VAGUE = re.compile(
    r"\b(?:part|there|the one|the other|them|the results|more|a great deal|the footnotes|it|in between|whatever|son"
    r"|daughter|wife|husband)\b|the people$|^taking (?=.*\b(?:sheets|to pieces)\b)"
)
"""What points to something that was not said: no topic to begin with."""
_LEANS = re.compile(r"\b(?:its|it|them|there|between|the one|the other|the results|more|a great deal|part of)\b")
"""What a fact says that goes on about what was said before."""
SHORTEST_FACT = 5
"""Words of what says too little to be told."""
_NO_FACT = re.compile(
    r"^(?:is (?:an? (?!.*\bwho\b)|the\b)|lives|shares|owns|manages|runs|ends|wants|means|wonders|likes to|goes to his"
    r"|keeps|studies (?:there|during)|will)\b|\b(?:wife|husband|son|daughter)\b|^has something to eat"
    rf"|\b(?:{'|'.join(OCCASIONS)})\b"
)
_OCCASION = re.compile(rf"\b(?:plan|prepar|organi[sz]|host|hold)\w*\b.*\b(?:{'|'.join(OCCASIONS)})\b")
_PREPARATIONS = re.compile(r"\b(?:decorat|invit|suppl|guests)\w*")
_OF_ANOTHER = tuple((re.compile(own), told) for own, told in (
    (r" to [^,]*\bmy\b.*$| (?:to|for|by) myself\b", ""), (r"\bon my own\b", "alone"), (r"\bmy(?: own)?\b", "the"),
    (r"\bI\b", "they"), (r"\bme\b", "them"),
))  # fmt: skip
POLITICS = re.compile(r"\b(?:mayor|mayoral|election|politics|candida\w+)\b", re.IGNORECASE)
_EAGER = re.compile(
    r"\b(?:curious|wants? to know|would love to know|asks?|favourite subject|interest in|follows? politics|wonders?"
    r"|chats? (?:with"
    r"|about)|talks? politics|like to work out|likes? to reckon)\b", re.IGNORECASE
)  # fmt: skip
_AVERSE = re.compile(r"does not interest|not care for|leaves the room|no interest in|bored by", re.IGNORECASE)


@dataclass(frozen=True)
class Sighting:
    """Somebody seen doing something."""

    who: str
    doing: str
    when: datetime


@lru_cache(maxsize=1024)
def topics_of(person: Person) -> tuple[str, ...]:
    """What a person is at, as it speaks of it: `writing a book about creativity`, `taking classes in tax law`."""
    said = list(projects_of(person))
    said += [
        re.split(r"[,;:]| who | because ", doing(piece), maxsplit=1)[0]
        for piece in person.busy_with
        if first_of(piece) in TELLING and not PRIVATE.search(piece) and not POLITICS.search(piece)
    ]
    return tuple(dict.fromkeys(own_words(words, person.pronoun) for words in said if not _no_topic(words)))


@dataclass(frozen=True)
class Fact:
    """Something that people say of themselves in a whole sentence."""

    told: str
    after: str
    """The topic that it goes on about; empty: it stands by itself."""


@lru_cache(maxsize=1024)
def facts_of(person: Person) -> tuple[Fact, ...]:
    """What a person's sheet says beside the topics, as `I have thrown away its opening chapter three times`."""
    found: list[Fact] = []
    for sentence in (*sentences(person.currently), *sentences(person.learned)):
        begins = re.match(rf"(?:{re.escape(person.first)}|(?i:{person.pronoun.subject}))\b(?!['’]s)", sentence)
        if begins and not (DATE.search(sentence) or HEARD.search(sentence) or PRIVATE.search(sentence)):
            found += _facts_in(sentence, person)
    return tuple(found)


def _facts_in(sentence: str, person: Person) -> list[Fact]:
    found, after = [], ""
    for piece in predicates(sentence, person.name, person.pronoun):
        told = f"{to_first(re.sub(r'^is an? [^,.]*? who ', '', piece), person.pronoun)}."
        topic = next((topic for topic in topics_of(person) if _is_of(topic, piece, person)), "")
        if topic:
            after = topic
        elif not _NO_FACT.search(piece) and not POLITICS.search(piece) and not _OCCASION.search(piece):
            leans = bool(_LEANS.search(piece))
            if (after or not leans) and len(told.split()) > SHORTEST_FACT:
                found.append(Fact(told, after if leans else ""))
    return found


def _is_of(topic: str, piece: str, person: Person) -> bool:
    """Whether a predicate is where a topic comes from."""
    return own_words(doing(piece), person.pronoun).startswith(topic) or topic in {
        own_words(words, person.pronoun) for words in (project(piece, person.pronoun),) if words
    }


def _no_topic(words: str) -> bool:
    """What points to something unsaid, and occasions: those are told as news, with their hour and place."""
    return bool(_VAGUE.search(words) or _OCCASION.search(words) or DATE.search(words))


def still_at(topic: str, *, prepares: bool) -> bool:
    """Whether a topic is worth speaking of: preparations are only as long as something lies ahead."""
    return prepares or not _PREPARATIONS.search(topic)


def own_words(words: str, pronoun: Pronoun) -> str:
    """`finishing his paintings` becomes `finishing my paintings`."""
    return to_first(f"is {words}", pronoun).removeprefix("I'm ")


def to_listener(words: str) -> str:
    """`finishing his paintings` and `finishing my paintings` become `finishing your paintings`."""
    return re.sub(r"\b(?:his|her|their|my)\b", "your", words)


def of_another(words: str) -> str:
    """`finishing my paintings` becomes `finishing the paintings`: it names nobody, so it goes with any pronoun."""
    for own, told in _OF_ANOTHER:
        words = own.sub(told, words)
    return words


def at_in(said: str) -> str:
    """What somebody says that they are at, or nothing."""
    found = SAID.search(said)
    return found[1].strip() if found and len(found[1].split()) > 1 else ""


def known_about(texts: Iterable[str], other: str) -> str:
    """What another person is at, as far as it was found out in an earlier talk, or nothing."""
    for text in texts:
        for found in FOUND_OUT.finditer(text):
            if found[1] == other and "found out" in text:
                return found[2].strip()
    return ""


def sightings(memories: Iterable[Any], now: datetime) -> list[Sighting]:
    """Who was seen doing what, today and yesterday; nothing that one does not speak of."""
    found = []
    for memory in memories:
        doing = doing_in(memory.text) if memory.kind == "event" and (now - memory.when).days < 1 else ""
        if doing:
            found.append(Sighting(memory.text.partition(f" is {doing}")[0], doing, memory.when))
    return found


def doing_in(text: str) -> str:
    """What a memory of a sight shows somebody doing; nothing, if it is not worth a word."""
    seen = _SEEN.match(text)
    return seen[2].strip() if seen and not _DULL.search(text) and OVERHEARD not in text else ""


def politics(texts: Iterable[str]) -> int:
    """1 for those who like to talk about elections, -1 for those who leave the room, 0 for the rest."""
    about = [text for text in texts if POLITICS.search(text)]
    if any(_AVERSE.search(text) for text in about):
        return -1
    return 1 if any(_EAGER.search(text) for text in about) else 0


def spoken_time(moment: datetime, now: datetime) -> str:
    """`this morning`, `yesterday evening`."""
    if now - moment < LITTLE_WHILE:
        return "a little while ago"
    part = part_of_day(moment)
    return f"this {part}" if moment.date() == now.date() else f"yesterday {part}"


def part_of_day(moment: datetime) -> str:
    return next(part for until, part in PARTS if moment.hour < until)
