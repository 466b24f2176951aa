"""Values for the blanks of templates, and their English text in prompts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import singledispatch

from ville.persona.prompt_template.caps import BLANK, MEMORY, QUOTED
from ville.plain_text import shortened
from ville.storage.dates import DAYS, MONTHS

NOON = 12
KINDS = {"event": "seen", "chat": "talk"}
"""Kinds of memories as prompts name them, where that is another word."""
BY_CHANCE = "These memories come to mind by chance. One of them may lead to something that is unlike other days:"
LATEST, LATELY = 6, 120
"""Utterances of earlier talks that are quoted, and the most characters of each."""
Places = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Objects by sector and arena."""


@dataclass(frozen=True)
class QuotedMemory:
    """A node of the memory stream as quoted in a prompt."""

    when: datetime
    text: str
    kind: str = "event"
    """event, thought or chat."""
    poignancy: int = 1
    age: str = ""
    """When it was, seen from now: `today 10:31 AM`."""
    partner: str | None = None
    """Who took part in a talk, besides whom the text names."""


@dataclass(frozen=True)
class ChanceMemories:
    """Memories that come to mind by chance, below a heading of their own."""

    memories: tuple[QuotedMemory, ...]


@dataclass(frozen=True)
class ScheduleEntry:
    """An activity in a schedule."""

    start: datetime
    minutes: int
    what: str


@dataclass(frozen=True)
class TalkOfToday:
    """A conversation that a persona has had today."""

    when: datetime
    partner: str
    about: str
    """`conversing about lunch`."""


@dataclass(frozen=True)
class Today:
    """Facts that a persona knows without retrieval: time, place, what it is doing, and its day."""

    now: datetime
    place: str
    """`cafe in Hobbs Cafe`."""
    doing: str
    planned: tuple[ScheduleEntry, ...]
    """The whole day as it was planned in the morning."""
    talks: tuple[TalkOfToday, ...]
    """All conversations so far, the latest last."""


@dataclass(frozen=True)
class AheadToday:
    """An entry of the plan for today that has not begun."""

    start: datetime
    what: str
    where: str = ""
    """Empty if it is not known, or said by `what`."""


@dataclass(frozen=True)
class SituatedSelf:
    """Facts that are true of a persona in this step: a few lines after the identity, alike in every question to it."""

    now: datetime
    first_name: str
    here: str
    """`at Hobbs Cafe (cafe)`, `at home (kitchen)`, or `in the street`."""
    doing: str = ""
    until: datetime | None = None
    heading: str = ""
    """Where the persona is on its way to; empty if it has arrived."""
    ahead: tuple[AheadToday, ...] = ()
    """The next entries of the plan."""
    facing: str = ""
    """Whom the persona has before it."""
    feeling: str = ""
    """About that one, in a few words; empty if it is not known."""
    promises: tuple[str, ...] = ()
    """Open promises, each with day, hour and place."""
    told: tuple[str, ...] = ()
    """Facts that it has told whom it has before it."""


@dataclass(frozen=True)
class DialogueTurn:
    """One turn of a conversation."""

    speaker: str
    said: str


@dataclass(frozen=True)
class SaidOfLate:
    """Utterances of two personas in their talks of the last days, as one of them remembers them."""

    name: str
    """Who remembers it. Only what this one said is quoted in a prompt."""
    turns: tuple[DialogueTurn, ...]


@dataclass(frozen=True)
class NumberedMemories:
    """Memories that an answer refers to by number, from 0."""

    memories: tuple[QuotedMemory, ...]
    left_out: frozenset[int] = frozenset()
    """Numbers of memories that are not shown. The others keep their numbers."""

    def __len__(self) -> int:
        return len(self.memories)

    def __iter__(self) -> Iterator[QuotedMemory]:
        return iter(self.memories)


@dataclass(frozen=True)
class NumberedTexts:
    """Texts that an answer refers to by number, from 1."""

    texts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)


@dataclass(frozen=True)
class PlaceOptions:
    """Places from which an answer chooses."""

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
    return f"{KINDS.get(value.kind, value.kind)} {value.age}".rstrip() + f": {shortened(value.text, QUOTED)}"


