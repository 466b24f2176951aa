"""Times of day as people and models write them: `7`, `7:30`, `7:30 PM`, `noon`, `24:00`."""

import re
from datetime import time

NOON = 12
NAMED = {"noon": time(NOON), "midday": time(NOON), "midnight": time(), "24:00": time(), "24": time()}
_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?\s*(?:([ap])\.?m\b\.?)?")
_IN_A_SENTENCE = re.compile(
    r"\b(?:noon\b|midday\b|midnight\b|\d{1,2}:\d{2}(?:\s*[ap]\.?m\b\.?)?|\d{1,2}\s*[ap]\.?m\b\.?)", re.IGNORECASE
)


def read_time(value: object) -> time:
    """Return a time of day, in which 24:00 is 0:00. Raise ValueError, worded for the model."""
    if isinstance(value, time):
        return value
    found = _read(str(value))
    if found is None:
        raise ValueError(f"{value!r} is not a time of day such as 7:30")
    return found


def first_time(text: str) -> time | None:
    """Return the first time of day in a sentence, or None. A number alone is not a time."""
    found = _IN_A_SENTENCE.search(text)
    return _read(found[0]) if found else None


def _read(text: str) -> time | None:
    text = text.strip().lower()
    found = _TIME.fullmatch(text)
    if text in NAMED or found is None:
        return NAMED.get(text)
    hour, minute = int(found[1]), int(found[2] or 0)
    if found[3]:
        hour = hour % NOON + NOON * (found[3] == "p")
    return time(hour, minute) if hour < 2 * NOON and minute < 60 else None  # noqa: PLR2004 - minutes of an hour
