"""A conversation as one of the two sees it: what it knows, what has been said, and what the other has just asked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from random import Random
from typing import Any

from ville.llm.offline.grammar import capitalised
from ville.llm.offline.hours import spoken_day, spoken_span
from ville.llm.offline.knowledge import Knowledge, part_of_day
from ville.llm.offline.news import NewsItem, with_article
from ville.llm.offline.profile import Profile, lot
from ville.llm.offline.reading import news_in
from ville.llm.offline.sayings import RecognizedLine, heard, lines
from ville.llm.offline.ties import MARRIED, OVERHEARD, tie
from ville.llm.offline.verbs import first_of
from ville.llm.offline.work import Fact, facts_of, of_another, own_words

FEWEST, SPREAD, MOST = 4, 5, 10
"""Utterances of a conversation: how many at least, how much that varies, and the most."""
QUESTIONS = ("ask ", "saw you", "saw other", "reply back", "thank host", "welcome guest", "excuse")
"""Sayings that want an answer. News asks for its own."""
OF_WORK = ("answer work", "tell work", "tell more")
FAREWELLS = ("bye", "good night", "bye party", "part", "part plain")
WEARY = 2
"""Memories of an item after which one tells it every other time."""
GOSSIP, RETICENT = 0.28, 0.13
"""How often outgoing people pass news on that is not their own, and how often the rest do."""
NOT_GOING, ENGAGED = 0.4, 1.2
"""How much less one speaks of a party that one does not go to, and how much more of what one feels strongly about."""
OWN, TO_FRIENDS, ON_THE_DAY = 0.15, 0.5, 0.45
"""How often one tells one's own news to anyone at all, how much oftener to friends, and how often on its day."""
PARENTS = {"mother": "Mum", "father": "Dad"}
_NO_DOING = re.compile(
    r"\b(?:sleeping|waiting|conversing|talking to|walking by|saying goodbye|shower|toilet|bath|teeth|dressed"
    r"|wak(?:e|ing)|bed)\b"
)
_TRIVIAL = re.compile(
    r"\b(?:eating|drinking|paying|order|settling|finish|sipping|emptying|tasting|nibbling|nursing|menu|watching"
    r"|resting|listening|talking|chatting|laughing|thanking|admiring|getting|looking|closing|saying|stretching|sharing"
    r"|joining|washing|brushing|combing|thinking|finding|choosing|having|standing|taking|walking|relaxing|visiting"
    r"|waking|attending|hosting|spending|doing|sitting|completing|serving|running)\b"
)
_WORTH = re.compile(
    r"(?:re)?(?:writing|drafting|painting|sketching|solving|practising|playing|composing|drawing|photographing|weeding"
    r"|watering|planting|rehearsing|recording|animating|working|running|lifting|teaching|giving|baking|repairing|studying"
    r"|reading (?!the (?:sleeve|page|menu))|learning|testing|hunting|balancing|inking|cropping|mixing|stacking|serving"
    r"|explaining|unpacking|correcting|counting|sorting|leading|arguing|filling)\b"
)
_WHERE = re.compile(r" (?:in|at|behind) (?:the |[A-Z]|home\b|his |her |their ).*$")


@dataclass(frozen=True)
class SpokenLine:
    """Something said, as in a transcript."""

    speaker: str
    said: str


def news_of(said: RecognizedLine, today: date, *, teller: str, listener: str) -> tuple[NewsItem, ...]:
    """Return the news in one line of a remark."""
    text = said.blanks.get("news") or said.blanks.get("news_low") or ("" if said.key else said.text)
    return news_in(text, today, teller, listener) if text else ()


