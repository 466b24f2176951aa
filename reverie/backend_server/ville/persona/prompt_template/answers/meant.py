"""Reads texts and numbers of a model as they are meant: `**7/10**`, `"None"`, `7 am`, `- reading`, `half an hour`."""

import re
from contextlib import suppress
from typing import Annotated

from pydantic import BeforeValidator

from ville.persona.prompt_template.answers.clock_times import read_time
from ville.plain_text import one_line

EMPTY = {"none", "n/a", "null", "nil", "nothing", "empty", "not applicable", "ничего"}
"""Words that stand for an empty text, without brackets and punctuation around them."""
BLANK = re.compile(r"[-–—.…]*|\(\s*\)|\[\s*\]|\{\s*\}")
"""Signs that stand for an empty text."""
PADDING = " \t()[]<>{}.…*_-–—"
QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“", "«": "»", "`": "`", "*": "*", "_": "_"}
"""Closing by opening marks that may surround a whole text; the last two are emphasis."""
EMPHASIS = re.compile(r"(\*\*|__)(\S(?:.{0,500}?\S)?)\1")
BULLET = re.compile(r"^\s*[-*•–—]\s+(?=\S)")
NUMBERED = re.compile(r"^\s*\(?\d{1,2}[.)]\s+(?=\S)")
LARGEST = 10**9
"""Larger numbers are not converted."""
NUMBER = re.compile(r"(?:(?<!\d)-)?\d+(?:\.\d+)?")
"""A number; between two of them, as in `1-5`, a minus is a dash."""
TENTHS = re.compile(r"\s*(?:/|out of|of|из)\s*10\b")
"""The scale after a number."""
SPAN = re.compile(
    r"\W{0,9}(?:about )?(?:(\d{1,9}(?:\.\d+)?) ?(?:h|hrs?|hours?)\b)?"
    r"(?: ?(?:and )?(\d{1,9}(?:\.\d+)?) ?(?:m|mins?|minutes?)?)?\W{0,9}"
)
HOUR = 60
WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45,
    "fifty": 50, "sixty": 60, "ninety": 90,
}  # fmt: skip
"""Numbers in words."""
UNITS = {"an hour": "60", "half an hour": "30", "quarter of an hour": "15"}


def meant_text(text: str) -> str:
    """Return a text in one line without emphasis and surrounding quotes; empty if it says that there is nothing."""
    plain = EMPHASIS.sub(r"\2", BULLET.sub("", one_line(text), count=1)).strip()
    while len(plain) > 1 and QUOTES.get(plain[0]) == plain[-1] and not _quotes_inside(plain):
        plain = plain[1:-1].strip()
    nothing = BLANK.fullmatch(plain) or plain.strip(PADDING).casefold() in EMPTY
    return "" if nothing else plain


def _quotes_inside(text: str) -> bool:
    """Return whether a quote between the first and the last character begins or ends a word, unlike an apostrophe."""
    mark = re.escape(text[-1])
    return bool(re.search(rf"(?<!\w){mark}|{mark}(?!\w)", text[1:-1]))


def meant_item(text: str) -> str:
    """Return a text from a list, without its number."""
    return meant_text(NUMBERED.sub("", one_line(text), count=1))


def numbers_in(text: str) -> list[str]:
    """Return the numbers in a text, without the scale in `7/10` and `7 out of 10`."""
    return NUMBER.findall(TENTHS.sub("", text))


def whole_number(value: object) -> object:
    """Return the only number in a value, rounded; any other value unchanged."""
    if isinstance(value, float) and abs(value) < LARGEST:
        return round(value)
    if not isinstance(value, str):
        return value
    text = value.casefold().replace("o'clock", "").strip()
    numbers = numbers_in(text)
    if len(numbers) == 1 and len(numbers[0]) < len(str(LARGEST)):
        return round(float(numbers[0]))
    return WORDS.get(text.strip(PADDING), value)


def hour_of_day(value: object) -> object:
    """Return the hour in a value such as `7:30 AM`, `19:00`, 7.5 or `seven`; any other value as a whole number."""
    with suppress(ValueError):
        return read_time(value).hour
    return whole_number(value)


def minutes_of(value: object) -> object:
    """Return the minutes in a text such as `15 min`, `1.5 hours` or `1 h 30 m`; any other value as a whole number."""
    text = value.strip().casefold() if isinstance(value, str) else ""
    found = SPAN.fullmatch(UNITS.get(text, text))
    if not text or not found or not any(found.groups()):
        return whole_number(value) if text in WORDS or not text else value
    return round(float(found[1] or 0) * HOUR + float(found[2] or 0))


Whole = Annotated[int, BeforeValidator(whole_number)]
Hour = Annotated[int, BeforeValidator(hour_of_day)]
Minutes = Annotated[int, BeforeValidator(minutes_of)]
