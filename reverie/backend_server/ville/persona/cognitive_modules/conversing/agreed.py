"""Whether a talk may have led to an agreement, and whether what is kept for planning was said in it.

Models fill in whatever is asked for: without these rules every talk ends with an appointment.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import yaml

from ville.persona.memory_structures.facts.fact_words import fact_words
from ville.persona.memory_structures.scratch import Conversation
from ville.persona.prompt_template.answers.clock_times import HOURS_IN_WORDS, NOON, in_24_hours

_MAY_AGREE = re.compile(
    yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))["may agree"], re.IGNORECASE | re.VERBOSE
)
_HOUR = re.compile(r"\b(\d{1,2}):\d{2}\b")
_AT = re.compile(rf"\bat ({'|'.join(HOURS_IN_WORDS)})\b", re.IGNORECASE)
SAID = 0.5
"""Share of the words of an agreement that were said, at least."""


def may_agree(conversation: Conversation, places: Iterable[str]) -> bool:
    """Return whether a talk names a time, a place or a favour."""
    said = _said(conversation)
    return bool(_MAY_AGREE.search(said)) or any(place.casefold() in said.casefold() for place in places)


def was_agreed(text: str, conversation: Conversation) -> bool:
    """Return whether a talk has the hours of what is kept for planning, or else half of its words without names."""
    said = _said(conversation)
    names = fact_words(" ".join((conversation.partner, *(speaker for speaker, _ in conversation.transcript))))
    words, hours = fact_words(text) - names, _hours(text)
    if hours:
        return hours <= _numbers(said)
    return len(words & fact_words(said)) >= SAID * len(words)


def _hours(text: str) -> set[int]:
    """Return the hours in a text, as on a 12-hour clock."""
    in_words = {HOURS_IN_WORDS.index(word.lower()) for word in _AT.findall(text)}
    return {int(hour) % NOON for hour in (*in_words, *_HOUR.findall(in_24_hours(text)))}


def _numbers(said: str) -> set[int]:
    """Return the numbers in a text that may be hours, as on a 12-hour clock."""
    in_words = {number % NOON for number, word in enumerate(HOURS_IN_WORDS) if re.search(rf"\b{word}\b", said.lower())}
    named = {0} if re.search(r"\b(?:noon|midday|midnight)\b", said, re.IGNORECASE) else set()
    return in_words | named | {int(number) % NOON for number in re.findall(r"\b\d{1,2}(?=\D|$)", said)}


def _said(conversation: Conversation) -> str:
    return " ".join(words for _, words in conversation.transcript)
