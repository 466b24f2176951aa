"""A conversation as one of the two sees it: who is there, what both know, what has been said, and how it was meant."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from random import Random
from typing import Any
from zlib import crc32

from ville.llm.offline.english.grammar import capitalised
from ville.llm.offline.english.hours import spoken_day, spoken_span
from ville.llm.offline.english.wordlist import first_of
from ville.llm.offline.people.news import PRIVATE, News, called_alike, news_in, news_known, source_of, with_article
from ville.llm.offline.people.opinions import feeling, keeps_word, wants_to_go
from ville.llm.offline.people.person import SPEECH_HABIT, Person
from ville.llm.offline.people.ties import closeness, is_family, is_married, parent_name, tie
from ville.llm.offline.people.topics import Fact, facts_of, own_words, part_of_day, politics, still_at, topics_of
from ville.llm.offline.talks.phrases import ASKED_ABOUT, recogniser, sayings

FEWEST, SPREAD, MOST = 4, 5, 10
"""Utterances of a conversation: how many at least, how much that varies, and the most."""
ABOUT_WORK = ("ask hard", "ask finished", "ask far", "ask began", "ask enjoy")
ABOUT_CANDIDACY = ("ask first deed", "ask reason", "ask family", "ask afraid")
ABOUT_PARTY = ("ask bring", "ask friend", "ask help", "ask music")
PARTY_QUESTIONS = ("ask cake", "ask enjoying", "ask everybody")
HOME_QUESTIONS = {
    "morning": ("ask sleep", "ask back"), "afternoon": ("ask market", "ask dinner"),
    "evening": ("ask day", "ask dinner"),
}  # fmt: skip
"""What family asks at which part of the day."""
ASKS = (
    *ABOUT_WORK, *ABOUT_CANDIDACY, *ABOUT_PARTY, *PARTY_QUESTIONS, "ask sleep", "ask back", "ask market", "ask dinner",
    "ask day", "thank host",
    "welcome guest", "ask meal", "ask seen", "ask together", "ask work", "ask progress", "ask election", "ask town",
    "ask how", "saw you", "saw other", "reply back",
    *(key for keys in ASKED_ABOUT.values() for key in keys),
)  # fmt: skip
"""What wants an answer. News ask for theirs by themselves."""
WEARY = 2
"""Memories of an item after which one tells it every other time."""
GOSSIP, RETICENT = 0.25, 0.12
"""How often outgoing people pass news on that are not their own, and how often the rest do."""
NOT_GOING, ENGAGED = 0.4, 1.2
"""How much less one speaks of a party that one does not go to, and how much more of what one feels strongly about."""
OWN = 0.2
"""How often one tells one's own news to anybody at all; the better one knows somebody, the oftener."""
FAREWELLS = ("bye", "good night", "bye party", "part", "part plain")
"""Sayings of those who are about to leave."""
_NO_DOING = re.compile(
    r"\b(?:sleeping|waiting|conversing|talking to|walking by|saying goodbye|shower|toilet|bath|teeth|dressed"
    r"|wak(?:e|ing)|bed)\b"
)
"""What one does not speak of: nobody is met with a word about the shower."""
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
_TOLD = r"(?:has )?(?:invited|told)"


@dataclass(frozen=True)
class Line:
    """Something said, as in a transcript."""

    speaker: str
    said: str


