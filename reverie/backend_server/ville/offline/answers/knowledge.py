"""Knowledge of a persona: retrieved memories, the news and records in them, and decisions that follow."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache

from ville.offline.day.duties import Duty, duties_of
from ville.offline.day.hours import DAY, HOUR
from ville.offline.day.work import politics, topics_of
from ville.offline.grammar import FULL_NAME
from ville.offline.incidents import BY_NOW_OVER, Incident, incidents_in
from ville.offline.news_reading import HEARSAY, news_in
from ville.offline.profile import Profile, lot
from ville.offline.rule_types import Memory
from ville.offline.table import shows
from ville.offline.talks.news import CANCELLATION, MemoryRecord, NewsItem, merged, private, record_of
from ville.offline.talks.ties import OVERHEARD, beloved, closeness, feeling, kin, tie

TIED_DOWN, RELIABLE = 0.35, 0.6
"""Factor of accepting for personas on shift then, and probability of keeping a promise."""
PARTS = ((5, "evening"), (12, "morning"), (18, "afternoon"), (24, "evening"))
"""Parts of the day with the hour at which they end."""
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
    """A persona with the memories retrieved for a question."""

    me: Profile
    memories: Sequence[Memory]
    now: datetime
    relationship: str = ""
    """Relationship to the conversation partner, if any."""

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Texts of all memories and of the identity."""
        own = (self.me.currently, self.me.requirement, self.me.learned, self.relationship)
        return (*(memory.text for memory in self.memories), *(text for text in own if text))

    @cached_property
    def _dated(self) -> list[tuple[str, date]]:
        today = self.now.date()
        remembered = [(memory.text, memory.when.date()) for memory in self.memories]
        return [*remembered, *((text, today) for text in self.texts[len(self.memories) :])]

    @cached_property
    def _told(self) -> list[tuple[str, tuple[NewsItem, ...]]]:
        """Texts with news, and their news."""
        found = ((text, news_in(text, day, self.me.name)) for text, day in self._dated)
        return [(text, news) for text, news in found if news]

    @cached_property
    def records(self) -> list[MemoryRecord]:
        found = (record_of(text, day) for text, day in self._dated)
        return [record for record in found if record]

    @cached_property
    def heard(self) -> list[NewsItem]:
        """All news except secrets and cancelled occasions, including past occasions."""
        return _without_cancelled(self._tellable)

    @cached_property
    def cancelled(self) -> list[NewsItem]:
        """Occasions that do not take place, as far as this persona has heard."""
        return _cancelled(self._tellable)

    @cached_property
    def _tellable(self) -> list[NewsItem]:
        told = [item for text, news in self._told if not private().search(text) for item in news]
        found = merged(_by_its_host(item, told, self.me.name) for item in told)
        return [item for item in found if item.can_be_told]

    @cached_property
    def known(self) -> list[NewsItem]:
        """News except past occasions."""
        return [item for item in self.heard if not item.is_over(self.now)]

    @cached_property
    def recent(self) -> list[NewsItem]:
        """Occasions that began today or yesterday."""
        begun = (item for item in self.heard if item.is_occasion and item.day and item.has_begun(self.now))
        return [item for item in begun if item.day and (self.now.date() - item.day).days <= 1]

    @cached_property
    def incidents(self) -> list[Incident]:
        """Return incidents that this persona noticed and that are worth telling everyone, latest first."""
        return incidents_in(self.memories, self.now, over=BY_NOW_OVER)

    @cached_property
    def happenings(self) -> list[Incident]:
        """Return incidents that this persona can tell if asked: also those just noticed, latest first."""
        return incidents_in(self.memories, self.now)

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
        """Return who told it, or an empty string."""
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
        """Current work; preparations only until their occasion begins."""
        prepares = any(item.is_of(self.me.name) and item.is_occasion and not item.has_begun(self.now)
                       for item in self.known)  # fmt: skip
        return [topic for topic in topics_of(self.me) if prepares or not shows("preparations", topic)]

    def topic_of(self, other: str) -> str:
        """Return another persona's work as told in an earlier talk, or an empty string."""
        return next(
            (record.topic for record in self.records if record.kind == "found out" and record.other == other), ""
        )

    def decision(self, item: NewsItem) -> bool | None:
        """Return whether this persona has accepted; None if undecided."""
        for record in self.records_on(item):
            if record.me == self.me.name and record.kind in {"goes", "stays"}:
                return record.kind == "goes"
            if record.answer and record.guest == self.me.first:
                return record.answer == "yes"
        return None

    def will_go(self, item: NewsItem) -> bool:
        """Return whether it accepts: its earlier answer, or else by temper, liking and a fixed draw."""
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
        """Return whether it accepts and keeps its promise."""
        return self.will_go(item) and keeps_word(self.me, item)

    def broke_word(self, item: NewsItem) -> bool:
        """Return whether it accepted and did not come."""
        return item.has_begun(self.now) and self.decision(item) is True and not keeps_word(self.me, item)

    def sightings(self) -> list[Sighting]:
        """Return what personas were seen doing within the last day."""
        found = []
        for memory in self.memories:
            doing = doing_in(memory.text) if memory.kind == "event" and (self.now - memory.when).days < 1 else ""
            if doing:
                found.append(Sighting(memory.text.partition(f" is {doing}")[0], doing, memory.when))
        return found


@lru_cache(maxsize=32768)
def doing_in(text: str) -> str:
    """Return the activity in a memory of a sight; empty if not worth mentioning."""
    seen = _SEEN.match(text)
    return seen[2].strip() if seen and OVERHEARD not in text and not shows("not spoken of", text) else ""


def eagerness(person: Profile, liking: int) -> float:
    """Return the probability of accepting an invitation."""
    eager = 0.75 + 0.13 * liking
    eager += 0.1 if "outgoing" in person.tempers else 0.0
    eager -= 0.12 if "shy" in person.tempers else 0.0
    return eager - (0.3 if "blunt" in person.tempers and liking <= 0 else 0.0)


def _by_its_host(item: NewsItem, told: Sequence[NewsItem], me: str) -> NewsItem:
    """Return what is cancelled as news of whoever gives it: `The party is cancelled` comes to mind without a name."""
    if item.kind != CANCELLATION or not item.is_of(me):
        return item
    given = [each for each in told if each.is_occasion and each.who and item.what.endswith(each.kind)]
    if not given or any(each.is_of(me) for each in given):
        return item
    named = item.what.partition(" the ")[2]
    return replace(item, who=max(given, key=lambda each: (each.what == named, each.place == item.place)).who)


def _without_cancelled(found: Sequence[NewsItem]) -> list[NewsItem]:
    """Leave out occasions that their hosts have cancelled, and cancellations of those who give nothing."""
    hosts = [item.who for item in found if item.is_occasion and item.who]
    off = [item for item in found if item.kind == CANCELLATION and any(map(item.is_of, hosts))]
    cancelled = _cancelled(found)
    return [item for item in found if item not in cancelled and (item.kind != CANCELLATION or item in off)]


def _cancelled(found: Sequence[NewsItem]) -> list[NewsItem]:
    """Return the occasions that their hosts have cancelled."""
    off = [item for item in found if item.kind == CANCELLATION]
    return [item for item in found if item.is_occasion and any(one.is_of(item.who) for one in off)]


def keeps_word(person: Profile, item: NewsItem) -> bool:
    """Return whether a persona that accepted comes; some do not."""
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
