"""What a persona has in mind when it is asked: its memories, the news and records in them, and what follows for it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any

from ville.llm.offline.duties import Duty, duties_of
from ville.llm.offline.grammar import FULL_NAME
from ville.llm.offline.hours import DAY, HOUR
from ville.llm.offline.news import MemoryRecord, NewsItem, merged, private, record_of
from ville.llm.offline.profile import Profile, lot
from ville.llm.offline.reading import HEARSAY, news_in
from ville.llm.offline.table import shows
from ville.llm.offline.ties import OVERHEARD, beloved, closeness, feeling, kin, tie
from ville.llm.offline.work import politics, topics_of

TIED_DOWN, RELIABLE = 0.35, 0.7
"""How much seldomer people go who would have to leave their counter; how often people come who have said so."""
PARTS = ((5, "evening"), (12, "morning"), (18, "afternoon"), (24, "evening"))
"""Hour by which a part of the day is over."""
LITTLE_WHILE = timedelta(hours=1)
_SEEN = re.compile(rf"^({FULL_NAME.pattern}) is (\w+ing\b[^.;(]*)")


@dataclass(frozen=True)
class Sighting:
    """A persona seen doing something."""

    who: str
    doing: str
    when: datetime


@dataclass(frozen=True)
class Knowledge:
    """A persona with the memories that a question brought to its mind."""

    me: Profile
    memories: Sequence[Any]
    now: datetime
    relationship: str = ""
    """What is said of the one it talks to, if it talks."""

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Everything that this persona knows by heart."""
        own = (self.me.currently, self.me.requirement, self.me.learned, self.relationship)
        return (*(memory.text for memory in self.memories), *(text for text in own if text))

    @cached_property
    def _dated(self) -> list[tuple[str, date]]:
        today = self.now.date()
        remembered = [(memory.text, memory.when.date()) for memory in self.memories]
        return [*remembered, *((text, today) for text in self.texts[len(self.memories) :])]

    @cached_property
    def _told(self) -> list[tuple[str, tuple[NewsItem, ...]]]:
        """Every text that tells news, with the news."""
        found = ((text, news_in(text, day, self.me.name)) for text, day in self._dated)
        return [(text, news) for text, news in found if news]

    @cached_property
    def records(self) -> list[MemoryRecord]:
        found = (record_of(text, day) for text, day in self._dated)
        return [record for record in found if record]

    @cached_property
    def heard(self) -> list[NewsItem]:
        """All news that is not a secret, also what is over."""
        found = merged(item for text, news in self._told if not private().search(text) for item in news)
        return [item for item in found if item.can_be_told]

    @cached_property
    def known(self) -> list[NewsItem]:
        """News that is not over."""
        return [item for item in self.heard if not item.is_over(self.now)]

    @cached_property
    def recent(self) -> list[NewsItem]:
        """Occasions that began today or yesterday."""
        begun = (item for item in self.heard if item.is_occasion and item.day and item.has_begun(self.now))
        return [item for item in begun if item.day and (self.now.date() - item.day).days <= 1]

    @cached_property
    def own_talks(self) -> list[str]:
        """Memories of one's own talks, as in `Ada Stone is conversing about lunch`."""
        own = f"{self.me.name} is {OVERHEARD}"
        return [memory.text for memory in self.memories if memory.text.startswith(own)]

    def texts_on(self, item: NewsItem) -> list[str]:
        return [text for text, news in self._told if any(item.is_same(other) for other in news)]

    def records_on(self, item: NewsItem) -> list[MemoryRecord]:
        return [record for record in self.records if record.news and item.is_same(record.news)]

    def source(self, item: NewsItem) -> str:
        """Return who told it, or nothing."""
        for text in self.texts_on(item):
            if found := HEARSAY.search(text):
                return found[1] or found[2]
        return ""

    def liking(self, other: str) -> int:
        return feeling(self.texts, other)

    def kin(self, other: str) -> str:
        return kin(self.me.name, other, self.texts)

    def closeness(self, other: str) -> float:
        return closeness(tie(self.me.name, other, self.texts))

    @cached_property
    def politics(self) -> int:
        return politics(self.texts)

    @cached_property
    def topics(self) -> list[str]:
        """What this persona is busy with; preparations only as long as their occasion lies ahead."""
        prepares = any(item.is_of(self.me.name) and item.is_occasion and not item.has_begun(self.now)
                       for item in self.known)  # fmt: skip
        return [topic for topic in topics_of(self.me) if prepares or not shows("preparations", topic)]

    def topic_of(self, other: str) -> str:
        """Return what another persona is busy with, as far as an earlier talk told, or nothing."""
        return next(
            (record.topic for record in self.records if record.kind == "found out" and record.other == other), ""
        )

    def decision(self, item: NewsItem) -> bool | None:
        """Return whether this persona has said that it will come; None if it has not said anything."""
        for record in self.records_on(item):
            if record.me == self.me.name and record.kind in {"goes", "stays"}:
                return record.kind == "goes"
            if record.answer and record.guest == self.me.first:
                return record.answer == "yes"
        return None

    def will_go(self, item: NewsItem) -> bool:
        """Return whether it accepts: by what it has said, else by temper, liking and a fixed lot."""
        if item.is_of(self.me.name):
            return True
        decided = self.decision(item)
        if decided is not None:
            return decided
        if any(f"{name} wants to go" in text for name in beloved(self.texts) for text in self.texts_on(item)):
            return True
        tied_down = TIED_DOWN if shift_during(item, self.me) else 1
        return lot(self.me.name, item.kind, item.day) < eagerness(self.me, self.liking(item.who)) * tied_down

    def attends(self, item: NewsItem) -> bool:
        """Return whether it comes in the end."""
        return self.will_go(item) and keeps_word(self.me, item)

    def broke_word(self, item: NewsItem) -> bool:
        """Return whether it said yes and did not come."""
        return item.has_begun(self.now) and self.decision(item) is True and not keeps_word(self.me, item)

    def sightings(self) -> list[Sighting]:
        """Return who was seen doing what, today and yesterday."""
        found = []
        for memory in self.memories:
            doing = doing_in(memory.text) if memory.kind == "event" and (self.now - memory.when).days < 1 else ""
            if doing:
                found.append(Sighting(memory.text.partition(f" is {doing}")[0], doing, memory.when))
        return found


