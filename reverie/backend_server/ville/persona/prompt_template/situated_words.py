"""Words of situated questions: one clock, whole plans or none, who talks with whom, and names in full only once."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from ville.persona.prompt_template.answers.clock_times import in_24_hours
from ville.persona.prompt_template.blanks import (
    NumberedMemories,
    PlaceOptions,
    QuotedMemory,
    Today,
    blank_text,
    day_text,
)
from ville.persona.prompt_template.caps import QUOTED

PLAN_OF_A_DAY = re.compile(r"This is .+?'s plan for ")
OVERHEARD = re.compile(r"\bconversing about\b")
OWN_NAME = re.compile(r"^Name: (.+)$", re.MULTILINE)


def situated_text(value: object) -> str:
    """Return the text of a value in a situated prompt. Names of places stay as they are, to be chosen by them."""
    if isinstance(value, PlaceOptions):
        return blank_text(value)
    if isinstance(value, NumberedMemories):
        stubs = {number for number, memory in enumerate(value.memories) if is_stub(memory)}
        memories = tuple(_told(memory) for memory in value.memories)
        told = replace(value, memories=memories, left_out=value.left_out | stubs)
        return in_24_hours(blank_text(told))
    if isinstance(value, Today):
        return in_24_hours(f"\n\n{day_text(value)}")
    if isinstance(value, tuple):
        value = tuple(_told(item) if isinstance(item, QuotedMemory) else item for item in value if not is_stub(item))
    return in_24_hours(blank_text(value))


def is_stub(value: object) -> bool:
    """Return whether a value is the plan of a day that is too long to be quoted whole."""
    return isinstance(value, QuotedMemory) and len(value.text) > QUOTED and bool(PLAN_OF_A_DAY.match(value.text))


def _told(memory: QuotedMemory) -> QuotedMemory:
    """Return a memory; one of a talk says with whom."""
    if not memory.partner or memory.partner in memory.text:
        return memory
    return replace(memory, text=OVERHEARD.sub(f"talking with {memory.partner} about", memory.text, count=1))


def with_short_names(text: str, names: Iterable[str], *, named: bool = False) -> str:
    """Return a text in which people are called by their first names once they have been `named` in full.

    Names of places that begin with a person's stay, and so do namesakes.
    """
    for name in names:
        first, _, others = name.partition(" ")
        if not others or first not in text:
            continue
        if re.search(rf"\b{re.escape(first)} (?!{re.escape(others)}\b)[^\W\d_a-z]\w", text):
            continue
        head = 0 if named else len(text.partition(name)[0]) + len(name)
        text = text[:head] + _whole(name).sub(first, text[head:])
    return text


@lru_cache(maxsize=1000)
def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w|['’]s?\b)")


def own_name(identity: str) -> str:
    """Return the full name in the text of an identity; empty if it has none."""
    found = OWN_NAME.search(identity)
    return found[1] if found else ""
