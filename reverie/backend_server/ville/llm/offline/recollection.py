"""What comes to mind when somebody is asked: memories, news, the plan of the day, and what was done when."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from random import Random
from typing import Any

from ville.llm.offline.grammar import FULL_NAME, in_first_person, predicates, sentences, to_first
from ville.llm.offline.hours import DAY, HOUR, Span, minutes_of
from ville.llm.offline.knowledge import Knowledge
from ville.llm.offline.profile import Profile
from ville.llm.offline.table import words
from ville.llm.offline.ties import OVERHEARD
from ville.llm.offline.verbs import first_of

PARTS_OF_DAY = {
    "morning": Span(5 * HOUR, 12 * HOUR), "noon": Span(11 * HOUR, 14 * HOUR), "afternoon": Span(12 * HOUR, 18 * HOUR),
    "evening": Span(18 * HOUR, DAY), "tonight": Span(18 * HOUR, DAY), "night": Span(20 * HOUR, DAY),
}  # fmt: skip
NEVER = datetime(1, 1, 2)  # noqa: DTZ001 - game time has no zone
_AT = re.compile(r"\b(?:at|around|by) (\d{1,2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?|noon|midnight)", re.IGNORECASE)
_PLAN = re.compile(r"\bplan for [^:]*: (.+)")
_ITEM = re.compile(r"(.+?) (?:from (\d\S*) to (\d\S*)|at (\d[\d:]*[ap]m))(?:, |\.?$)")
_PREFIX = re.compile(r"^(?:For [^']+'s planning: |This matters a great deal -- )")
_WORD = re.compile(r"[a-z][a-z'-]{3,}")


@dataclass(frozen=True)
class Recollection:
    """A question, and what its answerer has in mind."""

    question: str
    me: Profile
    memories: Sequence[Any]
    rng: Random

    @cached_property
    def mind(self) -> Knowledge:
        """What is known; the latest moment that comes to mind counts as now."""
        now = max((memory.when for memory in self.memories), default=NEVER)
        return Knowledge(self.me, self.memories, now, self.me.lifestyle)

    @property
    def texts(self) -> tuple[str, ...]:
        return self.mind.texts

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the question that carry its meaning."""
        return frozenset(_WORD.findall(self.question.lower())) - words("interviews.yaml", "stopwords")

    @cached_property
    def named(self) -> str:
        """Whom the question names, in full; the answerer as well."""
        known = dict.fromkeys(name for text in self.texts for name in FULL_NAME.findall(text))
        people = [self.me.name, *(name for name in known if name != self.me.name)]
        fitting = [name for name in people if name in self.question]
        fitting += [name for name in people if re.search(rf"\b{re.escape(first_of(name))}\b", self.question)]
        return next(iter([*fitting, *FULL_NAME.findall(self.question)]), "")

    @cached_property
    def window(self) -> Span | None:
        """The hours that the question asks about."""
        if found := _AT.search(self.question):
            at = minutes_of(found[1])
            return Span(at, at + HOUR)
        low = self.question.lower()
        return next((span for part, span in PARTS_OF_DAY.items() if re.search(rf"\b{part}\b", low)), None)

    @property
    def day(self) -> date:
        """The day that the question asks about."""
        return self.mind.now.date() - timedelta(days="yesterday" in self.question.lower())

    @cached_property
    def plan(self) -> list[tuple[Span, str]]:
        """What was planned for the latest day of which a plan comes to mind."""
        plans = [(memory.when, found[1]) for memory in self.memories if (found := _PLAN.search(memory.text))]
        return [(Span(minutes_of(item[2] or item[4]), (minutes_of(item[3]) or DAY) if item[3] else None), item[1])
                for item in _ITEM.finditer(max(plans)[1] if plans else "")]  # fmt: skip

    def planned(self) -> list[str]:
        """Return what of the plan falls into the hours asked about."""
        window = self.window or Span(0, DAY)
        return [what for span, what in self.plan if (span.start or 0) < (window.end or DAY)
                and (window.start or 0) < (span.end or (span.start or 0) + HOUR)]  # fmt: skip

    def done(self) -> list[tuple[datetime, str]]:
        """Return what one did on the day and in the hours asked about, as far as it comes to mind, in order."""
        own, window = f"{self.me.name} is ", self.window or Span(0, DAY)
        found = {
            memory.when: memory.text.removeprefix(own) for memory in self.memories
            if memory.kind == "event" and memory.text.startswith(own) and OVERHEARD not in memory.text
            and memory.when.date() == self.day
            and (window.start or 0) <= memory.when.hour * HOUR + memory.when.minute < (window.end or DAY)
        }  # fmt: skip
        return sorted(found.items())

    def own(self, text: str) -> str:
        """Return what is remembered of oneself in the third person, said in the first."""
        told = _PREFIX.sub("", text).rstrip(".")
        found = [to_first(piece, self.me.pronoun) for piece in predicates(told, self.me.name, self.me.pronoun)]
        if found and told.startswith(self.me.name):
            return in_first_person(f"{', and '.join(found)}.", self.me.name)
        return f"{in_first_person(told, self.me.name)}."

    def closest(self) -> str:
        """Return the sentence that has most to do with the question, if it has anything to do with it."""
        ranked = [(len(self.words & set(_WORD.findall(text.lower()))), -number)
                  for number, text in enumerate(self.texts) if not _PLAN.search(text)]  # fmt: skip
        shared, number = max(ranked, default=(0, 0))
        if not self.words or shared < min(2, len(self.words)):
            return ""
        said = sentences(self.texts[-number])
        return max(said, key=lambda sentence: sum(word in sentence.lower() for word in self.words), default="")
