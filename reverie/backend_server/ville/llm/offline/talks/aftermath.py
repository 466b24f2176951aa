"""What remains of a conversation: what it was about, what has to be planned for, and what was worth noting."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from random import Random
from typing import Any

from ville.llm.offline.days.day import attendance, hours_of_occasion
from ville.llm.offline.english.hours import HOUR
from ville.llm.offline.english.verbs import gerund
from ville.llm.offline.english.wordlist import first_of
from ville.llm.offline.people.news import News, called_alike, merged, news_in
from ville.llm.offline.people.opinions import keeps_word
from ville.llm.offline.people.person import Person
from ville.llm.offline.people.topics import POLITICS, at_in, of_another
from ville.llm.offline.rule import Answer
from ville.llm.offline.talks.phrases import recogniser

LONGEST_GIST = 15
"""Words."""
_YES = re.compile(
    r"\b(?:I'll (?:come|be there|be the first)|I would love to|Count me in|count me in|Gladly|How could I say no"
    r"|With pleasure)\b"
)
_NO = re.compile(r"\b(?:can't (?:make it|come)|won't (?:come|be able)|not a good hour)\b")
OPINIONS = {
    "sceptical you": "is against it", "sceptical": "does not think much of it", "glad you": "supports it",
    "glad": "is glad about it", "curious you": "has yet to decide about it", "curious": "wants to know more about it",
    "told home": "stands by it", "indifferent": "does not care much for it",
}  # fmt: skip
"""Sayings → what they show of the one who said them."""
ANYTHING = ("this and that", "how the day has been", "small things", "the day in town", "nothing in particular")


def gist(transcript: Sequence[Any], rng: Random) -> str:
    """News first, then what each of the two is at; at most fifteen words."""
    parts = [*(_news_gist(item) for item in _told(transcript, date.min.replace(year=2023))), *_topics_gist(transcript)]
    parts = list(dict.fromkeys(parts))
    if not parts:
        parts = ["the election"] if POLITICS.search(_everything(transcript)) else [rng.choice(ANYTHING)]
    chosen = parts[0]
    for part in parts[1:]:
        if len(f"{chosen} and {part}".split()) <= LONGEST_GIST:
            chosen = f"{chosen} and {part}"
    return " ".join(chosen.split()[:LONGEST_GIST])


def _everything(transcript: Sequence[Any]) -> str:
    return " ".join(str(remark.said) for remark in transcript)


def _speakers(transcript: Sequence[Any]) -> tuple[str, str]:
    names = list(dict.fromkeys(str(remark.speaker) for remark in transcript))
    return (*names, "", "")[:2]  # type: ignore[return-value]


def _told(transcript: Sequence[Any], today: date, speaker: str = "") -> list[News]:
    """The news of a conversation, or of one of the two, whole."""
    one, two = _speakers(transcript)
    found = (
        item
        for remark in transcript
        if not speaker or remark.speaker == speaker
        for item in news_in(remark.said, today, remark.speaker, two if remark.speaker == one else one)
    )
    return [item for item in merged(found) if item.can_be_told]


def _news_gist(item: News) -> str:
    if item.is_occasion:
        return item.noun + (f" at {item.place}" if item.place else "")
    return f"{item.who} running for mayor" if item.kind == "candidacy" else f"the news that {item.who} {item.what}"


def _topics_gist(transcript: Sequence[Any]) -> list[str]:
    return [
        f"{first_of(str(remark.speaker))} {of_another(topic)}" for remark in transcript if (topic := at_in(remark.said))
    ]


def afterthoughts(me: Person, other: str, now: datetime, transcript: Sequence[Any], *, rng: Random) -> Answer:
    """For planning: appointments, and what one has told. A memo: announcements, and what the other is at."""
    today = now.date()
    items = _told(transcript, today)
    heard = _told(transcript, today, other)
    occasion = next((item for item in items if item.is_occasion and not item.is_over(now)), None)
    announcement = next((item for item in items if not item.is_occasion), None)
    planning, memo = EMPTY, _about_other(me.name, other, transcript, rng)
    if occasion:
        planning = _about_occasion(me.name, other, transcript, occasion, told_by_other=_has(heard, occasion))
    if announcement:
        memo = _about_announcement(me.name, other, transcript, announcement, told_by_other=_has(heard, announcement))
    return {"for_planning": planning, "memo": memo, "today": _for_today(me, now, transcript, occasion)}


EMPTY: Answer = {"text": "", "predicate": "", "object": "", "poignancy": 1}
NOTHING_TODAY: Answer = {"what": "", "hour": 0, "minutes": 0}


def _for_today(me: Person, now: datetime, transcript: Sequence[Any], item: News | None) -> Answer:
    """The occasion, if it is later today and this person has said yes and means it."""
    if item is None or item.day != now.date() or item.has_begun(now) or item.span.start is None:
        return NOTHING_TODAY
    if called_alike(item.who, me.name) or not _says_yes(transcript, me.name) or not keeps_word(me, item):
        return NOTHING_TODAY
    start, end = hours_of_occasion(item.span)
    return {"what": gerund(attendance(item)), "hour": start, "minutes": (end - start) * HOUR}


def _says_yes(transcript: Sequence[Any], who: str) -> bool:
    return _comes(transcript, who).endswith("wants to go")


def _has(items: list[News], item: News | None) -> bool:
    return item is not None and any(item.is_same(other) for other in items)


def _thought(text: str, predicate: str, thing: str, poignancy: int) -> Answer:
    return {"text": text, "predicate": predicate, "object": thing, "poignancy": poignancy}


def _about_occasion(name: str, other: str, transcript: Sequence[Any], item: News, *, told_by_other: bool) -> Answer:
    """Who invited whom, to what, when and where, and who comes."""
    whole = f"the {item.what} {item.when_and_where(year=True)}"
    if called_alike(item.who, name):
        return _thought(f"{name} has invited {other} to {whole}{_comes(transcript, other)}", "has invited", other, 5)
    if not told_by_other:
        giving = item.as_sentence(year=True)
        return _thought(f"{name} has told {other} that {giving}{_comes(transcript, other)}", "has told", other, 4)
    if called_alike(item.who, other):
        return _thought(
            f"{name} was invited by {other} to {whole}{_comes(transcript, name)}", "was invited to", whole, 6
        )
    giving = item.as_sentence(year=True)
    return _thought(f"{name} heard from {other} that {giving}{_comes(transcript, name)}", "heard of", item.noun, 6)


def _comes(transcript: Sequence[Any], who: str) -> str:
    """Whether somebody has said yes or no."""
    said = " ".join(str(remark.said) for remark in transcript if remark.speaker == who)
    if _NO.search(said):
        return f", but {first_of(who)} cannot go"
    return f", and {first_of(who)} wants to go" if _YES.search(said) else ""


def _about_announcement(name: str, other: str, transcript: Sequence[Any], item: News, *, told_by_other: bool) -> Answer:
    if called_alike(item.who, name):
        thinks = _opinion(transcript, other)
        return _thought(
            f"{name} has told {other} that {item.as_sentence()}, and {first_of(other)} {thinks}", "has told", other, 5
        )
    if called_alike(item.who, other):
        return _thought(
            f"{name} heard from {other} that {item.as_sentence()}, and {first_of(name)} {_opinion(transcript, name)}",
            "heard from", other, 7,
        )  # fmt: skip
    if told_by_other:
        weight = 3 if _has_said(transcript, name, "knew", "knew plain", "knew family") else 7
        return _thought(f"{name} heard from {other} that {item.as_sentence()}", "heard from", other, weight)
    return _thought(f"{name} has told {other} that {item.as_sentence()}", "has told", other, 4)


def _has_said(transcript: Sequence[Any], who: str, *keys: str) -> bool:
    """Whether somebody has used one of these sayings."""
    said = " ".join(str(remark.said) for remark in transcript if remark.speaker == who)
    return any(recogniser(key).search(said) for key in keys)


def _opinion(transcript: Sequence[Any], who: str) -> str:
    """What somebody seems to think of an announcement."""
    said = " ".join(str(remark.said) for remark in transcript if remark.speaker == who)
    return next((shown for key, shown in OPINIONS.items() if recogniser(key).search(said)), "took note of it")


def _about_other(name: str, other: str, transcript: Sequence[Any], rng: Random) -> Answer:
    """What the other turned out to be at, or at least that the two have talked."""
    for remark in transcript:
        topic = at_in(remark.said) if remark.speaker == other else ""
        if topic and not _has_said(transcript, name, "knew work"):
            at = of_another(topic)
            return _thought(f"{name} found out that {other} is {at}", "found out about", f"{other} {at}", 4)
    asked = [str(remark.said) for remark in transcript if remark.speaker == other and POLITICS.search(remark.said)]
    if asked:
        return _thought(
            f"{name} noticed that {other} thinks a lot about the election", "noticed", f"{other} and the election", 3
        )
    told = rng.choice(("liked", "enjoyed", "was content with", "thought over"))
    return _thought(f"{name} {told} the talk with {other}", told, f"the talk with {other}", 2)
