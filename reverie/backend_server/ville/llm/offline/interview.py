"""Answer an interviewer's question from what comes to mind; what does not come to mind is not known."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from ville.llm.offline.day import liking
from ville.llm.offline.grammar import FULL_NAME, capitalised, in_first_person, predicates, sentences, to_first
from ville.llm.offline.hours import HOUR, spoken_hour
from ville.llm.offline.insights import people_in
from ville.llm.offline.news import NewsItem, private, with_article
from ville.llm.offline.profile import Profile
from ville.llm.offline.reading import news_in
from ville.llm.offline.recollection import Recollection
from ville.llm.offline.sayings import templates
from ville.llm.offline.table import Value, load, rows
from ville.llm.offline.ties import impression, mentions
from ville.llm.offline.verbs import first_of
from ville.llm.offline.work import topics_of

AT_ONCE, ALL_DAY = 4, 7
"""Doings that are told at once, and items of a whole day."""
LONGEST = 160
"""Characters of a memory that is quoted whole."""
_TALKED = re.compile(
    rf"(?:has (?:told|invited)|heard from|invited by|found out that|the talk with(?: \w+ \w+)?) ({FULL_NAME.pattern})"
)
_LIVES = re.compile(r"\b(?:lives?|shares? (?:a|the) (?:house|flat|room)|housemates?|has (?:a wife|a husband))\b")


@dataclass(frozen=True)
class InterviewRow:
    """A row of interviews.yaml."""

    means: re.Pattern[str]
    answer: str


@cache
def _table() -> Value:
    return load("interviews.yaml")


@cache
def _questions() -> tuple[InterviewRow, ...]:
    return rows(_table()["questions"], InterviewRow)


def answer_to(question: str, who: Profile, memories: Sequence[Any], rng: Random) -> str:
    """Return the answer of the first row whose question this is and that has something to say."""
    asked = Recollection(question, who, memories, rng)
    for row in _questions():
        if row.means.search(question) and (said := ANSWERS[row.answer](asked)):
            return said
    closest = asked.closest()
    return asked.own(closest) if closest else str(rng.choice(_table()["unknown"]))


def myself(asked: Recollection) -> str:
    """Name, age, calling."""
    age = f" I'm {asked.me.age} years old." if asked.me.age else ""
    return f"My name is {asked.me.name}.{age} {calling(asked)}".strip()


def calling(asked: Recollection) -> str:
    who = asked.me
    learned = [to_first(piece, who.pronoun) for sentence in sentences(who.learned)
               for piece in predicates(sentence, who.name, who.pronoun)]  # fmt: skip
    return " ".join(f"{piece}." for piece in learned[:2]) or work(asked)


def work(asked: Recollection) -> str:
    topics = topics_of(asked.me)
    return f"I'm {' and '.join(topics[:2])}." if topics else ""


def likings(asked: Recollection) -> str:
    """The pastimes that suit this person best, and what is closest to heart."""
    likes = sorted(liking(asked.me), key=lambda item: -item[1])[:2]
    told = f"I like to {' and to '.join(pastime.what for pastime, _ in likes)}." if likes else ""
    topics = topics_of(asked.me)
    return f"{told} And I never tire of {topics[0]}." if topics else told


def home(asked: Recollection) -> str:
    own = (asked.me.first, "She ", "He ", "They ")
    told = (sentence for text in asked.texts for sentence in sentences(text) if sentence.startswith(own))
    said = next((sentence for sentence in told if _LIVES.search(sentence)), "")
    return asked.own(said) if said else "I have a place of my own, here in town."


def mood(asked: Recollection) -> str:
    mind = asked.mind
    ahead = next((item for item in mind.known if item.is_occasion and mind.will_go(item)), None)
    thing = f"I'm looking forward to the {ahead.what}." if ahead else ""
    if not thing and mind.topics:
        thing = f"My head is full of {mind.topics[0]}."
    return f"{asked.rng.choice(_table()['moods'])} {thing}".strip()


def talks(asked: Recollection) -> str:
    met = [found[1] for memory in asked.memories if memory.kind == "thought" and memory.when.date() == asked.day
           for found in _TALKED.finditer(memory.text) if found[1] != asked.me.name]  # fmt: skip
    return f"I talked to {_listed(list(dict.fromkeys(met)))}." if met else "I don't remember any talk worth telling."


def friends(asked: Recollection) -> str:
    about = (text for text in asked.texts if "friend" in text)
    names = dict.fromkeys(name for text in about for name in people_in(text, asked.me.name))
    found = [name for name in names if "friends" in impression(asked.me.name, name, asked.texts, asked.rng)]
    return f"Yes: {_listed(found)}." if found else "Not many whom I would call that."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def candidates(asked: Recollection) -> str:
    found = [item for item in asked.mind.heard if item.kind == "candidacy"]
    if re.search(r"\bwhy\b", asked.question, re.IGNORECASE) and any(item.who == asked.me.name for item in found):
        return asked.rng.choice(templates("answer reason"))
    told = " ".join(_told(item, asked) for item in found[:2])
    return told or "I don't know who is going to stand. Nobody has told me."


def occasions(asked: Recollection) -> str:
    found = [item for item in asked.mind.heard if item.is_occasion]
    if not found and re.search(r"party|invit", asked.question, re.IGNORECASE):
        return "I don't know of any. Nobody has told me about one."
    return " ".join(_told(item, asked) for item in found[:2])


def _told(item: NewsItem, asked: Recollection) -> str:
    """An item of news in one's own words, with who told it and whether one will go."""
    mind = asked.mind
    if item.is_occasion and item.is_over(mind.now):
        return _looking_back(item, asked)
    if item.who == asked.me.name:
        giving = f"I'm giving {with_article(item.what)} {item.when_and_where()}"
        own = giving if item.is_occasion else capitalised(item.what.replace("is ", "I am ", 1))
        return f"{own}. {_guests(asked, item)}".strip()
    teller = mind.source(item)
    heard = f" {teller} told me." if teller and teller not in {item.who, asked.me.name} else ""
    goes = (" I want to go." if mind.will_go(item) else " But I can't go.") if item.is_occasion else ""
    return f"{capitalised(item.as_sentence())}.{heard}{goes}"


