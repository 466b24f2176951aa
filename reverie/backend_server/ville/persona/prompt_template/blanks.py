"""The values that fill a template's blanks, and how each is written in English for a model to read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import singledispatch

from ville.persona.prompt_template.caps import BLANK, MEMORY
from ville.plain_text import shortened
from ville.storage.dates import DAYS, MONTHS

NOON = 12
Places = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Sector → arena → objects: what a persona knows of the town and may choose from."""


@dataclass(frozen=True)
class Memory:
    """A remembered node as it is quoted in a prompt."""

    when: datetime
    text: str
    kind: str = "event"
    """event, thought or chat."""
    poignancy: int = 1


@dataclass(frozen=True)
class Spell:
    """A stretch of somebody's day."""

    start: datetime
    minutes: int
    what: str


@dataclass(frozen=True)
class Remark:
    """One thing said in a conversation."""

    speaker: str
    said: str


@dataclass(frozen=True)
class Numbered:
    """Statements that an answer refers to by number, from 0."""

    memories: tuple[Memory, ...]
    left_out: frozenset[int] = frozenset()
    """Numbers of those that are not shown; the others keep theirs."""

    def __len__(self) -> int:
        return len(self.memories)

    def __iter__(self) -> Iterator[Memory]:
        return iter(self.memories)


@dataclass(frozen=True)
class Options:
    """Places that may be chosen."""

    places: Places


@singledispatch
def written(value: object) -> str:
    """The text of a blank."""
    return str(value)


@written.register
def _(value: str) -> str:
    return shortened(value, BLANK) or "(nothing)"


@written.register
def _(value: tuple) -> str:  # type: ignore[type-arg]
    return "\n".join(f"- {written(item)}" for item in value) or "(nothing)"


@written.register
def _(value: datetime) -> str:
    return f"{_day(value)}, {value.year}, {clock(value)}"


@written.register
def _(value: date) -> str:
    return f"{_day(value)}, {value.year}"


@written.register
def _(value: Memory) -> str:
    return f"[{_day(value.when)}, {clock(value.when)}] {shortened(value.text, MEMORY)}"


@written.register
def _(value: Spell) -> str:
    return f"{clock(value.start)}, {value.minutes} minutes: {shortened(value.what, MEMORY)}"


@written.register
def _(value: Remark) -> str:
    return f"{value.speaker}: {shortened(value.said, MEMORY)}"


@written.register
def _(value: Numbered) -> str:
    shown = ((number, memory) for number, memory in enumerate(value.memories) if number not in value.left_out)
    return "\n".join(f"{number}. {written(memory)}" for number, memory in shown) or "(nothing)"


@written.register
def _(value: Options) -> str:
    return "\n".join(
        f"- {sector} > {arena}: {', '.join(objects) or '(no objects)'}"
        for sector, arenas in value.places.items()
        for arena, objects in arenas.items()
    )


def clock(moment: datetime) -> str:
    """12-hour time without a leading zero, as in `8:05 AM`."""
    return f"{moment.hour % NOON or NOON}:{moment:%M} {'AM' if moment.hour < NOON else 'PM'}"


def _day(day: date) -> str:
    """`Monday, February 13`, whatever the locale."""
    return f"{DAYS[day.weekday()]}, {MONTHS[day.month - 1]} {day.day}"


@singledispatch
def briefer_memories(_value: object) -> object | None:
    """A blank without the older half of its memories; None if there are none in it."""
    return None


@briefer_memories.register
def _(value: tuple) -> object | None:  # type: ignore[type-arg]
    if not value or not all(isinstance(item, Memory) for item in value):
        return None
    older = _older_half(dict(enumerate(value)))
    return tuple(memory for number, memory in enumerate(value) if number not in older)


@briefer_memories.register
def _(value: Numbered) -> object | None:
    shown = {number: memory for number, memory in enumerate(value.memories) if number not in value.left_out}
    return replace(value, left_out=value.left_out | _older_half(shown)) if shown else None


def _older_half(memories: Mapping[int, Memory]) -> set[int]:
    """The numbers of the older ones, at least one."""
    by_age = sorted(memories, key=lambda number: memories[number].when)
    return set(by_age[: (len(by_age) + 1) // 2])


def briefer_talk(value: object) -> object | None:
    """A blank without the older half of what was said; None if nothing was."""
    if not isinstance(value, tuple) or not value or not all(isinstance(item, Remark) for item in value):
        return None
    return value[(len(value) + 1) // 2 :]
