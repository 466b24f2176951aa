"""Times of day as people and models write them: `7`, `7:30 PM`, `around 7 o'clock`, `0730`, `7:00 – 8:30`, `noon`."""

import re
from datetime import time

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
_SPAN = re.compile(r"\s*(?:[-–—]|\bto\b|\buntil\b)\s*")
_AROUND = re.compile(r"^(?:(?:at|about|around|by|from)\s+|~)*|\s?o['’]clock|\.$")
_DAYTIME = re.compile(r" in the (?:(morning)|afternoon|evening)$")
_IN_A_SENTENCE = re.compile(
    r"\b(?:noon\b|midday\b|midnight\b|\d{1,2}:\d{2}(?:\s*[ap]\.?m\b\.?)?|\d{1,2}\s*[ap]\.?m\b\.?)", re.IGNORECASE
)


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
    text = _DAYTIME.sub(lambda found: " am" if found[1] else " pm", _AROUND.sub("", text))
    text = _WORD.sub(lambda found: str(HOURS_IN_WORDS.index(found[1])), text)
    return _HALF.sub(lambda found: f"{found[1]}:{6 * int(found[2]):02}", _DIGITS.sub(r"\1:\2", text))


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
