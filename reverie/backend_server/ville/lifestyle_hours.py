"""Hours that a lifestyle names, in English or Russian: `wakes up around 6am`, `gets up at half past six`."""

# ruff: noqa: RUF001 - Russian words

import re
from functools import lru_cache

HOUR = 60
NOON = 12 * HOUR
DAY = 24 * HOUR
WAKES, BEDS, DINES = 7 * HOUR, 22 * HOUR + 30, 18 * HOUR
"""Usual minutes after midnight. An hour without a part of the day is the one that is nearer to them."""
SMALL_HOURS = 6 * HOUR
"""At night, hours before this one are after midnight, others before it."""

_ENGLISH = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_RUSSIAN = (
    "час", "двух|два", "тр[её]х|три", "четыр[её]х|четыре", "пят[ьи]", "шест[ьи]", "сем[ьи]", "восьми|восемь",
    "девят[ьи]", "десят[ьи]", "одиннадцат[ьи]", "двенадцат[ьи]",
)  # fmt: skip
_BEGUN = (
    "перв", "втор", "треть", "четв[её]рт", "пят", "шест", "седьм", "восьм", "девят", "десят", "одиннадцат", "двенадцат",
)  # fmt: skip
"""Beginnings of the Russian hours that a half belongs to: `половина седьмого` is half past six."""
_NUMBER = "|".join((r"\d{1,2}", *_ENGLISH, *_RUSSIAN))
_AFTER_MIDNIGHT, _BY_NIGHT = r"a\.?m\b\.?|in the morning|утра", "at night|ночи"
_AFTER_NOON = r"p\.?m\b\.?|in the (?:afternoon|evening)|дня|вечера"
_CLOCK = (
    r"(?:(?P<noon>noon|midday|полдень|полудня)\b|(?P<midnight>midnight|полночь|полуночи)\b"
    rf"|(?:половин[еуы] |пол)(?P<half_of>{'|'.join(_BEGUN)})(?:ого|его)\b"
    rf"|(?P<half>half past )?(?P<hour>{_NUMBER})(?:[:.](?P<minute>\d\d))?(?![\d:])"
    r"(?! ?(?:hours?|minutes?|times?|days?)\b)"
    r"(?: o['’]clock| час(?:ов|а)\b)?)"
    rf"\s*(?:(?P<morning>{_AFTER_MIDNIGHT})|(?P<evening>{_AFTER_NOON})|(?P<night>{_BY_NIGHT}))?"
)
_OTHER_HABIT = "and|but|then|or|goes|eats|has|falls|и|а|но|или|ложится|ужинает|засыпает"
_WHEN = (
    rf"(?:\s+(?!(?:{_OTHER_HABIT})\b)[^\W\d]+){{0,4}}?\s+"
    rf"(?P<at>(?:at|around|about|by|before|after|until|till|from|between|в|во|около|к|до|с|после)\s+)?{_CLOCK}"
)
"""A time of day, at most a few words later."""
_WAKES = (
    r"\b(?:wakes?|waking|awakes?|awakens?|rises?|rising|gets? up|getting up)(?: up)?\b"
    r"|(?:^|[.;,]\s*|\b(?:is|are|usually|always) )up\b|\bsleeps?(?: in)?(?=\s(?:until|till)\b)"
    r"|\b(?:просыпа[ею]тся|вста[её]т|встают|поднимается)\b|\bспит(?=\sдо\b)"
)
_BEDS = (
    r"\b(?:goes|go|gets|falls) (?:to (?:bed|sleep)|asleep)\b|\b(?:bedtime|in bed|turns in)\b"
    r"|\b(?:ложится|ложатся|засыпает|отходит ко сну)\b"
)
_DINES = r"\b(?:eats?|has|have|takes?) (?:(?:his|her|their|the) )?(?:dinner|supper)\b|\bdines\b|\b(?:ужинает|ужинают)\b"
_VARIES = re.compile(
    r"\b(?:week(?:day|end)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|выходн|будн|суббот|воскрес)", re.IGNORECASE
)
"""Words for days of the week that differ from others."""


@lru_cache(maxsize=1024)
def waking_minute(lifestyle: str) -> int | None:
    """Return the minute of the day of getting up, if the lifestyle names it."""
    return _named(_WAKES, lifestyle, WAKES)


def bed_minute(lifestyle: str) -> int | None:
    """Return the minute of the day of going to bed, if the lifestyle names it."""
    return _named(_BEDS, lifestyle, BEDS)


def dinner_minute(lifestyle: str) -> int | None:
    """Return the minute of the day of having dinner, if the lifestyle names it."""
    return _named(_DINES, lifestyle, DINES)


def waking_hour(lifestyle: str) -> int | None:
    """Return the hour of getting up, if the lifestyle names one, and the same for all days of the week."""
    minute = None if _VARIES.search(lifestyle) else waking_minute(lifestyle)
    return None if minute is None else minute // HOUR


def _named(cue: str, lifestyle: str, usual: int) -> int | None:
    """Return the time named after some words, as in `goes to bed around 11pm`."""
    found = re.search(f"(?:{cue}){_WHEN}", lifestyle, re.IGNORECASE)
    if found is None:
        return None
    if found["noon"] or found["midnight"]:
        return NOON if found["noon"] else 0
    part = found["morning"] or found["evening"] or found["night"]
    if not (part or found["at"] or found["minute"] or found["half_of"]):
        return None
    hour, minute = _hour_and_minute(found)
    if hour > DAY // HOUR or minute >= HOUR:
        return None
    return _moment(found, hour * HOUR + minute, usual) % DAY


def _hour_and_minute(found: re.Match[str]) -> tuple[int, int]:
    if found["half_of"]:
        return _number(found["half_of"], _BEGUN) - 1, 30
    said = found["hour"]
    hour = int(said) if said.isdecimal() else _number(said, _ENGLISH) or _number(said, _RUSSIAN)
    return hour, 30 if found["half"] else int(found["minute"] or 0)


def _number(word: str, numbers: tuple[str, ...]) -> int:
    """Return the number of a word; 0 if it is none of these."""
    return next((number for number, each in enumerate(numbers, 1) if re.fullmatch(each, word, re.IGNORECASE)), 0)


def _moment(found: re.Match[str], said: int, usual: int) -> int:
    """Return the minute of the day that is meant by an hour of a clock with twelve or twenty-four hours."""
    if said >= NOON + HOUR or (found["hour"] or "").startswith("0"):
        return said
    early = said % NOON
    if found["morning"] or found["evening"] or found["night"]:
        late = found["evening"] or (found["night"] and early >= SMALL_HOURS)
        return early + NOON if late else early
    return min((early + NOON, early), key=lambda moment: min((moment - usual) % DAY, (usual - moment) % DAY))