@dataclass(frozen=True)
class Dialogue:
    """What one of the two has in mind when it is its turn."""

    mind: Knowledge
    other: str
    transcript: Sequence[Any]
    rng: Random
    place: str = ""
    situation: str = ""
    last_talk: str = ""

    @property
    def me(self) -> Profile:
        return self.mind.me

    @cached_property
    def lines(self) -> tuple[tuple[str, RecognizedLine], ...]:
        """Every line so far, with its speaker."""
        return tuple((remark.speaker, said) for remark in self.transcript for said in heard(str(remark.said)))

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(said.key for _, said in self.lines)

    @cached_property
    def last(self) -> tuple[RecognizedLine, ...]:
        """What the other has just said; nothing at the beginning."""
        spoken = self.transcript and self.transcript[-1].speaker != self.me.name
        return heard(str(self.transcript[-1].said)) if spoken else ()

    @cached_property
    def told(self) -> tuple[tuple[NewsItem, ...], ...]:
        """The news in each remark so far."""
        return tuple(tuple(self._news(remark)) for remark in self.transcript)

    def _news(self, remark: Any) -> list[NewsItem]:
        listener = self.other if remark.speaker == self.me.name else self.me.name
        today = self.mind.now.date()
        return [item for said in heard(str(remark.said))
                for item in news_of(said, today, teller=remark.speaker, listener=listener)]  # fmt: skip

    @cached_property
    def everything_said(self) -> str:
        return " ".join(str(remark.said) for remark in self.transcript)

    def asked(self, key: str) -> bool:
        """Return whether one of the two has said a line of this key already."""
        return key in self.keys

    @property
    def is_parting(self) -> bool:
        """Whether the other has just taken leave."""
        return any(said.key in FAREWELLS for said in self.last)

    @property
    def question(self) -> RecognizedLine | None:
        """The question that the other has just put, if any."""
        return next((said for said in reversed(self.last) if said.key.startswith(QUESTIONS)), None)

    def topic_told(self, speaker: str) -> str:
        """Return what a speaker has said that it is busy with, or nothing."""
        return next((said.blanks["topic"] for who, said in self.lines if who == speaker and said.key in OF_WORK), "")

    @cached_property
    def kin(self) -> str:
        return self.mind.kin(self.other)

    @property
    def is_family(self) -> bool:
        return bool(self.kin)

    @cached_property
    def liking(self) -> int:
        return self.mind.liking(self.other)

    @cached_property
    def manner(self) -> str:
        """The form of a saying that this persona would use."""
        if self.kin:
            return "home" if self.kin in MARRIED else "kin"
        if self.liking > 0 and not self.is_stranger:
            return "warm"
        return "cool" if self.liking < 0 or "blunt" in self.me.tempers else ""

    @cached_property
    def is_stranger(self) -> bool:
        """Whether the two have never talked, and this persona remembers nothing that ties them."""
        if self.last_talk.strip().lower() not in {"", "never"} or "hardly know" not in self.mind.relationship:
            return False
        return not tie(
            self.me.name, self.other, [memory.text for memory in self.mind.memories if memory.kind != "event"]
        )

    @cached_property
    def party(self) -> NewsItem | None:
        """The occasion that both are at, if there is one."""
        here = self.place.lower()
        return next((item for item in self.mind.known if item.has_begun(self.mind.now) and item.place
                     and item.place.lower().removeprefix("the ") in here), None)  # fmt: skip

    @cached_property
    def topics(self) -> list[str]:
        """What this persona is busy with and has not mentioned; what it has told least often first."""
        fresh = [topic for topic in self.mind.topics if topic not in self.everything_said]
        return sorted(fresh, key=lambda topic: self.worn(f"{self.me.first} {of_another(topic)}"))

    @property
    def facts(self) -> list[Fact]:
        """What this persona says of itself and has not said yet in this conversation."""
        return [fact for fact in facts_of(self.me) if fact.told not in self.everything_said]

    def worn(self, theme: str) -> int:
        """Return how many talks about something this persona remembers."""
        own = f"{self.me.name} is {OVERHEARD}"
        return sum(theme in memory.text for memory in self.mind.memories if memory.text.startswith(own))

    @cached_property
    def length(self) -> int:
        """How many utterances it will be; both speakers find the same."""
        first = str(self.transcript[0].said) if self.transcript else ""
        return FEWEST + int(lot(first, f"{self.mind.now:%j}") * SPREAD) + (1 if any(self.told) else 0)

    def knows(self, item: NewsItem) -> bool:
        """Return whether this persona knew it before the conversation."""
        return any(item.is_same(other) for other in self.mind.known)

    def mentioned(self, item: NewsItem, *, before: int | None = None) -> bool:
        """Return whether it has come up in this conversation."""
        return any(item.is_same(other) for told in self.told[:before] for other in told)

    def will_tell(self, item: NewsItem) -> bool:
        """Return whether this persona tells it to the other today; it does not waver within a conversation."""
        chance = lot(self.me.name, self.other, item.kind, item.who, f"{self.mind.now:%j}")
        return chance < self._wish_to_tell(item)

    def _wish_to_tell(self, item: NewsItem) -> float:
        """From 0 to 1: who has told something often, or knows that the other knows, has less wish to tell it."""
        begun = item.is_occasion and item.has_begun(self.mind.now)
        if begun or (item.is_occasion and item.is_of(self.other)) or self._has_told(item):
            return 0.0
        closeness = self.mind.closeness(self.other)
        if item.who == self.me.name:
            return ON_THE_DAY if item.day == self.mind.now.date() else OWN + TO_FRIENDS * closeness
        if not item.who and not self.mind.source(item):
            return OWN + TO_FRIENDS * closeness
        about = self.mind.texts_on(item)
        vague = item.is_occasion and (item.span.start is None or not item.place)
        if vague or (not item.is_of(self.other) and any(self.other in text for text in about)):
            return 0.0
        gossip = GOSSIP if self.me.tempers & {"outgoing", "lively"} else RETICENT
        return gossip * closeness * self._concern(item) / (1 + len(about) / WEARY)

    def _has_told(self, item: NewsItem) -> bool:
        """Return whether this persona remembers having told the other before."""
        talked = item.what.removeprefix("is ").partition(" in ")[0] in self.last_talk and item.who in self.last_talk
        return talked or any(record.kind in {"has told", "has invited"} and record.other == self.other
                             for record in self.mind.records_on(item)) or any(
            f"has told {self.other}" in text for text in self.mind.texts_on(item))  # fmt: skip

    def _concern(self, item: NewsItem) -> float:
        """How much somebody else's news means to this persona."""
        if item.is_occasion:
            return 1.0 if self.mind.will_go(item) else NOT_GOING
        keen = self.mind.liking(item.who) or (item.kind == "candidacy" and self.mind.politics > 0)
        return ENGAGED if keen else 1.0

    def teller_of(self, item: NewsItem) -> str:
        """Return who told it to this persona; nothing, if that is forgotten or it is the other one."""
        teller = self.mind.source(item)
        return "" if teller in {self.me.name, self.other} else teller

    def ask(self, keys: Sequence[str]) -> str:
        """Return one of some questions that have not been put yet, or nothing."""
        fresh = [key for key in keys if not self.asked(key)]
        return self.say(self.rng.choice(fresh)) if fresh else ""

    def after(self, said: str) -> "Dialogue":
        """The same with words that this persona is about to say."""
        return replace(self, transcript=(*self.transcript, SpokenLine(self.me.name, said)))

    def doing_of(self, name: str) -> str:
        """Return what the situation says somebody was doing just then; nothing, if it is not spoken of."""
        doing = re.sub(r"^.*\(|\).*$", "", self._activity_of(name)).strip()
        return "" if _NO_DOING.search(doing) else doing

    def _activity_of(self, name: str) -> str:
        found = re.search(rf"{re.escape(name)},?(?: who)? (?:is|was) (.+?)(?= when [A-Z]|[.;]|$)", self.situation)
        return re.sub(r"^on the way to ", "", found[1]) if found else ""

    @property
    def unfinished(self) -> str:
        """What this persona was doing and would go back to; nothing worth naming, if it was a coffee."""
        doing = _WHERE.sub("", self._activity_of(self.me.name).partition(" (")[0])
        told = doing.partition(" ")[0].endswith("ing") and not _TRIVIAL.match(doing)
        return own_words(doing, self.me.pronoun) if told else ""

    def say(self, key: str, manner: str | None = None, **blanks: str) -> str:
        """Return a line that has not been said in this conversation, if there is one."""
        now = self.mind.now
        known = {
            "name": self.me.name, "other": PARENTS.get(self.kin) or first_of(self.other),
            "daypart": f"Good {part_of_day(now)}", "part": part_of_day(now), "weekday": f"{now:%A}",
            "place": spoken_place(self.place),
        }  # fmt: skip
        found = lines(key, self.manner if manner is None else manner, **(known | blanks))
        return self.rng.choice([line for line in found if _stem(line) not in self.everything_said] or found)

    def whole(self, item: NewsItem) -> str:
        """Return an item of news as one sentence, with its date, hour and place."""
        if not item.is_occasion:
            return f"{self._announced(item)}."
        host = "I'm giving" if item.who == self.me.name else f"{self._called(item.who)} is giving"
        when = f"at {item.place} " if item.place else ""
        when += _day_ahead(item.day, self.mind.now.date()) if item.day else ""
        hours = spoken_span(item.span)
        told = f"{host if item.who else 'there will be'} {with_article(item.what)} {when}".strip()
        return capitalised(told + (f", {hours}." if hours else "."))

    def _announced(self, item: NewsItem) -> str:
        verb, _, rest = item.what.partition(" ")
        if item.who == self.me.name:
            return f"{ {'is': 'I am', 'has': 'I have'}.get(verb, f'I {verb}') } {rest}".replace("I am r", "I'm r")
        if item.is_of(self.other):
            return f"you { {'is': 'are', 'has': 'have'}.get(verb, verb) } {rest}"
        return f"{self._called(item.who)} {item.what}"

    def _called(self, who: str) -> str:
        """Return `my husband Sam Moore`, if that is what he is."""
        related = self.mind.kin(who)
        return f"my {related} {who}" if related not in {"", "family", "spouse"} else who


def _day_ahead(day: date, today: date) -> str:
    near = {0: "today, ", 1: "tomorrow, "}.get((day - today).days, "")
    return f"{near}on {spoken_day(day)}" if near else f"on {day:%A}, {spoken_day(day)}"


def _stem(line: str) -> str:
    """Return the beginning of a saying, up to a name that may differ; all of it, if that is a word or two."""
    beginning = re.split(r"[,.!?:]", line)[0]
    return beginning if len(beginning.split()) > 2 else line  # noqa: PLR2004 - a word or two


def is_worth_telling(doing: str) -> bool:
    """Return whether an activity is more than a coffee, a pan on the stove or a walk to the counter."""
    return _WORTH.match(doing) is not None and not _NO_DOING.search(doing)


def spoken_place(place: str) -> str:
    """Return `Hobbs Cafe` for an address or for `cafe in Hobbs Cafe`."""
    parts = [part for part in re.split(r":| in (?=[A-Z])", place) if part]
    sector = parts[1] if place.count(":") > 0 and len(parts) > 1 else parts[-1] if parts else ""
    return sector if re.match(r"[A-Z]", sector) else "this place"
