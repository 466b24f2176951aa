"""A new morning: what somebody is busy with goes on, what is over is dropped, what lies ahead is kept with its hour."""

import re
from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Any

from ville.llm.offline.english.grammar import sentences
from ville.llm.offline.english.hours import DATE, day_in
from ville.llm.offline.people.news import News, called_alike, news_in, news_known
from ville.llm.offline.people.opinions import intention, wants_to_go
from ville.llm.offline.people.person import HEARD, Person

MOST_NEWS = 2
"""Items of news that stay on somebody's mind."""
LONGEST = 5
"""Sentences in `currently`."""
MOODS = {
    True: (
        "and looks forward to it",
        "and is glad about it",
        "and counts the hours",
        "and wonders whom one will meet there",
    ),
    False: ("and is a little sorry about it", "and sends good wishes instead", "and does not lose sleep over it"),
}
"""How somebody feels who goes, and who does not."""
_PREPARES = re.compile(r"\b(?:invit|decorat|part(?:y|ies)|guests|supplies)\w*", re.IGNORECASE)


def revised(
    who: Person, today: date, *, memories: Sequence[Any], was: tuple[str, str], rng: Random
) -> tuple[str, str]:  # fmt: skip
    """`currently` and the daily requirement for today. `was`: the two as they stood until now."""
    currently, requirement = (text.removeprefix("Status: ") for text in was)
    kept = still_true(currently, today)
    known = news_known([(currently, today), *((memory.text, memory.when.date()) for memory in memories)])
    texts = tuple(memory.text for memory in memories)
    fresh = [item for item in known if _is_news(item, who, kept, today)][:MOST_NEWS]
    told = [_on_the_mind(item, who, today, texts=texts, rng=rng) for item in fresh]
    if all(HEARD.search(sentence) for sentence in kept):
        kept = [*_afterwards(who, currently, today), *kept]
    room = max(1, LONGEST - len(told))
    todays = [item for item in known if item.is_occasion and item.day == today]
    return _text([*kept[:room], *told]), _text(
        [*_appointments(who, todays, texts, today), *still_true(requirement, today)]
    )


def still_true(text: str, today: date) -> list[str]:
    """The sentences of a text that do not speak of days gone by, nor of preparing for them."""
    kept, over = [], False
    for sentence in sentences(text):
        day = day_in(sentence, today) if DATE.search(sentence) or news_in(sentence, today) else None
        feast = day_in(sentence, today) if "Day" in sentence else None
        gone = any(found is not None and found < today for found in (day, feast))
        over = over or gone
        if not gone and not (over and _PREPARES.search(sentence)):
            kept.append(sentence)
    return kept


def _is_news(item: News, who: Person, kept: list[str], today: date) -> bool:
    """Whether it lies ahead and is not on the mind already."""
    if item.day is not None and item.day < today:
        return False
    if not item.is_occasion and called_alike(item.who, who.name):
        return False
    return not any(item.is_same(other) for other in news_in(". ".join(kept), today))


def _on_the_mind(item: News, who: Person, today: date, *, texts: tuple[str, ...], rng: Random) -> str:
    if not item.is_occasion:
        return f"{who.name} has heard that {item.as_sentence()}"
    goes = wants_to_go(who, item, texts, today)
    return f"{intention(who, item, goes=goes)}, {rng.choice(MOODS[goes])}"


def _appointments(who: Person, todays: list[News], texts: tuple[str, ...], today: date) -> list[str]:
    return [intention(who, item, goes=True) for item in todays if wants_to_go(who, item, texts, today)]


def _afterwards(who: Person, currently: str, today: date) -> list[str]:
    """When all that somebody was busy with is over, everyday life is left."""
    over = next(iter(news_in(currently, today)), None)
    learned = sentences(who.learned)
    looking_back = f"{who.name} looks back on the {over.what}" if over else f"{who.name} takes the days as they come"
    return [looking_back, *learned[:1]]


def _text(parts: list[str]) -> str:
    return " ".join(f"{part}." if not part.endswith((".", "!", "?")) else part for part in parts)
