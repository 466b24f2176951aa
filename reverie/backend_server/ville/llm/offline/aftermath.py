"""What remains of a conversation: what it was about, what has to be planned for, and what was worth noting."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from random import Random
from typing import Any

from ville.llm.offline.day import attendance, hours_of_occasion
from ville.llm.offline.dialogue import OF_WORK, news_of
from ville.llm.offline.hours import HOUR
from ville.llm.offline.knowledge import keeps_word
from ville.llm.offline.news import NewsItem, merged
from ville.llm.offline.profile import Profile
from ville.llm.offline.records import answer_text, opinion_text, opinions, talked, written
from ville.llm.offline.rule import Answer
from ville.llm.offline.sayings import RecognizedLine, heard
from ville.llm.offline.table import load
from ville.llm.offline.ties import kin
from ville.llm.offline.verbs import first_of, gerund
from ville.llm.offline.work import POLITICS, of_another

LONGEST_GIST = 15
"""Words."""
SOME_DAY = date(2023, 1, 1)
"""From which news is seen when only its names matter."""
EMPTY: Answer = {"text": "", "predicate": "", "object": "", "poignancy": 1}
NOTHING_TODAY: Answer = {"what": "", "hour": 0, "minutes": 0}
ABOUT = "ask about "
KEEPS = {"knew", "knew plain", "knew family"}


@dataclass(frozen=True)
class Transcript:
    """A conversation that is over."""

    remarks: Sequence[Any]
    today: date = SOME_DAY

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        return (*dict.fromkeys(str(remark.speaker) for remark in self.remarks), "", "")[:2]

    @cached_property
    def lines(self) -> list[tuple[str, RecognizedLine]]:
        return [(str(remark.speaker), said) for remark in self.remarks for said in heard(str(remark.said))]

    def news(self, speaker: str = "") -> list[NewsItem]:
        """Return the news of a conversation, or of one of the two, whole."""
        one, two = self.speakers
        found = (item for who, said in self.lines if speaker in {"", who}
                 for item in news_of(said, self.today, teller=who, listener=two if who == one else one))  # fmt: skip
        return [item for item in merged(found) if item.can_be_told]

    def keys(self, speaker: str) -> set[str]:
        return {said.key for who, said in self.lines if who == speaker}

    def answer(self, guest: str) -> str:
        """Return whether somebody has accepted an invitation: `yes`, `no` or nothing."""
        said = self.keys(guest)
        return "no" if said & {"decline", "decline shift"} else "yes" if "accept" in said else ""

    def topics(self, speaker: str) -> list[str]:
        return [said.blanks["topic"] for who, said in self.lines if said.key in OF_WORK and who == speaker]


def gist(remarks: Sequence[Any], rng: Random) -> str:
    """Return what a talk was about in at most fifteen words: news first, then some of what else was said."""
    talk = Transcript(remarks)
    spoken_of = [part for who, said in talk.lines if (part := _part(said, who, talk))]
    if not spoken_of and any(POLITICS.search(said.text) for _, said in talk.lines):
        spoken_of = ["the election"]
    others = list(dict.fromkeys(spoken_of)) or [rng.choice(load("gists.yaml")["anything"])]
    parts = [*(item.theme for item in talk.news()), *rng.sample(others, len(others))]
    chosen = parts[0]
    for part in parts[1:]:
        if chosen.count(" and ") < 1 and len(f"{chosen} and {part}".split()) <= LONGEST_GIST:
            chosen = f"{chosen} and {part}"
    return " ".join(chosen.split()[:LONGEST_GIST])


def _part(said: RecognizedLine, who: str, talk: Transcript) -> str:
    if said.key in OF_WORK:
        return f"{first_of(who)} {of_another(said.blanks['topic'])}"
    if said.key.startswith(ABOUT):
        return said.key.removeprefix(ABOUT)
    line = load("gists.yaml")["parts"].get(said.key, "")
    other = next(name for name in talk.speakers if name != who)
    return str(line).format_map({**said.blanks, "one": first_of(who), "other": first_of(other)}) if line else ""


def afterthoughts(me: Profile, other: str, now: datetime, remarks: Sequence[Any], *, rng: Random) -> Answer:
    """For planning: appointments, and what one has told. A memo: announcements, and what the other is busy with."""
    talk = Transcript(remarks, now.date())
    items, heard_of = talk.news(), talk.news(other)
    occasion = next((item for item in items if item.is_occasion and not item.is_over(now)), None)
    announcement = next((item for item in items if not item.is_occasion), None)
    planning, memo = _excuse(me.name, other, talk) or EMPTY, _about_other(me, other, talk, rng)
    if occasion and not occasion.has_begun(now):
        planning = _about_occasion(me.name, other, talk, item=occasion, told=_has(heard_of, occasion))
    if announcement:
        memo = _about_announcement(me.name, other, talk, item=announcement, told=_has(heard_of, announcement))
    return {"for_planning": planning, "memo": memo, "today": _for_today(me, now, talk, occasion)}


def _for_today(me: Profile, now: datetime, talk: Transcript, item: NewsItem | None) -> Answer:
    """The occasion, if it is later today and this person has said yes and means it."""
    if item is None or item.day != now.date() or item.has_begun(now) or item.span.start is None:
        return NOTHING_TODAY
    if item.is_of(me.name) or talk.answer(me.name) != "yes" or not keeps_word(me, item):
        return NOTHING_TODAY
    start, end = hours_of_occasion(item.span)
    return {"what": gerund(attendance(item)), "hour": start, "minutes": (end - start) * HOUR}


def _has(items: list[NewsItem], item: NewsItem) -> bool:
    return any(item.is_same(other) for other in items)


def _thought(text: str, predicate: str, thing: str, poignancy: int) -> Answer:
    return {"text": text, "predicate": predicate, "object": thing, "poignancy": poignancy}


def _about_occasion(name: str, other: str, talk: Transcript, *, item: NewsItem, told: bool) -> Answer:
    """Who invited whom, to what, when and where, and who comes."""
    whole = f"the {item.what} {item.when_and_where(year=True)}"
    names = {"me": name, "other": other, "noun": whole, "news": item.as_sentence(year=True)}
    theirs = answer_text(talk.answer(other), other)
    if item.is_of(name):
        return _thought(written("has invited", **names, answer=theirs), "has invited", other, 5)
    if not told:
        return _thought(written("has told", **names, answer=theirs), "has told", other, 4)
    mine = answer_text(talk.answer(name), name)
    if item.is_of(other):
        return _thought(written("was invited", **names, answer=mine), "was invited to", whole, 6)
    return _thought(written("heard", **names, answer=mine), "heard of", item.noun, 6)


def _about_announcement(name: str, other: str, talk: Transcript, *, item: NewsItem, told: bool) -> Answer:
    names = {"me": name, "other": other, "news": item.as_sentence()}
    if item.is_of(name):
        return _thought(written("has told", **names, answer=_opinion(talk, other)), "has told", other, 5)
    if item.is_of(other):
        return _thought(written("heard", **names, answer=_opinion(talk, name)), "heard from", other, 7)
    if told:
        return _thought(written("heard", **names), "heard from", other, 3 if talk.keys(name) & KEEPS else 7)
    return _thought(written("has told", **names), "has told", other, 4)


def _opinion(talk: Transcript, listener: str) -> str:
    """What somebody seems to think of an announcement."""
    said = talk.keys(listener)
    return opinion_text(next((key for key in opinions() if key in said), "none"), listener)


def _excuse(name: str, other: str, talk: Transcript) -> Answer | None:
    """Who has said sorry for not coming, and to whom."""
    for who, said in talk.lines:
        if said.key == "excuse":
            key, verb = ("excused", "has apologised to") if who == name else ("was missed", "knows from")
            return _thought(written(key, me=name, other=other, what=said.blanks["what"]), verb, other, 5)
    return None


def _about_other(me: Profile, other: str, talk: Transcript, rng: Random) -> Answer:
    """What the other turned out to be busy with, or at least that the two have talked."""
    if topics := talk.topics(other) if "knew work" not in talk.keys(me.name) else []:
        topic = of_another(topics[0])
        return _thought(
            written("found out", me=me.name, other=other, topic=topic), "found out about", f"{other} {topic}", 4
        )
    if any(POLITICS.search(said.text) for who, said in talk.lines if who == other):
        return _thought(
            f"{me.name} noticed that {other} thinks a lot about the election", "noticed", f"{other} and the election", 3
        )
    related = kin(me.name, other, (me.currently, me.learned))
    called = f"{me.pronoun.possessive} {related} " if related and related != "family" else ""
    text = rng.choice(talked()).format(me=me.name, other=other, kin=called)
    verb = text.removeprefix(f"{me.name} ").split(" the talk")[0]
    return _thought(text, verb, f"the talk with {other}", 2)
