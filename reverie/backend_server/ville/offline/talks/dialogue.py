"""A conversation as one of the two speakers sees it. What it knows, likes, wants to tell."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from random import Random

from ville.offline.answers.knowledge import LITTLE_WHILE, Knowledge, Sighting
from ville.offline.day.hours import spoken_day, spoken_span
from ville.offline.day.work import Fact, facts_of, of_another, own_words, to_listener
from ville.offline.grammar import capitalised, first_of
from ville.offline.incidents import Incident
from ville.offline.news_reading import news_in
from ville.offline.profile import Profile, lot
from ville.offline.rule_types import Earlier, Turn
from ville.offline.table import shape, shows
from ville.offline.talks.news import NO_NEWS, NewsItem, with_article
from ville.offline.talks.sayings import RecognizedLine, heard
from ville.offline.talks.ties import MARRIED, tie

OF_WORK = ("answer work", "tell work", "tell more")
UNSURE = ("", "tell fact")
"""Keys of lines that any words may have."""
FAREWELLS = ("bye", "good night", "bye party", "part", "part plain")
QUESTIONS = ("ask ", "saw you", "saw other", "reply back", "thank host", "welcome guest", "excuse")
"""Beginnings of the keys of lines that want an answer. News asks for its own."""
LIMIT, FEWEST_TALKS = 0.28, 8
"""Share of the remembered talks from which on a theme is not brought up; talks to count at least."""
GOSSIP, RETICENT = 0.5, 0.3
"""How often outgoing people pass on other people's news, and how often the rest do."""
TELL_INCIDENTS = 0.5
"""Times that a persona tells an incident before it is weary of it."""
NOT_GOING, ENGAGED = 0.4, 1.2
"""Factors for occasions one does not attend, and for news one feels strongly about."""
OWN, TO_FRIENDS, ON_THE_DAY = 0.25, 0.5, 0.45
"""How often one tells one's own news to anyone, how much more often to friends, and how often on its day."""
WEARY = 2
"""Memories of an item, or talks about one's work, after which it is told half as often."""
PARENTS = {"mother": "Mum", "father": "Dad"}
LUNCHTIME = range(11, 15)
_WHERE = re.compile(r" (?:in|at|behind) (?:the |[A-Z]|home\b|his |her |their ).*$")


def utterances(remarks: Iterable[Turn]) -> tuple[tuple[str, str], ...]:
    """Return speakers and words of a transcript."""
    return tuple((str(remark.speaker), str(remark.said)) for remark in remarks)


def earlier_talk(said: Earlier | None) -> tuple[tuple[str, str], ...]:
    """Return speakers and words of earlier talks, if there were any."""
    return utterances(said.turns) if said else ()


def news_of(line: RecognizedLine, today: date, *, teller: str, listener: str) -> tuple[NewsItem, ...]:
    """Return the news in one line of an utterance."""
    text = line.blanks.get("news") or (line.text if line.key in UNSURE else "")
    return news_in(text, today, teller, listener) if text else ()


def is_worth_telling(doing: str) -> bool:
    """Return whether an activity is more than a coffee or a walk to the counter."""
    return shape("worth telling").match(doing) is not None and not shows("not spoken of", doing)


