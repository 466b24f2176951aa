"""Context of a question in the mind of a persona: the person, the day and the hours it is about, and the plan."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from random import Random

from ville.offline.answers.knowledge import Knowledge
from ville.offline.day.hours import DAY, HOUR, PARTS_OF_DAY, Span, minutes_of
from ville.offline.grammar import FULL_NAME, first_of, in_first_person, predicates, to_first
from ville.offline.profile import Profile
from ville.offline.rule_types import DayFacts, EarlierTalk, Memory, PlannedEntry
from ville.offline.visitor_memories import visitors_in

NEVER = datetime(1, 1, 2)  # noqa: DTZ001 - game time has no zone
PLAN = re.compile(r"\bplan for [^:]*: (.+)")
"""The plan of a day, as a memory tells it."""
_AT = re.compile(r"\b(?:at|around|by) (\d{1,2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?|noon|midnight)", re.IGNORECASE)
_PLANNED = re.compile(r"(.+?) (?:from (\d\S*) to (\d\S*)|at (\d[\d:]*[ap]m))(?:, |\.?$)")
_ASIDE = re.compile(
    r"\b(?:(?:do|did|can|could|would) you (?:happen to )?(?:know|think|believe|say|tell me|remember)"
    r"|have you (?:any idea|heard))\b",
    re.IGNORECASE,
)
"""Matches words that make a question polite, and not one about the person who is asked."""
_YOU = re.compile(r"\byou", re.IGNORECASE)
_UNKNOWN = re.compile(r"\b(?:[Hh]as|[Dd]oes|[Dd]id|[Ww]ill) ((?!\w+day\b)[A-Z][a-z]+)(?= \w)")
"""Matches the first name of one of whom nothing comes to mind: `Who did Sam talk to?`."""
PREFIX = re.compile(r"^(?:For [^']+'s planning: |This matters a great deal -- )")
"""Beginnings of memories that say what they are for."""


def _span(entry: PlannedEntry) -> Span:
    """Return the hours of an entry of a schedule."""
    start = entry.start.hour * HOUR + entry.start.minute
    return Span(start, start + entry.minutes)


@dataclass(frozen=True)
class Recollection:
    """A question with what comes to the mind of the persona who is asked."""

    question: str
    me: Profile
    memories: Sequence[Memory]
    rng: Random
    today: DayFacts | None = None
    """Time, place, activity and day of the persona, if they are known."""
    own: Sequence[str] = ()
    """Sentences that are certain of the persona."""

    @cached_property
    def mind(self) -> Knowledge:
        """Return what is known; if the time is not, the latest moment that comes to mind counts as now."""
        latest = max((memory.when for memory in self.memories), default=NEVER)
        return Knowledge(self.me, self.memories, self.today.now if self.today else latest, self.me.lifestyle)

    @cached_property
    def named(self) -> str:
        """The full name of the person in the question."""
        known = dict.fromkeys(name for text in self.mind.texts for name in FULL_NAME.findall(text))
        known |= dict.fromkeys(visitors_in(self.mind.texts))
        people = [self.me.name, *(name for name in known if name != self.me.name)]
        fitting = [name for name in people if name in self.question]
        fitting += [name for name in people if re.search(rf"\b{re.escape(first_of(name))}\b", self.question)]
        strangers = [*FULL_NAME.findall(self.question), *_UNKNOWN.findall(self.question)]
        return next(iter([*fitting, *strangers]), "")

    @property
    def other(self) -> str:
        """The full name of another person in the question."""
        return "" if self.named == self.me.name else self.named

    @property
    def is_of_another(self) -> bool:
        """Whether the question is only about the other: not `Have you met Maria?`."""
        return bool(self.other) and not self.is_of_oneself

    @property
    def is_of_oneself(self) -> bool:
        """Whether the question asks for something of the person who is asked: not `Do you know who Maria is?`."""
        return bool(_YOU.search(_ASIDE.sub("", self.question)))

    @cached_property
    def window(self) -> Span:
        """The hours of the day that the question asks about."""
        if found := _AT.search(self.question):
            at = minutes_of(found[1])
            return Span(at, at + HOUR)
        low = self.question.lower()
        parts = (Span(*PARTS_OF_DAY[part]) for part in PARTS_OF_DAY if re.search(rf"\b{part}\b", low))
        return next((span for span in parts if span.start is not None), Span(0, DAY))

    @property
    def day(self) -> date:
        low = self.question.lower()
        return self.mind.now.date() + timedelta(days=("tomorrow" in low) - ("yesterday" in low))

    @property
    def talks(self) -> Sequence[EarlierTalk]:
        """The conversations of the day that is asked about, as far as they are known without remembering."""
        return self.today.talks if self.today and self.knows_talks else ()

    @property
    def knows_talks(self) -> bool:
        return self.today is not None and self.day == self.today.now.date()

    @cached_property
    def plan(self) -> list[tuple[Span, str]]:
        """The plan of today if it is known, else of the latest day of which one comes to mind; none for another day."""
        if self.day != self.mind.now.date():
            return []
        if self.today and self.today.planned:
            return [(_span(entry), entry.what) for entry in self.today.planned]
        plans = [(memory.when, found[1]) for memory in self.memories if (found := PLAN.search(memory.text))]
        return [(Span(minutes_of(item[2] or item[4]), (minutes_of(item[3]) or DAY) if item[3] else None), item[1])
                for item in _PLANNED.finditer(max(plans)[1] if plans else "")]  # fmt: skip

    def planned(self) -> list[str]:
        """Return what of the plan falls into the hours asked about."""
        first, last = self.window.start or 0, self.window.end or DAY
        return [what for span, what in self.plan
                if (span.start or 0) < last and first < (span.end or (span.start or 0) + HOUR)]  # fmt: skip

    def ahead(self) -> list[str]:
        """Return what of the plan falls into the hours asked about; of a whole day, what is not over yet."""
        now = self.mind.now.hour * HOUR + self.mind.now.minute
        if self.window != Span(0, DAY) or self.day != self.mind.now.date():
            return self.planned()
        return [what for span, what in self.plan if (span.end or (span.start or 0) + HOUR) > now]

    def own_words(self, text: str) -> str:
        """Return a memory about oneself in the first person."""
        told = PREFIX.sub("", text).rstrip(".")
        found = [to_first(piece, self.me.pronoun) for piece in predicates(told, self.me.name, self.me.pronoun)]
        if found and told.startswith(self.me.name):
            return in_first_person(f"{', and '.join(found)}.", self.me.name)
        return f"{in_first_person(told, self.me.name)}."
