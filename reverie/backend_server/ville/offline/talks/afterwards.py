"""Afterthoughts of a conversation: its subject, and the opinion of each about the other."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from random import Random

from ville.offline.answers.knowledge import keeps_word
from ville.offline.day.day import FREE, attendance, hours_of_occasion
from ville.offline.day.hours import DAY, HOUR, minutes_of
from ville.offline.day.work import of_another
from ville.offline.grammar import first_of, gerund
from ville.offline.profile import Profile
from ville.offline.rule_types import Answer, Turn
from ville.offline.table import load, shows
from ville.offline.talks.dialogue import OF_WORK, news_of
from ville.offline.talks.news import (
    CANCELLATION,
    FILE,
    NewsItem,
    answer_text,
    memory,
    merged,
    opinion_text,
    opinions,
    talked,
)
from ville.offline.talks.sayings import RecognizedLine, heard
from ville.offline.visitor_memories import memory_of_visitor

LONGEST_GIST = 15
"""Words."""
SOME_DAY = date(2023, 1, 1)
"""For reading news when only its names matter."""
NOTHING: Answer = {"text": "", "predicate": "", "object": "", "poignancy": 1}
NOTHING_TODAY: Answer = {"what": "", "hour": 0, "minutes": 0}
ABOUT = "ask about "
KNEW = {"knew", "knew plain", "knew family"}
STALE = {*KNEW, "yes true"}
"""Lines that show that news was known before."""


@dataclass(frozen=True)
class Transcript:
    """A conversation that is over."""

    remarks: Sequence[Turn]
    today: date = SOME_DAY

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        return (*dict.fromkeys(str(remark.speaker) for remark in self.remarks), "", "")[:2]

    def other_than(self, speaker: str) -> str:
        return next(name for name in self.speakers if name != speaker)

    @cached_property
    def lines(self) -> list[tuple[str, RecognizedLine]]:
        return [(str(remark.speaker), line) for remark in self.remarks for line in heard(str(remark.said))]

    @property
    def said(self) -> list[tuple[str, str]]:
        """Speakers and words."""
        return [(str(remark.speaker), str(remark.said)) for remark in self.remarks]

    def news(self, speaker: str = "") -> list[NewsItem]:
        """Return the news of a conversation, or that of one speaker."""
        found = (item for who, line in self.lines if speaker in {"", who}
                 for item in news_of(line, self.today, teller=who, listener=self.other_than(who)))  # fmt: skip
        return [item for item in merged(found) if item.can_be_told]

    def keys(self, speaker: str) -> set[str]:
        return {line.key for who, line in self.lines if who == speaker}

    def answer(self, guest: str) -> str:
        """Return whether a guest has accepted an invitation: `yes`, `no` or an empty string."""
        said = self.keys(guest)
        return "no" if said & {"decline", "decline shift"} else "yes" if "accept" in said else ""


def gist(remarks: Sequence[Turn], rng: Random) -> str:
    """Return what a talk was about in at most fifteen words: fresh news, or else one or two other subjects."""
    talk = Transcript(remarks)
    others = list(dict.fromkeys(part for who, line in talk.lines if (part := _subject(line, who, talk))))
    if not others and any(shows("politics", line.text) for _, line in talk.lines):
        others = ["the election"]
    news = [item.theme for item in talk.news()]
    rng.shuffle(others)
    stale = any(line.key in STALE for _, line in talk.lines)
    parts = [*others, *news] if stale else [*news, *others]
    first = parts[0] if parts else str(rng.choice(load("gists.yaml")["anything"]))
    both = (f"{first} and {part}" for part in parts[1:] if not news)
    chosen = next((text for text in both if len(text.split()) <= LONGEST_GIST), first)
    return " ".join(chosen.split()[:LONGEST_GIST])


def _subject(line: RecognizedLine, who: str, talk: Transcript) -> str:
    if line.key in OF_WORK:
        return f"{first_of(who)} {of_another(line.blanks['topic'])}"
    if line.key.startswith(ABOUT):
        return line.key.removeprefix(ABOUT)
    about = load("gists.yaml")["parts"].get(line.key, "")
    names = {**line.blanks, "one": first_of(who), "other": first_of(talk.other_than(who))}
    return str(about).format_map(names) if about else ""


def afterthoughts(
    me: Profile, other: str, now: datetime, remarks: Sequence[Turn], *, day: Sequence[str], rng: Random
) -> Answer:  # fmt: skip
    """Return what to plan for (appointments, cancellations), a memo (other news, or a word about the other), and a date
    for today.

    `day`: the plan for today, as in `17:00: attending ...`.
    """
    talk = Transcript(remarks, now.date())
    items = talk.news()
    ahead = [item for item in items if item.is_occasion and not item.has_begun(now)]
    planning = _excuse(me.name, other, talk)
    memo = (
        memory_of_visitor(me.name, other, talk.said)
        or _about_incident(me.name, other, talk)
        or _about_other(me, other, talk, rng)
    )
    if ahead:
        planning = _about_occasion(me.name, other, talk, item=ahead[0])
    if cancelled := next((item for item in items if item.kind == CANCELLATION), None):
        planning = _about_announcement(me.name, other, talk, item=cancelled)
    if announcement := next((item for item in items if not item.is_occasion and item != cancelled), None):
        memo = _about_announcement(me.name, other, talk, item=announcement)
    return {
        "for_planning": planning,
        "memo": memo,
        "today": given_up(me, now, items, day) or _for_today(me, now, talk, ahead[:1]),
    }


def given_up(me: Profile, now: datetime, items: Sequence[NewsItem], day: Sequence[str]) -> Answer | None:
    """Return free time in place of what was planned for later today and has just been told to be cancelled; or itself,
    at the hour to which it is moved.
    """
    rows = [(minutes_of(clock), what) for clock, _, what in (line.partition(": ") for line in day)]
    ends = [start for start, _ in [*rows, (DAY, "")][1:]]
    ahead = [(row, end) for row, end in zip(rows, ends, strict=True) if row[0] > now.hour * HOUR + now.minute]
    for item in (item for item in items if item.kind == CANCELLATION):
        off = [(start, end, what) for (start, what), end in ahead if is_off(item, what, me)]
        if off:
            start = off[0][0] // HOUR
            minutes = _end(off) - start * HOUR
            later = (item.span.start or 0) // HOUR
            moved = later != start and later > now.hour
            return {"what": off[0][2] if moved else gerund(FREE), "hour": later if moved else start, "minutes": minutes}
    return None


def _end(off: Sequence[tuple[int, int, str]]) -> int:
    """Return when the first of some activities ends, with those that follow it without a gap; by start and end."""
    end = off[0][1]
    for start, until, _ in off[1:]:
        end = until if start == end else end
    return end


def is_off(item: NewsItem, planned: str, me: Profile) -> bool:
    """Return whether what is planned is the cancelled occasion: of this host, and at no other place or feast."""
    noun, low = item.what.split(" ")[-1], planned.lower()
    feasts = [sign for sign in load(FILE)["feasts"] if sign in low]
    elsewhere = item.place and " at " in low and item.place.split(" ")[-1].lower() not in low
    another = feasts and not item.what.endswith(f"the {noun}") and not any(sign in item.what.lower() for sign in feasts)
    hosted = item.is_of(me.name) or item.who in planned
    return bool(re.search(rf"\b{re.escape(noun)}\b", low)) and hosted and not elsewhere and not another


def _for_today(me: Profile, now: datetime, talk: Transcript, ahead: list[NewsItem]) -> Answer:
    """Return the occasion if it is later today and this persona has accepted and keeps its word."""
    for item in ahead:
        accepted = not item.is_of(me.name) and talk.answer(me.name) == "yes" and keeps_word(me, item)
        if accepted and item.day == now.date() and item.span.start is not None:
            start, end = hours_of_occasion(item.span)
            return {"what": gerund(attendance(item)), "hour": start, "minutes": (end - start) * HOUR}
    return NOTHING_TODAY


def _told_by(talk: Transcript, speaker: str, item: NewsItem) -> bool:
    return any(item.is_same(other) for other in talk.news(speaker))


def _about_occasion(name: str, other: str, talk: Transcript, *, item: NewsItem) -> Answer:
    """Return who invited whom, to what, when and where, and who comes."""
    told = _told_by(talk, other, item)
    kind = "has invited" if item.is_of(name) else "was invited" if item.is_of(other) else "heard"
    kind = kind if told or item.is_of(name) else "has told"
    guest = name if kind in {"was invited", "heard"} else other
    noun = f"the {item.what} {item.when_and_where(year=True)}"
    answer = answer_text(talk.answer(guest), guest)
    return memory(kind, me=name, other=other, noun=noun, news=item.as_sentence(year=True), answer=answer)


def _about_announcement(name: str, other: str, talk: Transcript, *, item: NewsItem) -> Answer:
    """Return who told whom, and what the listener seems to think of an announcement of one of the two."""
    names = {"me": name, "other": other, "news": item.as_sentence()}
    if item.is_of(name) or not _told_by(talk, other, item):
        opinion = _opinion(talk, other) if item.is_of(name) else ""
        return memory("has told", **names, answer=opinion)
    found = memory("heard", **names, answer=_opinion(talk, name) if item.is_of(other) else "")
    return found | ({"poignancy": 3} if talk.keys(name) & KNEW else {})


def _opinion(talk: Transcript, listener: str) -> str:
    said = talk.keys(listener)
    return opinion_text(next((key for key in opinions() if key in said), "none"), listener)


def _excuse(name: str, other: str, talk: Transcript) -> Answer:
    """Return who has apologised to whom for not coming, if one of the two has."""
    for who, line in talk.lines:
        if line.key == "excuse" and "what" in line.blanks:
            return memory("excused" if who == name else "was missed", me=name, other=other, what=line.blanks["what"])
    return NOTHING


def _about_incident(name: str, other: str, talk: Transcript) -> Answer | None:
    """Return who told whom what happened, if one of the two has."""
    told = ((who, line.blanks["incident"]) for who, line in talk.lines if line.key == "tell incident")
    who, what = next(told, ("", ""))
    return memory("told what" if who == name else "heard what", me=name, other=other, what=what) if who else None


def _about_other(me: Profile, other: str, talk: Transcript, rng: Random) -> Answer:
    """Return what the other is busy with, or at least that the two have talked."""
    topics = [of_another(line.blanks["topic"]) for who, line in talk.lines if line.key in OF_WORK and who == other]
    if topics and "knew work" not in talk.keys(me.name):
        return memory("found out", me=me.name, other=other, topic=topics[0])
    political = any(shows("politics", line.text) for who, line in talk.lines if who == other)
    return memory("politics" if political else rng.choice(talked()), me=me.name, other=other)