@dataclass(frozen=True)
class Talk:
    """What one of the two has in mind when it is his or her turn."""

    me: Person
    other: str
    now: datetime
    place: str
    situation: str
    relationship: str
    last_talk: str
    memories: Sequence[Any]
    transcript: Sequence[Any]
    rng: Random

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Everything that this person knows by heart."""
        own = (self.me.currently, self.me.requirement, self.me.learned)
        return (*(memory.text for memory in self.memories), *own)

    @cached_property
    def liking(self) -> int:
        return feeling((*self.texts[:-3], self.relationship), self.other)

    @cached_property
    def is_family(self) -> bool:
        return is_family(self.me.name, self.other, (*self.texts, self.relationship))

    @cached_property
    def called(self) -> str:
        """What this person calls the other: by the first name, and parents by what they are."""
        return parent_name(self.me.name, self.other, self.texts) or first_of(self.other)

    @cached_property
    def party(self) -> News | None:
        """The occasion that both are at, if there is one."""
        return next((item for item in self.known if item.has_begun(self.now) and item.place and
                     item.place.lower().removeprefix("the ") in self.place.lower()), None)  # fmt: skip

    @cached_property
    def topics(self) -> list[str]:
        """What this person is at and nobody has spoken of yet."""
        prepares = any(item.who == self.me.name and item.is_occasion for item in self.known)
        return [topic for topic in topics_of(self.me)
                if topic not in self.everything_said and still_at(topic, prepares=prepares)]  # fmt: skip

    @cached_property
    def is_stranger(self) -> bool:
        """Whether the two have never talked, and this person remembers nothing that ties them."""
        if self.last_talk.strip().lower() not in {"", "never"} or "hardly know" not in self.relationship:
            return False
        return not tie(self.me.name, self.other, [memory.text for memory in self.memories if memory.kind != "event"])

    @property
    def facts(self) -> list[Fact]:
        """What this person says of itself and has not said yet in this conversation."""
        return [fact for fact in facts_of(self.me) if fact.told not in self.everything_said]

    @cached_property
    def manner(self) -> str:
        """`home`, `kin`, `warm`, `cool` or nothing: the twin of a saying that this person would use."""
        if self.is_family:
            return "home" if is_married(self.me.name, self.other, (*self.texts, self.relationship)) else "kin"
        if self.liking > 0 and not self.is_stranger:
            return "warm"
        return "cool" if self.liking < 0 or "blunt" in self.me.tempers else ""

    @cached_property
    def known(self) -> tuple[News, ...]:
        """What this person could tell: neither over, nor a secret."""
        return tuple(item for item in self._heard if not item.is_over(self.now))

    @cached_property
    def _heard(self) -> list[News]:
        today = self.now.date()
        own = ((text, today) for text in self.texts[len(self.memories) :])
        dated = (*((memory.text, memory.when.date()) for memory in self.memories), *own)
        return news_known(((text, day) for text, day in dated if not PRIVATE.search(text)), self.me.name)

    @cached_property
    def enjoyed(self) -> News | None:
        """An occasion of today or yesterday that is over and at which this person was."""
        today = self.now.date()
        over = [item for item in self._heard if item.is_occasion and item.is_over(self.now)]
        lately = [item for item in over if item.day is not None and (today - item.day).days <= 1]
        went = (item for item in lately if wants_to_go(self.me, item, self.texts, today) and keeps_word(self.me, item))
        return next(went, None)

    @cached_property
    def said(self) -> tuple[tuple[News, ...], ...]:
        """The news in each remark so far."""
        today = self.now.date()
        return tuple(
            news_in(remark.said, today, remark.speaker, self.other if remark.speaker == self.me.name else self.me.name)
            for remark in self.transcript
        )

    @property
    def last(self) -> str:
        """What the other has just said; nothing at the beginning."""
        return str(self.transcript[-1].said) if self.transcript and self.transcript[-1].speaker != self.me.name else ""

    @cached_property
    def everything_said(self) -> str:
        """Also without the words that somebody puts behind every sentence."""
        return " ".join(f"{remark.said} {plain(str(remark.said))}" for remark in self.transcript)

    @cached_property
    def length(self) -> int:
        """How many utterances it will be; both speakers find the same."""
        first = str(self.transcript[0].said) if self.transcript else ""
        return FEWEST + crc32(f"{first}{self.now:%j}".encode()) % SPREAD + (1 if any(self.said) else 0)

    @cached_property
    def politics(self) -> int:
        return politics(self.texts)

    def knows(self, item: News) -> bool:
        """Whether this person knew it before the conversation."""
        return any(item.is_same(other) for other in self.known)

    def mentioned(self, item: News, *, before: int | None = None) -> bool:
        """Whether anybody has spoken of it in this conversation."""
        return any(item.is_same(other) for told in self.said[:before] for other in told)

    def has_told(self, item: News) -> bool:
        """Whether this person remembers having told the other before."""
        pattern = re.compile(rf"{re.escape(self.me.name)} {_TOLD} {re.escape(self.other)}\b")
        return self._talked_of(item) or any(pattern.search(text) for text in self.texts_on(item))

    def _talked_of(self, item: News) -> bool:
        """Whether the last talk of the two was about it."""
        return item.what.removeprefix("is ").partition(" in ")[0] in self.last_talk and item.who in self.last_talk

    def texts_on(self, item: News) -> list[str]:
        """What this person remembers of it."""
        today = self.now.date()
        return [text for text in self.texts if any(item.is_same(other) for other in news_in(text, today))]

    def will_tell(self, item: News) -> bool:
        """Whether this person tells it to the other today; it does not waver within a conversation."""
        lot = crc32(f"{self.me.name} {self.other} {item.kind} {item.who} {self.now:%j}".encode()) / 2**32
        return lot < self.wish_to_tell(item)

    def wish_to_tell(self, item: News) -> float:
        """From 0 to 1: who has told something often, or knows that the other knows, has less wish to tell it."""
        if self.has_told(item) or (
            item.is_occasion and (called_alike(item.who, self.other) or item.has_begun(self.now))
        ):
            return 0.0
        if item.who == self.me.name and item.day == self.now.date():
            return 1.0
        if item.who == self.me.name or self._saw_coming(item):
            return OWN + (1 - OWN) * self.closeness
        if item.is_occasion and (item.span.start is None or not item.place):
            return 0.0
        about = self.texts_on(item)
        if not called_alike(item.who, self.other) and any(self.other in text for text in about):
            return 0.0
        gossip = GOSSIP if self.me.tempers & {"outgoing", "lively"} else RETICENT
        return gossip * self.closeness * self._concern(item) / (1 + len(about) / WEARY)

    def _saw_coming(self, item: News) -> bool:
        """Whether it is nobody's, and this person has it from nobody: then it is theirs to spread."""
        return not item.who and not source_of(self.texts, item, self.now.date())

    def _concern(self, item: News) -> float:
        """How much somebody else's news mean to this person."""
        if item.is_occasion:
            return 1.0 if wants_to_go(self.me, item, self.texts, self.now.date()) else NOT_GOING
        keen = feeling(self.texts, item.who) or (item.kind == "candidacy" and self.politics > 0)
        return ENGAGED if keen else 1.0

    @cached_property
    def closeness(self) -> float:
        """From DISTANT, for strangers, to 1, for friends and family."""
        return closeness(self.me.name, self.other, self.texts)

    def asked(self, key: str) -> bool:
        """Whether one of the two has asked this already."""
        return bool(recogniser(key).search(self.everything_said))

    @property
    def is_parting(self) -> bool:
        """Whether the other has just taken leave."""
        return any(recogniser(key).search(said) for key in FAREWELLS for said in (self.last, plain(self.last)))

    def question(self) -> str:
        """Which of the ASKS the other has just put, or nothing."""
        heard = self.last, plain(self.last)
        return next((key for key in ASKS for said in heard if recogniser(key).search(said)), "")

    def ask(self, keys: Sequence[str]) -> str:
        """One of some questions that nobody has put yet, or nothing."""
        open_keys = [key for key in keys if not self.asked(key)]
        return self.say(self.rng.choice(open_keys)) if open_keys else ""

    def after(self, said: str) -> "Talk":
        """The same with words that this person is about to say."""
        return replace(self, transcript=(*self.transcript, Line(self.me.name, said)))

    def teller_of(self, item: News) -> str:
        """Who told it to this person; nobody, if that is forgotten or it is the other one."""
        teller = source_of(self.texts, item, self.now.date())
        return "" if teller in {self.me.name, self.other} else teller

    def doing_of(self, name: str) -> str:
        """What the situation says that somebody was doing just then; nothing, if it is not spoken of."""
        doing = re.sub(r"^.*\(|\).*$", "", self._activity_of(name)).strip()
        return "" if _NO_DOING.search(doing) else doing

    def _activity_of(self, name: str) -> str:
        found = re.search(rf"{re.escape(name)},?(?: who)? (?:is|was) (.+?)(?= when [A-Z]|[.;]|$)", self.situation)
        return re.sub(r"^on the way to ", "", found[1]) if found else ""

    @property
    def unfinished(self) -> str:
        """What this person was at and would go back to; nothing worth naming, if it was a coffee."""
        doing = _WHERE.sub("", self._activity_of(self.me.name).partition(" (")[0])
        told = doing.partition(" ")[0].endswith("ing") and not _TRIVIAL.match(doing)
        return own_words(doing, self.me.pronoun) if told else ""

    def say(self, key: str, manner: str | None = None, **blanks: str) -> str:
        """A line that has not been said in this conversation, if there is one."""
        known = {
            "name": self.me.name, "other": self.called, "daypart": f"Good {part_of_day(self.now)}",
            "part": part_of_day(self.now), "weekday": f"{self.now:%A}", "place": spoken_place(self.place),
        }  # fmt: skip
        lines = sayings(key, self.manner if manner is None else manner, **(known | blanks))
        return self.rng.choice([line for line in lines if _stem(line) not in self.everything_said] or lines)


