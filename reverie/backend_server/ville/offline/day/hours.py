"""Parse and format times: `around 5:30pm`, `from 8am to 8pm`, `on February 14th`, `tomorrow`."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

HOUR = 60
NOON = 12 * HOUR
DAY = 24 * HOUR
SMALL_HOURS = 7
"""Bare hours below this, as in `at 5`, are in the afternoon."""

PARTS_OF_DAY = {
    "early morning": (7 * HOUR, NOON), "morning": (7 * HOUR, NOON), "noon": (NOON, 13 * HOUR),
    "afternoon": (13 * HOUR, 17 * HOUR), "tonight": (19 * HOUR, DAY),
    "evening": (19 * HOUR, 21 * HOUR), "night": (20 * HOUR, 23 * HOUR),
    "all day": (9 * HOUR, 17 * HOUR), "during the day": (9 * HOUR, 17 * HOUR), "days": (9 * HOUR, 17 * HOUR),
    "afterwards": (None, 17 * HOUR), "after that": (None, None), "then": (None, None),
}  # fmt: skip
"""Start and end in minutes after midnight; None: after the previous activity."""

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FEASTS = {
    "valentine": (2, 14), "new year's eve": (12, 31), "new year": (1, 1), "halloween": (10, 31),
    "christmas eve": (12, 24), "christmas": (12, 25), "midsummer": (6, 24),
}  # fmt: skip
"""Month and day of named days."""
_COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {word: number for number, word in enumerate(_COUNTED, start=1)}

_NUMBER = r"\d{1,2}|" + "|".join(NUMBERS)
_CLOCK = (
    r"(?:\bnoon|\bmidday|\bmidnight|\d{1,2}:\d{2}(?:\s*[ap]\.?m\b\.?)?|\d{1,2}\s*[ap]\.?m\b\.?"
    rf"|half past (?:{_NUMBER})|(?:{_NUMBER}) o'clock)(?: in the (?:morning|afternoon|evening)| at night)?"
)
_LOOSE = rf"(?:{_CLOCK}|\b(?:{_NUMBER})\b(?! (?:day|hour|week|minute|of|people|person|year|time)))"
CLOCK = re.compile(_CLOCK, re.IGNORECASE)
RANGE = re.compile(
    rf"(?:from|between)\s+({_LOOSE})\s*(?:to|till|until|and|-|–)\s*({_LOOSE})|({_LOOSE})\s*(?:to|till|until|-"
    rf"|–)\s*({_CLOCK})",
    re.IGNORECASE,
)
FROM = re.compile(rf"(?:from|after|starting at|starts at|opens? [^.,;]*?at|begins? at)\s+({_CLOCK})", re.IGNORECASE)
UNTIL = re.compile(rf"(?:until|till|ends? at|closes? (?:[^.,;]*?)at)\s+({_CLOCK})", re.IGNORECASE)
FOR_HOURS = re.compile(rf"\bfor (?:at least )?({_NUMBER}) hours?\b|\b({_NUMBER}) hours? a day", re.IGNORECASE)
DATE = re.compile(
    rf"\b({'|'.join(MONTHS)})\s+(\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(\d{{4}}))?\b"
    rf"|\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({'|'.join(MONTHS)})(?:,?\s+(\d{{4}}))?\b",
    re.IGNORECASE,
)
NAMED_DAY = re.compile(
    r"\b(today|tonight|this (?:afternoon|evening)|tomorrow"
    rf"|(?:on|next|this|coming) (?:{'|'.join(WEEKDAYS)}))\b|({'|'.join(FEASTS)})",
    re.IGNORECASE,
)
WHEN = re.compile(
    rf"(?:,?\s*(?:\b(?:at|from|around|about|between|until|till|by|to)\s+)?(?:{RANGE.pattern}|(?:until|till)\s+{_CLOCK}"
    rf"|(?:at|around|about|from|by)\s+{_CLOCK}(?: on\b)?))",
    re.IGNORECASE,
)
"""A time expression with its prepositions, to be removed from a plan."""


@dataclass(frozen=True)
class Span:
    """Minutes after midnight; None if not stated."""

    start: int | None = None
    end: int | None = None


@lru_cache(maxsize=4096)
def span_in(text: str) -> Span:
    """Return the first time span in a text."""
    if found := RANGE.search(text):
        return _stretch(found[1] or found[3], found[2] or found[4])
    start, end_found = FROM.search(text), UNTIL.search(text)
    end_at = (minutes_of(end_found[1]) or DAY) if end_found else None
    if start:
        return Span(minutes_of(start[1]), end_at)
    others = [minutes_of(found[0]) for found in CLOCK.finditer(text)]
    first = next((moment for moment in others if end_at is None or moment != end_at % DAY), None)
    return Span(first, end_at)


def minutes_of(clock: str) -> int:
    """Return the minutes after midnight of a written time."""
    text = clock.lower().strip()
    if text.startswith(("noon", "midday", "midnight")):
        return 0 if text.startswith("midnight") else NOON
    found = re.search(rf"({_NUMBER})(?::(\d{{2}}))?", text)
    if found is None:
        return 0
    hour = int(NUMBERS.get(found[1], 0) or found[1])
    minute = int(found[2] or 0) + (30 if text.startswith("half past") else 0)
    return (_hour_of_day(hour % 24, text) * HOUR + minute) % DAY


def _hour_of_day(hour: int, text: str) -> int:
    if re.search(r"a\.?m\b|morning", text):
        return hour % 12
    if re.search(r"p\.?m\b|afternoon|evening|night", text):
        return hour % 12 + 12
    return hour + 12 if 0 < hour < SMALL_HOURS and ":" not in text else hour


def _stretch(first: str, last: str) -> Span:
    """Return the span of a range: `5 to 7pm` starts at 5pm, `9 to 5` at 9am."""
    end = minutes_of(last) or DAY
    start = minutes_of(first)
    if not re.search(r"[ap]\.?m|noon|midday|midnight|:", first, re.IGNORECASE):
        start = max((hour for hour in (start % NOON, start % NOON + NOON) if hour < end), default=start)
    return Span(start, end)


@lru_cache(maxsize=4096)
def day_in(text: str, today: date) -> date | None:
    """Return the first date in a text, relative to `today`."""
    if found := DATE.search(text):
        month, number, year = (found[1], found[2], found[3]) if found[1] else (found[5], found[4], found[6])
        return _dated(MONTHS.index(month.lower()) + 1, int(number), int(year) if year else None, today=today)
    found = NAMED_DAY.search(text)
    if found is None:
        return None
    if found[2]:
        return _dated(*FEASTS[found[2].lower()], None, today=today)
    return _relative(found[1].lower(), today)


def _relative(word: str, today: date) -> date:
    named = word.rsplit(maxsplit=1)[-1]
    if named in WEEKDAYS:
        return today + timedelta(days=(WEEKDAYS.index(named) - today.weekday()) % 7 or 7)
    return today + timedelta(days=1) if word == "tomorrow" else today


def _dated(month: int, day: int, year: int | None, *, today: date) -> date | None:
    """Return a date, the nearest one if no year is given; None if it does not exist."""
    years = (year,) if year else (today.year - 1, today.year, today.year + 1)
    days = [made for number in years if (made := _made(number, month, day)) is not None]
    return min(days, key=lambda made: abs((made - today).days), default=None)


def _made(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def spoken_hour(minutes: int) -> str:
    """Format minutes after midnight: `5pm`, `5:30pm`, `12am`."""
    hour, minute = divmod(minutes % DAY, HOUR)
    shown = f":{minute:02}" if minute else ""
    return f"{hour % 12 or 12}{shown}{'am' if minutes % DAY < NOON else 'pm'}"


def spoken_span(span: Span) -> str:
    """Format a span: `from 5pm to 7pm`, `at 5pm`, `until 7pm`, or an empty string."""
    if span.start is None:
        return f"until {spoken_hour(span.end)}" if span.end is not None else ""
    if span.end is None:
        return f"at {spoken_hour(span.start)}"
    return f"from {spoken_hour(span.start)} to {spoken_hour(span.end)}"


def spoken_day(day: date) -> str:
    """Format a date: `February 14th`."""
    return f"{MONTHS[day.month - 1].capitalize()} {day.day}{_ending(day.day)}"


def _ending(number: int) -> str:
    if number in {11, 12, 13}:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def without_times(text: str) -> str:
    """Remove the times: `have lunch at noon at the cafe` becomes `have lunch at the cafe`."""
    bare = WHEN.sub(" ", text)
    return " ".join(bare.split()).strip(" ,.;")


def hours_for(text: str) -> int | None:
    """Return the number of hours in `for six hours a day`, if stated."""
    if found := FOR_HOURS.search(text):
        said = (found[1] or found[2]).lower()
        return int(NUMBERS.get(said, 0) or said)
    return None