def _looking_back(item: NewsItem, asked: Recollection) -> str:
    """An occasion that is over: whose it was, when and where, and whether one was there."""
    was = f"{with_article(item.what)} {item.when_and_where()}"
    if item.who == asked.me.name:
        return f"I gave {was}. {_guests(asked, item)}".strip()
    there = "I was there." if asked.mind.attends(item) else "I was not there."
    promised = " I had promised to come, and I'm sorry about it." if asked.mind.broke_word(item) else ""
    return f"{f'{item.who} gave' if item.who else 'There was'} {was}. {there}{promised}"


def _guests(asked: Recollection, item: NewsItem) -> str:
    """Who has said yes to one's own invitation."""
    names = sorted({record.other for record in asked.mind.records_on(item)
                    if record.kind == "has invited" and record.answer == "yes"})  # fmt: skip
    wanted = "wanted" if item.is_over(asked.mind.now) else "want" if len(names) > 1 else "wants"
    return f"{_listed(names)} {wanted} to come." if names else ""


def somebody(asked: Recollection) -> str:
    """What one knows and thinks of a person whom the question names."""
    other = asked.named
    if not other:
        return "I don't know anyone of that name." if re.match(r"(?i)who is\b", asked.question) else ""
    if other == asked.me.name:
        return myself(asked)
    about = tuple(text for text in asked.texts if mentions(text, other))
    if not about:
        return f"I don't know anyone called {other}."
    felt = in_first_person(impression(asked.me.name, other, about, asked.rng), asked.me.name)
    topic = asked.mind.topic_of(other)
    at = f"{first_of(other)} told me about {topic}." if topic else ""
    return " ".join(part for part in (_known_of(asked, about), felt, at) if part)


