"""A new morning: what somebody is busy with goes on, what is over is dropped, what lies ahead is kept with its hour."""

import re
from datetime import date
from random import Random

from ville.llm.offline.grammar import lower_first, sentences
from ville.llm.offline.hours import DATE, day_in
from ville.llm.offline.knowledge import Knowledge
from ville.llm.offline.news import NewsItem, with_article
from ville.llm.offline.profile import HEARD, Profile
from ville.llm.offline.reading import news_in
from ville.llm.offline.records import moods, written
from ville.llm.offline.ties import KIN

MOST_NEWS = 2
"""Items of news that stay on somebody's mind."""
LONGEST = 5
"""Sentences in `currently`."""
_PREPARES = re.compile(r"\b(?:invit|decorat|part(?:y|ies)|guests|supplies)\w*", re.IGNORECASE)
_FAMILY = re.compile(rf"\b(?:his|her|their) (?:{KIN})\b")


def revised(mind: Knowledge, *, was: tuple[str, str], rng: Random) -> tuple[str, str]:
    """Return `currently` and the daily requirement for today. `was`: the two as they stood until now."""
    today, who = mind.now.date(), mind.me
    currently, requirement = (text.removeprefix("Status: ") for text in was)
    kept = still_true(currently, today)
    fresh = [item for item in mind.heard if _is_news(item, who, kept, today)][:MOST_NEWS]
    told = [_on_the_mind(item, mind, rng) for item in fresh]
    if all(HEARD.search(sentence) for sentence in kept):
        kept = [*_afterwards(who, currently, today), *kept]
    kept.sort(key=lambda sentence: not _FAMILY.search(sentence))
    todays = [item for item in mind.heard if item.is_occasion and item.day == today and mind.will_go(item)]
    going = [intention(who, item, goes=True) for item in todays]
    return _text([*kept[: max(1, LONGEST - len(told))], *told]), _text([*going, *still_true(requirement, today)])


def still_true(text: str, today: date) -> list[str]:
    """Return the sentences of a text that do not speak of days gone by, nor of preparing for them."""
    kept, over = [], False
    for sentence in sentences(text):
        day = day_in(sentence, today) if DATE.search(sentence) or news_in(sentence, today) else None
        feast = day_in(sentence, today) if "Day" in sentence else None
        gone = any(found is not None and found < today for found in (day, feast))
        over = over or gone
        if not gone and not (over and _PREPARES.search(sentence)):
            kept.append(sentence)
    return kept


def _is_news(item: NewsItem, who: Profile, kept: list[str], today: date) -> bool:
    """Return whether it lies ahead and is not on the mind already."""
    if (item.day is not None and item.day < today) or (not item.is_occasion and item.is_of(who.name)):
        return False
    return not any(item.is_same(other) for other in news_in(". ".join(kept), today))


def _on_the_mind(item: NewsItem, mind: Knowledge, rng: Random) -> str:
    if not item.is_occasion:
        return f"{mind.me.name} has heard that {item.as_sentence()}"
    goes = mind.will_go(item)
    return intention(mind.me, item, goes=goes, mood=rng.choice(moods(goes=goes)))


def intention(who: Profile, item: NewsItem, *, goes: bool, mood: str = "") -> str:
    """Return a sentence to remember an occasion by, with its day, hour and place."""
    if item.is_of(who.name):
        return f"{who.name} is giving {with_article(item.what)} {item.when_and_where(year=True)}"
    return written("goes" if goes else "stays", me=who.name, noun=lower_first(item.as_noun(year=True)), mood=mood)


def _afterwards(who: Profile, currently: str, today: date) -> list[str]:
    """Return everyday life, for when all that somebody was busy with is over."""
    over = next(iter(news_in(currently, today)), None)
    looking_back = f"{who.name} looks back on the {over.what}" if over else f"{who.name} takes the days as they come"
    return [looking_back, *sentences(who.learned)[:1]]


def _text(parts: list[str]) -> str:
    return " ".join(f"{part}." if not part.endswith((".", "!", "?")) else part for part in parts)
