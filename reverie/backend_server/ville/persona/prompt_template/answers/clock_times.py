"""Times of day as people and models write them: `7`, `7:30 PM`, `around 7 o'clock`, `0730`, `7:00 – 8:30`, `noon`."""

import re
from datetime import time
from functools import lru_cache

NOON = 12
NAMED = {"noon": time(NOON), "midday": time(NOON), "midnight": time(), "24:00": time(), "24": time()}
HOURS_IN_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?\s*(?:([ap])\.?m\b\.?)?")
_DIGITS = re.compile(r"^(\d\d)(\d\d)$")
_HALF = re.compile(r"^(\d{1,2})\.([05])$")
"""Hours or half hours as a number."""
_WORD = re.compile(rf"^({'|'.join(HOURS_IN_WORDS)})\b")
_MINUTES = {"five": 5, "ten": 10, "fifteen": 15, "quarter": 15, "a quarter": 15, "twenty": 20, "twenty-five": 25,
            "half": 30, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50}  # fmt: skip
_HOUR_IN_WORDS = rf"(?P<hour>\d{{1,2}}|{'|'.join(HOURS_IN_WORDS)})\b"
_MINUTES_IN_WORDS = rf"(?P<minutes>{'|'.join(sorted(_MINUTES, key=len, reverse=True))})"
_WORDS = (
    re.compile(rf"^{_MINUTES_IN_WORDS}(?: minutes)? (?P<side>past|after|to|before) {_HOUR_IN_WORDS}"),
    re.compile(rf"^{_HOUR_IN_WORDS}[ -]{_MINUTES_IN_WORDS}\b"),
)
"""`half past seven`, `ten minutes to eight`, `seven thirty`."""
_DATED = re.compile(
    r"^(?:(?:\d{4}-\d\d-\d\d[t ]|t)(\d\d:\d\d)(?::\d\d)?|(\d\d:\d\d):\d\d)(?:[.,]\d+)?(?:z|[+-]\d\d:?\d\d)?$"
)
"""A time in ISO 8601, with its date, its seconds or its zone."""
_SPAN = re.compile(r"\s*(?:[-–—]|\bto\b|\buntil\b)\s*")
_AROUND = re.compile(r"^(?:(?:at|about|around|by|from)\s+|~)*|\s?o['’]clock|\.$")
_DAYTIME = re.compile(r" in the (?:(morning)|afternoon|evening)$")
_TWELVE_HOURS = re.compile(
    r"(?<![\d:.$])(?:(0?\d|1[0-2])(?:[:.](\d{2}))?(\s?(?:[-–—]|\bto\b|\buntil\b)\s?))?"
    r"(?<![\d:.$])(0?\d|1[0-2])(?:[:.]([0-5]\d))?\s?([ap])(?:m\b|\.m\b(?:\.(?=(?-i:\s+[a-z\d])|[,;:)]))?)",
    re.IGNORECASE,
)
"""A time with `am` or `pm`, and the beginning of its span, if only the end has them."""
_TWELVE_HOURS_END = re.compile(r"\d\s?[ap]\.?m\b", re.IGNORECASE)
"""The end of such a time, which is soon seen to be missing."""
_IN_A_SENTENCE = re.compile(
    r"\b(?:noon\b|midday\b|midnight\b|\d{1,2}:\d{2}(?:\s*[ap]\.?m\b\.?)?|\d{1,2}\s*[ap]\.?m\b\.?)", re.IGNORECASE
)


@lru_cache(maxsize=256)
def in_24_hours(text: str) -> str:
    """Return a text with times such as `5pm`, `from 5 to 7 pm` or `7:30 a.m.` written as on a 24-hour clock."""
    return _TWELVE_HOURS.sub(_both_in_24_hours, text) if _TWELVE_HOURS_END.search(text) else text


def _both_in_24_hours(found: re.Match[str]) -> str:
    hour, minute, between, last_hour, last_minute, half = found.groups()
    end = _in_24_hours(last_hour, last_minute, half)
    if not hour:
        return end
    other = {"a": "p", "p": "a"}[half.lower()]
    later = int(hour) % NOON > int(last_hour) % NOON
    return _in_24_hours(hour, minute, other if later else half) + between + end


def _in_24_hours(hour: str, minute: str | None, half: str) -> str:
    return f"{int(hour) % NOON + NOON * (half in 'pP')}:{minute or '00'}"


def read_time(value: object) -> time:
    """Return a time of day, in which 24:00 is 0:00, or the beginning of a span. Raise ValueError for the model."""
    return _read_either(value, 0)


def read_end(value: object) -> time:
    """Return a time of day, in which 24:00 is 0:00, or the end of a span. Raise ValueError for the model."""
    return _read_either(value, 1)


def first_time(text: str) -> time | None:
    """Return the first time of day in a sentence, or None. A number alone is not a time."""
    found = _IN_A_SENTENCE.search(text)
    return _read(found[0]) if found else None


def _read_either(value: object, which: int) -> time:
    if isinstance(value, time):
        return value
    text = _plain(value)
    sides = _SPAN.split(text)
    found = _read(sides[which] if _is_span(sides) else text)
    if found is None:
        raise ValueError(f"{value!r} is not a time of day such as 7:30")
    return found


def _plain(value: object) -> str:
    """Return a time without the words around it, and with a colon. Numbers count only as hours or half hours."""
    if isinstance(value, str):
        text = value.strip().casefold()
    else:
        number = f"{value}.0" if isinstance(value, int) else str(value)
        text = number if _HALF.match(number) else ""
    text = _DATED.sub(lambda found: found[1] or found[2], _AROUND.sub("", text))
    text = _DAYTIME.sub(lambda found: " am" if found[1] else " pm", text)
    for pattern in _WORDS:
        text = pattern.sub(_in_digits, text)
    text = _WORD.sub(lambda found: str(HOURS_IN_WORDS.index(found[1])), text)
    return _HALF.sub(lambda found: f"{found[1]}:{6 * int(found[2]):02}", _DIGITS.sub(r"\1:\2", text))


def _in_digits(found: re.Match[str]) -> str:
    """Return a time in words as `7:30`."""
    said = found.groupdict()
    hour = int(said["hour"]) if said["hour"].isdecimal() else HOURS_IN_WORDS.index(said["hour"])
    minutes = _MINUTES[said["minutes"]]
    to = said.get("side") in {"to", "before"}
    return f"{(hour - to) % (2 * NOON)}:{60 - minutes if to else minutes:02}"


def _is_span(sides: list[str]) -> bool:
    """Return whether texts are two times in the same form, with minutes, or with `am` or `pm`."""
    forms = [tuple(bool(part) for part in found.groups()[1:]) for found in map(_TIME.fullmatch, sides) if found]
    return len(sides) == len(forms) == 2 and all(map(any, forms)) and forms[0][1] == forms[1][1]  # noqa: PLR2004 - a pair


def _read(text: str) -> time | None:
    text = text.strip().lower()
    found = _TIME.fullmatch(text)
    if text in NAMED or found is None:
        return NAMED.get(text)
    hour, minute = int(found[1]), int(found[2] or 0)
    if found[3]:
        hour = hour % NOON + NOON * (found[3] == "p")
    return time(hour, minute) if hour < 2 * NOON and minute < 60 else None  # noqa: PLR2004 - minutes of an hour
