"""Values for the blanks of templates, and their English text in prompts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import singledispatch
from typing import ClassVar

from ville.persona.prompt_template.caps import BLANK, MEMORY
from ville.plain_text import shortened
from ville.storage.dates import DAYS, MONTHS

NOON = 12
Places = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Objects by sector and arena."""


class Blank:
    """Base of structured values in templates.

    `repr` shows `tag` instead of the class name: the offline rules seed their choices with it, so it must not change.
    """

    tag: ClassVar[str]

    def __repr__(self) -> str:
        return f"{self.tag}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


@dataclass(frozen=True, repr=False)
class QuotedMemory(Blank):
    """A node of the memory stream as quoted in a prompt."""

    tag = "Memory"

    when: datetime
    text: str
    kind: str = "event"
    """event, thought or chat."""
    poignancy: int = 1


@dataclass(frozen=True, repr=False)
class ScheduleEntry(Blank):
    """An activity in a schedule."""

    tag = "Spell"

    start: datetime
    minutes: int
    what: str


@dataclass(frozen=True, repr=False)
class DialogueTurn(Blank):
    """What one speaker said in one turn of a conversation."""

    tag = "Remark"

    speaker: str
    said: str


@dataclass(frozen=True, repr=False)
class NumberedMemories(Blank):
    """Memories that an answer refers to by number, from 0."""

    tag = "Numbered"

    memories: tuple[QuotedMemory, ...]
    left_out: frozenset[int] = frozenset()
    """Numbers of memories that are not shown. The others keep their numbers."""

    def __len__(self) -> int:
        return len(self.memories)

    def __iter__(self) -> Iterator[QuotedMemory]:
        return iter(self.memories)


@dataclass(frozen=True, repr=False)
class PlaceOptions(Blank):
    """Places from which an answer chooses."""

    tag = "Options"

    places: Places


def place_text(*parts: str) -> str:
    """Return the one form in which prompts name a place: `sector > arena`."""
    return " > ".join(part for part in parts if part)


@singledispatch
def blank_text(value: object) -> str:
    """Return the text of a value in a prompt."""
    return str(value)


@blank_text.register
def _(value: str) -> str:
    return shortened(value, BLANK) or "(nothing)"


@blank_text.register
def _(value: tuple) -> str:  # type: ignore[type-arg]
    return "\n".join(f"- {blank_text(item)}" for item in value) or "(nothing)"


@blank_text.register
def _(value: datetime) -> str:
    return f"{_day(value)}, {value.year}, {clock(value)}"


@blank_text.register
def _(value: date) -> str:
    return f"{_day(value)}, {value.year}"


@blank_text.register
def _(value: QuotedMemory) -> str:
    return f"[{_day(value.when)}, {clock(value.when)}] {shortened(value.text, MEMORY)}"


@blank_text.register
def _(value: ScheduleEntry) -> str:
    return f"{clock(value.start)}, {value.minutes} minutes: {shortened(value.what, MEMORY)}"


@blank_text.register
def _(value: DialogueTurn) -> str:
    return f"{value.speaker}: {shortened(value.said, MEMORY)}"


@blank_text.register
def _(value: NumberedMemories) -> str:
    shown = ((number, memory) for number, memory in enumerate(value.memories) if number not in value.left_out)
    return "\n".join(f"{number}. {blank_text(memory)}" for number, memory in shown) or "(nothing)"


@blank_text.register
def _(value: PlaceOptions) -> str:
    return "\n".join(
        f"- {place_text(sector, arena)}: {', '.join(objects) or '(no objects)'}"
        for sector, arenas in value.places.items()
        for arena, objects in arenas.items()
    )


def clock(moment: datetime) -> str:
    """Return the 12-hour time without a leading zero: `8:05 AM`."""
    return f"{moment.hour % NOON or NOON}:{moment:%M} {'AM' if moment.hour < NOON else 'PM'}"


def _day(day: date) -> str:
    """Return weekday, month and day in English: `Monday, February 13`."""
    return f"{DAYS[day.weekday()]}, {MONTHS[day.month - 1]} {day.day}"


@singledispatch
def drop_older_memories(_value: object) -> object | None:
    """Return a value without the older half of its memories, or None if it has none."""
    return None


@drop_older_memories.register
def _(value: tuple) -> object | None:  # type: ignore[type-arg]
    if not value or not all(isinstance(item, QuotedMemory) for item in value):
        return None
    older = _older_half(dict(enumerate(value)))
    return tuple(memory for number, memory in enumerate(value) if number not in older)


@drop_older_memories.register
def _(value: NumberedMemories) -> object | None:
    shown = {number: memory for number, memory in enumerate(value.memories) if number not in value.left_out}
    return replace(value, left_out=value.left_out | _older_half(shown)) if shown else None


def _older_half(memories: Mapping[int, QuotedMemory]) -> set[int]:
    """Return the numbers of the older half, at least one."""
    by_age = sorted(memories, key=lambda number: memories[number].when)
    return set(by_age[: (len(by_age) + 1) // 2])


def drop_older_turns(value: object) -> object | None:
    """Return a transcript without its older half, or None if the value is not a transcript or empty."""
    if not isinstance(value, tuple) or not value or not all(isinstance(item, DialogueTurn) for item in value):
        return None
    return value[(len(value) + 1) // 2 :]
