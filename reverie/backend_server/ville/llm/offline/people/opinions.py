"""What somebody thinks of somebody else or of an invitation, as far as words in memories give it away."""

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from zlib import crc32

from ville.llm.offline.days.duties import Duty, duties_of
from ville.llm.offline.english.grammar import FULL_NAME, lower_first
from ville.llm.offline.english.hours import DAY, HOUR
from ville.llm.offline.english.wordlist import first_of
from ville.llm.offline.people.news import OVERHEARD, News, called_alike, news_in, with_article
from ville.llm.offline.people.person import Person

FEELINGS = (
    (2, r"\b(?:in love with|loves?|husband|wife|married|crush|best friend|close friend|close to|closest|adores?)\b"),
    (1, (r"\b(?:friends?|likes?|enjoys?|kind|laughs? at|laugh\b|grateful|trusts?|mentor|like a daughter|admir\w+|cute"
        r"|cool"
        r"|respects?|looking forward|helps?|nice|proud|mother|father|son|daughter|warm)\b")),
    (-2, (r"\b(?:dislikes?|cannot stand|can't stand|hates?|despises?|at war|coward|annoying|complaints? about"
         r"|furious)\b")),
    (-1, (r"\b(?:too aggressive|does not like|do not like|not feel at ease|the less|rude|loud and pushy|strained"
         r"|keeps an eye on"
         r"|sceptical|suspicious|insistently|avoids?)\b")),
)  # fmt: skip
"""Feeling → words that show it: 2 love, 1 liking, -1 reserve, -2 dislike."""
_FEELINGS = tuple((value, re.compile(pattern, re.IGNORECASE)) for value, pattern in FEELINGS)


TIED_DOWN, RELIABLE = 0.35, 0.8
"""How much seldomer people go who would have to leave their counter; how often people come who have said so."""
NO_FEELING = re.compile(rf"{OVERHEARD}|has become part of|keep crossing each other|than a chance acquaintance")
"""What says nothing about how one stands to somebody."""
BELOVED = re.compile(rf"\b(?:in love with|crush on) ({FULL_NAME.pattern})")


@lru_cache(maxsize=16384)
def _feeling_in(text: str, first_name: str, name: str) -> int:
    """What a text says of a person: the strongest word in it, or 0."""
    if NO_FEELING.search(text):
        return 0
    if name not in text and not re.search(rf"\b{re.escape(first_name)}\b", text):
        return 0
    found = [value for value, pattern in _FEELINGS if pattern.search(text)]
    return max(found, key=lambda value: (abs(value), -value), default=0)


def feeling(texts: Iterable[str], other: str) -> int:
    """From -2 (dislike) to 2 (love); 0 if nothing is said."""
    if not other:
        return 0
    first = first_of(other)
    found = [value for text in texts if (value := _feeling_in(text, first, other))]
    return max(found, key=lambda value: (abs(value), -value), default=0)


def wants_to_go(person: Person, item: News, texts: tuple[str, ...], today: date) -> bool:
    """Whether an invitation will be followed: by what was resolved, else by temper, liking and a fixed lot."""
    if called_alike(item.who or "-", person.name):
        return True
    about = (text for text in texts if any(item.is_same(other) for other in news_in(text, today)))
    decided = next((said for text in about if (said := _decision(person.name).search(text))), None)
    if decided:
        return decided[1] is not None
    if _beloved_goes(texts):
        return True
    return _lot(person, item) < eagerness(person, feeling(texts, item.who)) * (
        TIED_DOWN if shift_during(item, person) else 1
    )


def shift_during(item: News, person: Person) -> Duty | None:
    """The work behind a counter that falls into an occasion's hours."""
    start, end = item.span.start, item.span.end
    if start is None:
        return None
    shifts = (duty for duty in duties_of(person) if duty.is_shift and duty.start is not None)
    return next(
        (duty for duty in shifts if (duty.start or 0) < (end or start + HOUR) and start < (duty.end or DAY)), None
    )


def keeps_word(person: Person, item: News) -> bool:
    """Whether somebody who has said yes comes in the end; some find that they have other things to do."""
    return called_alike(item.who or "-", person.name) or _lot(person, item, "in the end") < RELIABLE


@lru_cache(maxsize=512)
def _decision(name: str) -> re.Pattern[str]:
    """A memory of having said yes (then there is a group) or no."""
    called = rf"{re.escape(name)}|{re.escape(first_of(name))}"
    return re.compile(rf"\b(?:{called}) (?:(wants to go|means to go)|cannot go)")


def _beloved_goes(texts: tuple[str, ...]) -> bool:
    """Whether the one whom this person loves has been heard to come."""
    loved = {first_of(found[1]) for text in texts for found in BELOVED.finditer(text)}
    return any(f"{name} wants to go" in text for name in loved for text in texts)


def eagerness(person: Person, liking: int) -> float:
    """How likely somebody is to accept an invitation."""
    eager = 0.66 + 0.13 * liking
    eager += 0.1 if "outgoing" in person.tempers else 0.0
    eager -= 0.12 if "shy" in person.tempers else 0.0
    return eager - (0.3 if "blunt" in person.tempers and liking <= 0 else 0.0)


def _lot(person: Person, item: News, about: str = "") -> float:
    """Between 0 and 1, always the same for this person and this occasion."""
    return crc32(f"{person.name} {item.kind} {item.day}{about}".encode()) / 2**32


def intention(person: Person, item: News, *, goes: bool) -> str:
    """A sentence to remember an occasion by, with its day, hour and place."""
    if called_alike(item.who or "-", person.name):
        return f"{person.name} is giving {with_article(item.what)} {item.when_and_where(year=True)}"
    verb = "means to go to" if goes else "cannot go to"
    return f"{person.name} {verb} {lower_first(item.as_noun(year=True))}"