@lru_cache(maxsize=32768)
def doing_in(text: str) -> str:
    """Return what a memory of a sight shows somebody doing; nothing, if it is not worth a word."""
    seen = _SEEN.match(text)
    return seen[2].strip() if seen and OVERHEARD not in text and not shows("not spoken of", text) else ""


def eagerness(person: Profile, liking: int) -> float:
    """Return how likely somebody is to accept an invitation."""
    eager = 0.6 + 0.13 * liking
    eager += 0.1 if "outgoing" in person.tempers else 0.0
    eager -= 0.12 if "shy" in person.tempers else 0.0
    return eager - (0.3 if "blunt" in person.tempers and liking <= 0 else 0.0)


def keeps_word(person: Profile, item: NewsItem) -> bool:
    """Return whether somebody who has said yes comes in the end; some do not."""
    return item.is_of(person.name) or lot(person.name, item.kind, item.day, "in the end") < RELIABLE


def shift_during(item: NewsItem, person: Profile) -> Duty | None:
    """Return the work behind a counter that falls into an occasion's hours, if any."""
    start, end = item.span.start, item.span.end
    if start is None:
        return None
    for duty in duties_of(person):
        lasts = duty.is_shift and duty.start is not None and start < (duty.end or DAY)
        if lasts and (duty.start or 0) < (end or start + HOUR):
            return duty
    return None


def part_of_day(moment: datetime) -> str:
    return next(part for until, part in PARTS if moment.hour < until)


def spoken_time(moment: datetime, now: datetime) -> str:
    """Return `this morning`, `yesterday evening`."""
    if now - moment < LITTLE_WHILE:
        return "a little while ago"
    part = part_of_day(moment)
    return f"this {part}" if moment.date() == now.date() else f"yesterday {part}"
