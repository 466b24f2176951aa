"""Reads appointments from sentences: on which day, at what time, where and with whom, by the calendar and by what the
persona knows.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, time

from ville.offline.day.hours import DATE, DAY, HOUR, WEEKDAYS, day_in, span_in, without_times
from ville.persona.cognitive_modules.mind import Mind, named_people
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.facts.commitment import USUAL, Commitment
from ville.persona.prompt_template.caps import ACTIVITY
from ville.plain_text import shortened

SENTENCE = re.compile(r"(?<=[.!?…])\s+(?=[^\W\d_])")
CONTINUES = re.compile(r"(?:It|This|That|She|He|They|There|The (?:party|event)|Он|Она|Оно|Они|Это)\b")
"""Beginnings of sentences that are about the sentence before."""
ON_A_DAY = re.compile(
    rf",?\s*\b(?:on\s+)?(?:{DATE.pattern}|(?:today|tomorrow)\b|(?:next |this |coming )?(?:{'|'.join(WEEKDAYS)})\b)",
    re.IGNORECASE,
)
PLANNING = re.compile(r"^For .{1,60}'s planning: ")


def appointments_in(mind: Mind, view: TownView, text: str, *, source: str) -> Iterator[Commitment]:
    """Yield the appointments in a text about the persona: its sentences that name a day that is not over."""
    for sentence in _sentences(PLANNING.sub("", text)):
        found = appointment(mind, view, sentence, day=day_in(sentence, view.now.date()), source=source)
        if found and found.end and found.end > view.now:
            yield found


def appointment(mind: Mind, view: TownView, text: str, *, day: date | None, source: str) -> Commitment | None:
    """Return what a text says of an appointment of a day; None without a day."""
    if day is None:
        return None
    span = span_in(DATE.sub(" ", text))
    return Commitment(
        what=shortened(_without_day(text), ACTIVITY),
        people=tuple(named_people(mind, view, text)),
        day=day,
        at=None if span.start is None else clock(span.start),
        minutes=USUAL if span.start is None or span.end is None else max(span.end - span.start, 1),
        place=place_in(mind, text),
        made=view.now,
        source=source,
    )


def _without_day(text: str) -> str:
    """Return a text without its first date and hours, which are said besides."""
    bare = without_times(ON_A_DAY.sub("", text, count=1))
    return re.sub(r"\s+([,.;])|,(?=[,.;])", r"\1", bare).strip(" ,.;")


def clock(minute: int) -> time:
    """Return a minute of the day as a time."""
    return time(*divmod(minute % DAY, HOUR))


def place_in(mind: Mind, text: str) -> str:
    """Return the sector that a text names, else the arena; empty if it names none that the persona knows."""
    sectors = [sector for world in mind.places.tree.values() for sector in world]
    arenas = [arena for world in mind.places.tree.values() for sector in world.values() for arena in sector]
    return _named_in(text, sectors) or _named_in(text, arenas)


def _named_in(text: str, places: Sequence[str]) -> str:
    low = text.casefold()
    named = (name for name in dict.fromkeys(places) if re.search(rf"\b{re.escape(name.casefold())}\b", low))
    return max(named, key=len, default="")


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, each that continues another one with it."""
    whole = ""
    for part in SENTENCE.split(" ".join(text.split())):
        if whole and not CONTINUES.match(part):
            yield whole
            whole = part
        else:
            whole = f"{whole} {part}".strip()
    if whole:
        yield whole