def plain(said: str) -> str:
    """Words without the one at the end that is a habit, or a name."""
    return re.sub(r", \w+(?=[.!?]$)", "", said)


def _stem(line: str) -> str:
    """The beginning of a saying, up to a name that may differ; all of it, if that is a word or two."""
    beginning = re.split(r"[,.!?:]", line)[0]
    return beginning if len(beginning.split()) > 2 else line  # noqa: PLR2004 - a word or two


def is_worth_telling(doing: str) -> bool:
    """Whether an activity is more than a coffee, a pan on the stove or a walk to the counter."""
    return _WORTH.match(doing) is not None and not _NO_DOING.search(doing)


def spoken_place(place: str) -> str:
    """`Hobbs Cafe` out of an address or of `cafe in Hobbs Cafe`."""
    parts = [part for part in re.split(r":| in (?=[A-Z])", place) if part]
    sector = parts[1] if place.count(":") > 0 and len(parts) > 1 else parts[-1] if parts else ""
    return sector if re.match(r"[A-Z]", sector) else "this place"


def told_whole(talk: Talk, item: News) -> str:
    """An item of news as one sentence, with its date, hour and place."""
    if not item.is_occasion:
        return f"{_announced(talk, item)}."
    when = f"{item.place and f'at {item.place} '}{_day(item, talk.now)}"
    span = spoken_span(item.span)
    host = "I'm" if item.who == talk.me.name else f"{_called(talk, item.who)} is"
    opening = f"{host} giving" if item.who else "there will be"
    return capitalised(f"{opening} {with_article(item.what)} {when}".strip() + (f", {span}." if span else "."))


