"""Unusual states of objects and events at places: recognised by their words, remembered, and told."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, lru_cache

from ville.offline.grammar import FULL_NAME
from ville.offline.rule_types import Memory
from ville.offline.table import load, pattern, rows, shows
from ville.offline.talks.ties import OVERHEARD

FILE = "reactions.yaml"
ALARMING = 8
"""Importance from which a happening is told to others, and wakes those who sleep."""
RECENT, BY_NOW_OVER = timedelta(days=1), timedelta(minutes=10)
"""For how long, and from when on, a happening is told as what has happened."""


@dataclass(frozen=True)
class Trouble:
    """A row of reactions.yaml."""

    kind: str
    means: re.Pattern[str]
    weight: int
    stays: int
    mend: tuple[str, ...] = ()
    ways: Mapping[str, Sequence[str]] = field(default_factory=dict)
    minutes: int = 0


@dataclass(frozen=True)
class Incident:
    """Something alarming that a persona has noticed."""

    what: str
    """As it is told: `the stove was burning`."""
    when: datetime


@cache
def troubles() -> tuple[Trouble, ...]:
    return rows(load(FILE)["kinds"], Trouble)


@lru_cache(maxsize=32768)
def trouble_of(noticed: str) -> Trouble:
    """Return the row of what is noticed; the last one if no other fits."""
    return next((row for row in troubles() if row.means.match(noticed)), troubles()[-1])


@lru_cache(maxsize=32768)
def known_trouble(text: str) -> Trouble | None:
    """Return the row of an observation if it shows a kind of trouble; None for what people do and use."""
    named = FULL_NAME.match(text)
    if OVERHEARD in text or shows("a thing", text) or (named and not shows("not a person", named[0])):
        return None
    found = trouble_of(text)
    return found if found is not troubles()[-1] else None


@lru_cache(maxsize=4096)
def is_alarm(thought: str) -> bool:
    """Return whether a thought says that something alarming happens now: no memory, fear, or wish."""
    return trouble_of(thought).weight >= ALARMING and not pattern(load(FILE)["not now"]).search(thought)


def is_remedy(doing: str) -> bool:
    """Return whether an activity puts something alarming right."""
    return any(remedy.fullmatch(doing) for remedy in _remedies())


@cache
def _remedies() -> tuple[re.Pattern[str], ...]:
    lines = [line for row in troubles() if row.weight >= ALARMING for line in row.mend]
    return tuple(re.compile(re.escape(line).replace(re.escape("{thing}"), ".+")) for line in lines)


def incidents_in(memories: Iterable[Memory], now: datetime, *, over: timedelta = timedelta()) -> list[Incident]:
    """Return the alarming happenings among observations of the last day that are `over` for so long, latest first."""
    seen = (memory for memory in memories if memory.kind == "event")
    recent = [memory for memory in seen if over <= now - memory.when < RECENT]
    alarming = [each for each in recent if (row := known_trouble(each.text)) and row.weight >= ALARMING]
    alarming.sort(key=lambda memory: memory.when, reverse=True)
    return [Incident(as_told(memory.text), memory.when) for memory in alarming]


@lru_cache(maxsize=4096)
def as_told(text: str) -> str:
    """Return an observation as it is told: `stove is burning` becomes `the stove was burning`."""
    forms = load(FILE)["past"]
    words = text.rstrip(".!? ").split(" ")
    place = next((number for number, word in enumerate(words) if number and word in forms), None)
    if place is not None:
        words[place] = str(forms[words[place]])
    told = " ".join(words)
    bare = place is not None and words[place] in {"was", "were"} and not re.match(r"(?:the|an?|\w+['’]s)\b", told)
    return f"the {told}" if bare and told[:1].islower() else told