def _known_of(asked: Recollection, about: Sequence[str]) -> str:
    """What one has long known of somebody: neither news, nor talk, nor a conclusion."""
    today, name = asked.mind.now.date(), asked.me.name
    lasting = next((text for text in about if text.startswith(name) and not private().search(text)
                    and not news_in(text, today) and not _TALKED.search(text)
                    and not text.startswith(f"{name} is ") and len(text) < LONGEST), "")  # fmt: skip
    return asked.own(lasting) if lasting else ""


def meeting(asked: Recollection) -> str:
    """What one would do on meeting somebody."""
    other, mind = asked.named, asked.mind
    if not other or other == asked.me.name:
        return ""
    first, felt = first_of(other), mind.liking(other)
    if felt < 0:
        return f"Nod, and walk on. {first} and I are better off with some distance."
    if mind.closeness(other) == 1 or felt > 0:
        return f"I would go up to {first} at once and ask how things are."
    topic = mind.topic_of(other)
    return f"I would say hello{f' and ask {first} about {topic}' if topic else ''}."


def advice(asked: Recollection) -> str:
    """What one would recommend or give to somebody."""
    other = asked.named
    if not other or other == asked.me.name:
        return ""
    topic = asked.mind.topic_of(other)
    if topic:
        return f"Something that goes with what {first_of(other)} told me about: {topic}."
    return f"I would have to know {first_of(other)} better to say."


def emergency(asked: Recollection) -> str:
    return str(asked.rng.choice(_table()["emergency"]))


def doings(asked: Recollection) -> str:
    """What one remembers having done, or at least what one had meant to do."""
    told = [f"at {spoken_hour(when.hour * HOUR + when.minute)} I was {what}" for when, what in
            _spread(asked.done(), AT_ONCE)]  # fmt: skip
    if told:
        return f"Let me see: {', '.join(told)}."
    meant = asked.planned() if asked.day == asked.mind.now.date() else []
    return f"I don't remember it well. I had meant to {' and to '.join(map(_bare, meant[:2]))}." if meant else ""


def plans(asked: Recollection) -> str:
    if "tomorrow" in asked.question.lower():
        today = asked.mind.now.date()
        ahead = [item for item in asked.mind.known if item.is_occasion and item.day and item.day > today]
        return f"I have not planned the day yet. {' '.join(_told(item, asked) for item in ahead[:1])}".strip()
    items = asked.planned()
    if not items:
        return "I'll be asleep at that hour." if asked.window and asked.plan else ""
    return f"I mean to {', then to '.join(map(_bare, _spread(items, AT_ONCE if asked.window else ALL_DAY)))}."


def daily(asked: Recollection) -> str:
    """The day as it was planned, with its hours."""
    items = [(span, what) for span, what in asked.plan if not what.startswith(("get ready", "go to bed"))]
    told = [f"{_bare(what, 'am')} at {spoken_hour(span.start or 0)}" for span, what in _spread(items, ALL_DAY)]
    return f"On a day like this I {', '.join(told[:-1])} and {told[-1]}." if len(told) > 1 else ""


def _bare(what: str, being: str = "be") -> str:
    """An item of a plan behind `I mean to`, or behind `I`."""
    return f"{being} {what}" if first_of(what).endswith("ing") else what


def _spread(items: Sequence[Any], most: int) -> list[Any]:
    """At most so many of them, from beginning to end."""
    if len(items) <= most:
        return list(items)
    return [items[number * (len(items) - 1) // (most - 1)] for number in range(most)]


ANSWERS: dict[str, Callable[[Recollection], str]] = {
    answer.__name__: answer
    for answer in (
        myself, meeting, advice, emergency, candidates, occasions, talks, friends, calling, likings, mood, home, doings,
        daily, plans, work, somebody,
    )
}  # fmt: skip
"""What interviews.yaml calls the answers."""