@dataclass(frozen=True)
class Dialogue:
    """Situation of a speaker when it is its turn. `transcript`: speakers and utterances so far."""

    mind: Knowledge
    other: str
    transcript: tuple[tuple[str, str], ...]
    rng: Random
    place: str = ""
    situation: str = ""
    last_talk: str = ""
    earlier: tuple[tuple[str, str], ...] = ()
    """Utterances of the two in the last days, with speakers."""
    item: NewsItem = NO_NEWS
    """The news that is spoken of."""
    sight: Sighting | None = None
    """The sighting that is spoken of."""
    saying: str = ""
    """Utterance that the speaker is about to make."""

    # What has been said.

    @property
    def me(self) -> Profile:
        return self.mind.me

    @cached_property
    def lines(self) -> tuple[tuple[str, RecognizedLine], ...]:
        """Every line so far, with its speaker."""
        return tuple((speaker, line) for speaker, said in self._utterances for line in heard(said))

    @property
    def _utterances(self) -> tuple[tuple[str, str], ...]:
        return (*self.transcript, (self.me.name, self.saying)) if self.saying else self.transcript

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(line.key for _, line in self.lines)

    @cached_property
    def last(self) -> tuple[RecognizedLine, ...]:
        """The lines that the other has just said."""
        return heard(self.transcript[-1][1]) if self.transcript and self.transcript[-1][0] != self.me.name else ()

    @cached_property
    def told_news(self) -> tuple[tuple[NewsItem, ...], ...]:
        """The news in each utterance so far."""
        return tuple(tuple(self._news_in(speaker, said)) for speaker, said in self._utterances)

    @property
    def last_news(self) -> tuple[NewsItem, ...]:
        """The news that the other has just told."""
        return self.told_news[len(self.transcript) - 1] if self.last else ()

    def _news_in(self, speaker: str, said: str) -> list[NewsItem]:
        listener, today = (self.other if speaker == self.me.name else self.me.name), self.mind.now.date()
        return [item for line in heard(said) for item in news_of(line, today, teller=speaker, listener=listener)]

    @cached_property
    def earlier_lines(self) -> tuple[tuple[str, RecognizedLine], ...]:
        """Every line of the talks of the last days, with its speaker."""
        return tuple((speaker, line) for speaker, said in self.earlier for line in heard(said))

    @cached_property
    def earlier_keys(self) -> frozenset[str]:
        """Keys of the lines that this speaker has said to the other in the last days."""
        return frozenset(line.key for speaker, line in self.earlier_lines if speaker == self.me.name)

    @cached_property
    def earlier_news(self) -> tuple[NewsItem, ...]:
        """The news that one of the two has told the other in the last days."""
        return tuple(item for speaker, said in self.earlier for item in self._news_in(speaker, said))

    @cached_property
    def everything_said(self) -> str:
        return " ".join(said for _, said in self._utterances)

    @property
    def question(self) -> RecognizedLine | None:
        """The last question that the other has just asked, if any."""
        return next((line for line in reversed(self.last) if line.key.startswith(QUESTIONS)), None)

    def after(self, said: str) -> "Dialogue":
        """Return the conversation with words that the speaker is about to add."""
        return replace(self, saying=f"{self.saying} {said}".strip())

    def heard_blank(self, name: str) -> str:
        return next((line.blanks[name] for line in reversed(self.last) if name in line.blanks), "")

    def work_told_by(self, speaker: str) -> str:
        """Return what a speaker has told of its work in this conversation, or an empty string."""
        return next((line.blanks["topic"] for who, line in self.lines if who == speaker and line.key in OF_WORK), "")

    # The two speakers.

    @cached_property
    def kin(self) -> str:
        return self.mind.kin(self.other)

    @cached_property
    def liking(self) -> int:
        return self.mind.liking(self.other)

    @cached_property
    def manner(self) -> str:
        """The form of the sayings that this speaker uses."""
        if self.kin:
            return "home" if self.kin in MARRIED else "kin"
        if self.liking > 0 and not self.is_stranger:
            return "warm"
        return "cool" if self.liking < 0 or "blunt" in self.me.tempers else "plain"

    @cached_property
    def is_stranger(self) -> bool:
        """Whether the two have never talked, and no memory connects them."""
        if self.last_talk.strip().lower() not in {"", "never"} or "hardly know" not in self.mind.relationship:
            return False
        texts = [memory.text for memory in self.mind.memories if memory.kind != "event"]
        return not tie(self.me.name, self.other, texts)

    # News.

    def mentioned(self, item: NewsItem, *, before: int | None = None) -> bool:
        return any(item.is_same(other) for told in self.told_news[:before] for other in told)

    def will_tell(self, item: NewsItem) -> bool:
        """Return whether this speaker tells it to the other today; the answer is the same all conversation long."""
        return lot(self.me.name, self.other, item.kind, item.who, f"{self.mind.now:%j}") < self._wish_to_tell(item)

    def _wish_to_tell(self, item: NewsItem) -> float:
        """Return from 0 to 1 how much the speaker wishes to tell it: less if told often, or if the other knows."""
        begun = item.is_occasion and item.has_begun(self.mind.now)
        if begun or (item.is_occasion and item.is_of(self.other)) or self.has_told(item):
            return 0.0
        if not self.has_room_for(*(("mayor", "election") if item.kind == "candidacy" else (item.kind,))):
            return 0.0
        closeness = self.mind.closeness(self.other)
        if item.who == self.me.name or not (item.who or self.mind.source(item)):
            return ON_THE_DAY if item.day == self.mind.now.date() else OWN + TO_FRIENDS * closeness
        about = self.mind.texts_on(item)
        vague = item.is_occasion and (item.span.start is None or not item.place)
        if vague or (not item.is_of(self.other) and any(self.other in text for text in about)):
            return 0.0
        gossip = GOSSIP if self.me.tempers & {"outgoing", "lively"} else RETICENT
        return gossip * closeness * self._concern(item) / (1 + len(about) / WEARY)

    def has_told(self, item: NewsItem) -> bool:
        """Return whether the two have spoken of it in the last days, or this speaker remembers that it told it."""
        talked = item.brief in self.last_talk and item.who in self.last_talk
        records = self.mind.records_on(item)
        told = any(record.kind in {"has told", "has invited"} and record.other == self.other for record in records)
        return talked or told or any(item.is_same(other) for other in self.earlier_news)

    def has_asked(self, key: str, line: str) -> bool:
        """Return whether a line is a question that this speaker has put to the other, now or in the last days."""
        if "?" not in line:
            return False
        own = [said for speaker, said in (*self.earlier, *self._utterances) if speaker == self.me.name]
        before = self.earlier_keys | {each.key for speaker, each in self.lines if speaker == self.me.name}
        return (key.startswith(QUESTIONS) and key in before) or any(line in said for said in own)

    def _concern(self, item: NewsItem) -> float:
        if item.is_occasion:
            return 1.0 if self.mind.will_go(item) else NOT_GOING
        keen = self.mind.liking(item.who) or (item.kind == "candidacy" and self.mind.politics > 0)
        return ENGAGED if keen else 1.0

    def whole(self, item: NewsItem) -> str:
        """Return an item of news as one sentence in the speaker's words, with its date, hour and place."""
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
        """Return `my husband Sam Moore` for relatives."""
        related = self.mind.kin(who)
        return f"my {related} {who}" if related not in {"", "family", "spouse"} else who

    def has_room_for(self, *themes: str) -> bool:
        """Return whether few of the talks that come to mind were about a theme."""
        talks = [text for text in self.mind.own_talks if any(theme and theme in text for theme in themes)]
        return len(talks) < LIMIT * max(FEWEST_TALKS, len(self.mind.own_talks))

    @cached_property
    def topic(self) -> str:
        """Something the speaker is busy with and may mention, what it has told least first, or an empty string."""
        fresh = [topic for topic in self.mind.topics if topic not in self.everything_said]
        return next((topic for topic in sorted(fresh, key=self._times_told) if self._will_tell_of(topic)), "")

    def _times_told(self, topic: str) -> int:
        return sum(f"{self.me.first} {of_another(topic)}" in text for text in self.mind.own_talks)

    def _will_tell_of(self, topic: str) -> bool:
        """Return whether the other hears of it today: fewer people do the more often it was told."""
        chance = lot(self.me.name, self.other, topic, f"{self.mind.now:%j}")
        return chance < WEARY / (WEARY + self._times_told(topic))

    @property
    def new_facts(self) -> list[Fact]:
        """Return facts of the identity besides the work that have not been said yet."""
        return [fact for fact in facts_of(self.me) if fact.told not in self.everything_said]

    @property
    def their_topic(self) -> str:
        """Work of the other that an earlier talk told of and this one has not; no preparations of what is over."""
        topic = to_listener(self.mind.topic_of(self.other))
        ahead = any(item.is_of(self.other) and not item.has_begun(self.mind.now) for item in self.mind.known)
        said = topic in to_listener(self.everything_said)
        return "" if said or (shows("preparations", topic) and not ahead) else topic

    # Incidents, sightings, time and place.

    @cached_property
    def incident(self) -> Incident | None:
        """Return the incident that the speaker will tell the other, unless it has come up in this conversation."""
        said = self.everything_said.lower()
        return next(
            (each for each in self.mind.incidents if each.what.lower() not in said and self._will_tell_it(each)), None
        )

    def _will_tell_it(self, incident: Incident) -> bool:
        """Return whether the other hears of it today, once: fewer people do the more were told."""
        told = [
            record.other for record in self.mind.records if (record.kind, record.what) == ("told what", incident.what)
        ]
        earlier = (line.blanks.get("incident") or "" for _, line in self.earlier_lines)
        told += [self.other for what in earlier if what.lower() == incident.what.lower()]
        chance = lot(self.me.name, self.other, incident.what, f"{self.mind.now:%j}")
        return self.other not in told and chance < TELL_INCIDENTS * WEARY / (WEARY + len(told))

    def sighting(self, of: str) -> Sighting | None:
        """Return a sighting of `me`, `them`, `others`, or the persona that was `asked` about."""
        who = {"me": self.me.name, "them": self.other, "asked": self.heard_blank("who")}.get(of)
        late = LITTLE_WHILE if of == "them" else None
        found = [
            sight for sight in self.mind.sightings()
            if (sight.who == who if who is not None else sight.who not in {self.me.name, self.other})
            and sight.doing not in self.everything_said and sight.doing not in self.doing_of(sight.who)
            and (late is None or self.mind.now - sight.when > late) and (of != "me" or is_worth_telling(sight.doing))
        ]  # fmt: skip
        return self.rng.choice(found) if found else None

    def person_spoken_of(self) -> str:
        """Return who is seen, asked about or in the news; else a friend to ask about."""
        if self.sight:
            return self.sight.who
        asked = self.heard_blank("who") or (self.item.who if self.last_news else "")
        friends = {sight.who for sight in self.mind.sightings()} - {self.me.name, self.other}
        close = [name for name in sorted(friends) if self.mind.closeness(name) == 1]
        return first_of(asked) or (self.rng.choice(close) if close else "")

    def _activity_of(self, name: str) -> str:
        """Return `mixing paints` or `painting (mixing paints)` by the situation."""
        found = re.search(rf"{re.escape(name)},?(?: who)? (?:is|was) (.+?)(?= when [A-Z]|[.;]|$)", self.situation)
        return found[1].removeprefix("on the way to ") if found else ""

    def doing_of(self, name: str) -> str:
        """Return the step that a persona is at; empty if it is not spoken of."""
        doing = re.sub(r"^.*\(|\).*$", "", self._activity_of(name)).strip()
        return "" if shows("not spoken of", doing) else doing

    @property
    def unfinished(self) -> str:
        """The activity that the speaker would go back to, if it is worth naming."""
        doing = _WHERE.sub("", self._activity_of(self.me.name).partition(" (")[0])
        return own_words(doing, self.me.pronoun) if shows("gone back to", doing) else ""

    @property
    def sector(self) -> str:
        """`Hobbs Cafe` for an address or for `cafe in Hobbs Cafe`."""
        parts = [part for part in re.split(r":| in (?=[A-Z])", self.place) if part]
        sector = parts[1] if self.place.count(":") > 0 and len(parts) > 1 else parts[-1] if parts else ""
        return sector if re.match(r"[A-Z]", sector) else "this place"

    @cached_property
    def party(self) -> NewsItem:
        """The occasion that both are at, or NO_NEWS."""
        here = self.place.lower()
        begun = (item for item in self.mind.known if item.has_begun(self.mind.now) and item.place)
        return next((item for item in begun if item.place.lower().removeprefix("the ") in here), NO_NEWS)


def _day_ahead(day: date, today: date) -> str:
    near = {0: "today, ", 1: "tomorrow, "}.get((day - today).days, "")
    return f"{near}on {spoken_day(day)}" if near else f"on {day:%A}, {spoken_day(day)}"