@blank_text.register
def _(_value: None) -> str:
    """Return nothing for what a question can do without."""
    return ""


@blank_text.register
def _(value: ChanceMemories) -> str:
    return f"\n\n{BY_CHANCE}\n{blank_text(value.memories)}"


@blank_text.register
def _(value: ScheduleEntry) -> str:
    return f"{clock(value.start)}, {value.minutes} minutes: {shortened(value.what, MEMORY)}"


@blank_text.register
def _(value: TalkOfToday) -> str:
    return f"{clock(value.when)}, with {value.partner}: {shortened(value.about, MEMORY)}"


@blank_text.register
def _(value: Today) -> str:
    here = f"It is {blank_text(value.now)}, at {value.place}. At the moment: {blank_text(value.doing)}"
    return f"\n\n{here}\n{day_text(value)}"


@blank_text.register
def _(value: AheadToday) -> str:
    return f"{_short_clock(value.start)} {value.what}" + (f", {value.where}" if value.where else "")


@blank_text.register
def _(value: SituatedSelf) -> str:
    way = f", on the way to {value.heading}" if value.heading else ""
    doing = f": {value.doing}" + (f", until {_short_clock(value.until)}" if value.until else "") if value.doing else ""
    lines = [f"It is {_day(value.now)}, {_short_clock(value.now)}. {value.first_name} is {value.here}{way}{doing}."]
    if value.ahead:
        lines.append(f"Next: {'; '.join(map(blank_text, value.ahead))}.")
    if value.feeling:
        lines.append(f"Feelings about {value.facing}: {value.feeling.rstrip('.')}.")
    if value.promises:
        lines.append(f"Promised: {'; '.join(text.rstrip('.') for text in value.promises)}.")
    if value.told:
        lines.append(f"{value.facing} knows already from {value.first_name}: {'; '.join(value.told)}.")
    return "\n".join(lines)


@blank_text.register
def _(value: DialogueTurn) -> str:
    return f"{value.speaker}: {shortened(value.said, MEMORY)}"


@blank_text.register
def _(value: SaidOfLate) -> str:
    own = [shortened(turn.said, LATELY) for turn in value.turns if turn.speaker == value.name][-LATEST:]
    said = " / ".join(own)
    return f"\nIn the last two days, {value.name} has already said: {said}" if own else ""


@blank_text.register
def _(value: NumberedMemories) -> str:
    shown = ((number, memory) for number, memory in enumerate(value.memories) if number not in value.left_out)
    return "\n".join(f"{number}. {blank_text(memory)}" for number, memory in shown) or "(nothing)"


@blank_text.register
def _(value: NumberedTexts) -> str:
    return "\n".join(f"{number}. {blank_text(text)}" for number, text in enumerate(value, 1)) or "(nothing)"


@blank_text.register
def _(value: PlaceOptions) -> str:
    return "\n".join(
        f"- {place_text(sector, arena)}: {', '.join(objects) or '(no objects)'}"
        for sector, arenas in value.places.items()
        for arena, objects in arenas.items()
    )


def day_text(day: Today) -> str:
    """Return the plan and the talks of a day."""
    planned, talks = blank_text(day.planned), blank_text(day.talks)
    return f"The day as it was planned:\n{planned}\nTalks of the day so far:\n{talks}"


def age(when: datetime, now: datetime) -> str:
    """Return when a memory was, seen from now: `today 10:31 AM`, `yesterday 9:05 PM`, `3 days ago`."""
    days = (now.date() - when.date()).days
    return f"{days} days ago" if days > 1 else f"{'yesterday' if days else 'today'} {clock(when)}"


def clock(moment: datetime) -> str:
    """Return the 12-hour time without a leading zero: `8:05 AM`. Prompts show it as on a 24-hour clock."""
    return f"{moment.hour % NOON or NOON}:{moment:%M} {'AM' if moment.hour < NOON else 'PM'}"


def _short_clock(moment: datetime) -> str:
    """Return the time on a 24-hour clock: `8:05`."""
    return f"{moment.hour}:{moment:%M}"


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
