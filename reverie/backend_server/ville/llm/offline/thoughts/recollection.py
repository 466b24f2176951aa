"""What comes to mind when somebody is asked: memories, news, the plan of the day, and what was done when."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from random import Random
from typing import Any

from ville.llm.offline.english.grammar import FULL_NAME, in_first_person, predicates, sentences, to_first
from ville.llm.offline.english.hours import DAY, HOUR, Span, minutes_of
from ville.llm.offline.english.wordlist import first_of, words
from ville.llm.offline.people.news import OVERHEARD, News, news_known
from ville.llm.offline.people.person import Person

STOPWORDS = words("""
    what who when where which how why that this these those your you are is was were have has had does did doing about
    with from into will would could should there their they them then than tell know think going name please some any
    anything today tomorrow yesterday been being just like much many more capital
    """)
NEVER = datetime(1, 1, 2)  # noqa: DTZ001 - game time has no zone
"""When nothing comes to mind."""
PARTS_OF_DAY = {
    "morning": Span(5 * HOUR, 12 * HOUR), "noon": Span(11 * HOUR, 14 * HOUR), "afternoon": Span(12 * HOUR, 18 * HOUR),
    "evening": Span(18 * HOUR, DAY), "tonight": Span(18 * HOUR, DAY), "night": Span(20 * HOUR, DAY),
}  # fmt: skip
_AT = re.compile(r"\b(?:at|around|by) (\d{1,2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?|noon|midnight)", re.IGNORECASE)
_PLAN = re.compile(r"\bplan for [^:]*: (.+)")
_ITEM = re.compile(r"(.+?) (?:from (\d\S*) to (\d\S*)|at (\d[\d:]*[ap]m))(?:, |\.?$)")
_PREFIX = re.compile(r"^(?:For [^']+'s planning: |This matters a great deal -- )")


@dataclass(frozen=True)
class Recollection:
    """A question, and what its answerer has in mind."""

    question: str
    who: Person
    memories: Sequence[Any]
    rng: Random

    @cached_property
    def latest(self) -> datetime:
        """The latest moment that comes to mind: as far as one knows, now."""
        return max((memory.when for memory in self.memories), default=NEVER)

    @property
    def today(self) -> date:
        return self.latest.date()

    @cached_property
    def texts(self) -> tuple[str, ...]:
        own = (self.who.currently, self.who.requirement, self.who.learned, self.who.lifestyle)
        return (*(memory.text for memory in self.memories), *own)

    @cached_property
    def news(self) -> list[News]:
        own = ((text, self.today) for text in self.texts[len(self.memories) :])
        return news_known((*((memory.text, memory.when.date()) for memory in self.memories), *own))

    @property
    def words(self) -> set[str]:
        """The words of the question that carry its meaning."""
        return {word for word in re.findall(r"[a-z][a-z'-]{3,}", self.question.lower()) if word not in STOPWORDS}

    @cached_property
    def named(self) -> str:
        """Whom the question names, in full; the answerer as well."""
        known = dict.fromkeys(name for text in self.texts for name in FULL_NAME.findall(text))
        people = [self.who.name, *(name for name in known if name != self.who.name)]
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

    @cached_property
    def plan(self) -> list[tuple[Span, str]]:
        """What was planned for the latest day of which a plan comes to mind."""
        plans = [(memory.when, found[1]) for memory in self.memories if (found := _PLAN.search(memory.text))]
        text = max(plans)[1] if plans else ""
        return [(Span(minutes_of(item[2] or item[4]), (minutes_of(item[3]) or DAY) if item[3] else None), item[1])
                for item in _ITEM.finditer(text)]  # fmt: skip

    def planned(self, window: Span | None) -> list[str]:
        """What of the plan falls into some hours."""
        if window is None:
            return [what for _, what in self.plan]
        return [
            what for span, what in self.plan
            if (span.start or 0) < (window.end or DAY) and (window.start or 0) < (span.end or (span.start or 0) + HOUR)
        ]  # fmt: skip

    def done(self, window: Span | None, day: date) -> list[tuple[datetime, str]]:
        """What one did on some day, as far as it comes to mind, in order."""
        own = f"{self.who.name} is "
        found = {
            memory.when: memory.text.removeprefix(own) for memory in self.memories
            if memory.kind == "event" and memory.text.startswith(own) and OVERHEARD not in memory.text
            and memory.when.date() == day and _within(memory.when, window)
        }  # fmt: skip
        return sorted(found.items())

    @property
    def day(self) -> date:
        """The day that the question asks about."""
        return self.today - timedelta(days=1) if "yesterday" in self.question.lower() else self.today

    def own(self, text: str) -> str:
        """What is remembered of oneself in the third person, said in the first."""
        told = _PREFIX.sub("", text).rstrip(".")
        found = [to_first(piece, self.who.pronoun) for piece in predicates(told, self.who.name, self.who.pronoun)]
        if found and told.startswith(self.who.name):
            return in_first_person(f"{', and '.join(found)}.", self.who.name)
        return f"{in_first_person(told, self.who.name)}."

    def closest(self) -> str:
        """The sentence that has most to do with the question, if it has anything to do with it."""
        ranked = [(len(self.words & set(re.findall(r"[a-z][a-z'-]{3,}", text.lower()))), -number)
                  for number, text in enumerate(self.texts) if not _PLAN.search(text)]  # fmt: skip
        shared, number = max(ranked, default=(0, 0))
        if not self.words or shared < min(2, len(self.words)):
            return ""
        said = sentences(self.texts[-number])
        return max(said, key=lambda sentence: sum(word in sentence.lower() for word in self.words), default="")


def _within(moment: datetime, window: Span | None) -> bool:
    minutes = moment.hour * HOUR + moment.minute
    return window is None or (window.start or 0) <= minutes < (window.end or DAY)