def _announced(talk: Talk, item: News) -> str:
    verb, _, rest = item.what.partition(" ")
    if item.who == talk.me.name:
        mine = {"is": "I am", "has": "I have"}.get(verb, f"I {verb}")
        return f"{mine} {rest}".replace("I am running", "I'm running")
    if called_alike(item.who, talk.other):
        return f"you { {'is': 'are', 'has': 'have'}.get(verb, verb) } {rest}"
    return f"{_called(talk, item.who)} {item.what}"


RELATIVES = ("husband", "wife", "son", "daughter", "mother", "father")


def _called(talk: Talk, who: str) -> str:
    """`my husband Sam Moore`, if that is what he is."""
    if not is_family(talk.me.name, who, talk.texts):
        return who
    about = " ".join(text for text in talk.texts if who in text)
    words = [word for word in RELATIVES if re.search(rf"\b{word}\b", about)]
    return f"my {words[0]} {who}" if len(words) == 1 else who


def _day(item: News, now: datetime) -> str:
    if item.day is None:
        return ""
    ahead = (item.day - now.date()).days
    near = {0: "today, ", 1: "tomorrow, "}.get(ahead, "")
    return f"{near}on {spoken_day(item.day)}" if near else f"on {item.day:%A}, {spoken_day(item.day)}"


def speech_habit(talk: Talk) -> str:
    """A word that ends this person's sentences, or nothing."""
    if talk.me.speech_habit:
        return talk.me.speech_habit
    own = (SPEECH_HABIT.search(text) for text in talk.texts if text.startswith(talk.me.name))
    return next((found[1].strip(" .!?") for found in own if found), "")
