"""Answer the questions of the experimenter: whispers, interviews, and how human a comment takes the persona to be."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any
from unicodedata import category

from ville.llm.offline.day import liking
from ville.llm.offline.grammar import (
    FULL_NAME,
    base,
    capitalised,
    first_of,
    in_first_person,
    is_base,
    is_modal,
    is_past,
    is_third,
    predicates,
    sentences,
    to_first,
    to_third,
)
from ville.llm.offline.hours import DAY, HOUR, Span, spoken_hour
from ville.llm.offline.knowledge import spoken_time
from ville.llm.offline.news import CANCELLATION, NewsItem, private, with_article
from ville.llm.offline.perceive import importance, weights
from ville.llm.offline.profile import Profile, profile_of
from ville.llm.offline.reading import news_in
from ville.llm.offline.recollection import PLAN, Recollection
from ville.llm.offline.reflect import people_in
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.sayings import templates
from ville.llm.offline.table import load, rows, shows, words
from ville.llm.offline.ties import OVERHEARD, impression
from ville.llm.offline.visitors import told_of_visitor
from ville.llm.offline.work import topics_of
from ville.plain_text import shortened

AT_ONCE, ALL_DAY = 4, 7
"""Activities of an answer: at most, and of a whole day."""
LONGEST = 160
"""Characters of a memory that is quoted whole."""
GIVING = "I'm giving"
_TALKED = re.compile(
    rf"(?:has (?:told|invited)|heard from|invited by|found out that|the talk with(?: \w+ \w+)?) ({FULL_NAME.pattern})"
)
_WORD = re.compile(r"[a-z][a-z'-]{3,}")
_BLANK = re.compile(r"\{([^}]+)\}")


@dataclass(frozen=True)
class InterviewRow:
    """A row of interviews.yaml."""

    means: re.Pattern[str]
    answers: tuple[str, ...]
    asker: re.Pattern[str] | None = None
    """Who asks, if the row is for certain roles only."""

    def fits(self, question: str, asker: str) -> bool:
        return bool(self.means.search(question)) and (self.asker is None or bool(self.asker.search(asker)))


@cache
def _rows() -> tuple[InterviewRow, ...]:
    return rows(load("interviews.yaml")["questions"], InterviewRow)


def answer_to(question: str, who: Profile, memories: Sequence[Any], rng: Random, *, asker: str = "") -> str:
    """Return the first answer whose question this is and whose blanks can be filled."""
    asked = Recollection(question, who, memories, rng)
    templates = (answer for row in _rows() if row.fits(question, asker) for answer in row.answers)
    return next((said for answer in templates if (said := _filled(answer, asked))), _blank("one of unknown", asked))


def _filled(answer: str, asked: Recollection) -> str:
    blanks = {name: _blank(name, asked) for name in _BLANK.findall(answer)}
    return _BLANK.sub(lambda found: blanks[found[1]], answer).strip() if all(blanks.values()) else ""


def _blank(name: str, asked: Recollection) -> str:
    kind, _, section = name.partition("one of ")
    return BLANKS[name](asked) if kind else str(asked.rng.choice(load("interviews.yaml")[section]))


def _calling(asked: Recollection) -> str:
    who = asked.me
    pieces = [piece for text in sentences(who.learned) for piece in predicates(text, who.name, who.pronoun)]
    told = " ".join(f"{to_first(piece, who.pronoun)}." for piece in pieces[:2])
    return told or (f"I'm {_work(asked)}." if _work(asked) else "")


def _work(asked: Recollection) -> str:
    return " and ".join(topics_of(asked.me)[:2])


def _pastimes(asked: Recollection) -> str:
    likes = sorted(liking(asked.me), key=lambda item: -item[1])[:2]
    return " and to ".join(pastime.what for pastime, _ in likes)


def _home(asked: Recollection) -> str:
    own = (asked.me.first, "She ", "He ", "They ")
    told = (sentence for text in asked.mind.texts for sentence in sentences(text) if sentence.startswith(own))
    said = next((sentence for sentence in told if shows("lives", sentence)), "")
    return asked.own(said) if said else ""


def _ahead(asked: Recollection) -> str:
    return next((item.what for item in asked.mind.known if item.is_occasion and asked.mind.will_go(item)), "")


def _talked_to(asked: Recollection) -> str:
    today = (memory.text for memory in asked.memories if memory.kind == "thought" and memory.when.date() == asked.day)
    met = [found[1] for text in today for found in _TALKED.finditer(text) if found[1] != asked.me.name]
    return _listed(list(dict.fromkeys(met)))


def _friends(asked: Recollection) -> str:
    about = (text for text in asked.mind.texts if "friend" in text)
    names = dict.fromkeys(name for text in about for name in people_in(text, asked.me.name))
    tied = ((name, impression(asked.me.name, name, asked.mind.texts, asked.rng)) for name in names)
    return _listed([name for name, told in tied if "friends" in told])


def _listed(names: list[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def _candidates(asked: Recollection) -> str:
    return " ".join(_told_item(item, asked) for item in asked.mind.heard if item.kind == "candidacy")


def _why_i_stand(asked: Recollection) -> str:
    stands = any(item.kind == "candidacy" and item.who == asked.me.name for item in asked.mind.heard)
    return asked.rng.choice(templates("answer reason")) if stands else ""


def _occasions(asked: Recollection) -> str:
    return " ".join(_told_item(item, asked) for item in [item for item in asked.mind.heard if item.is_occasion][:2])


def _next_occasion(asked: Recollection) -> str:
    today = asked.mind.now.date()
    ahead = (item for item in asked.mind.known if item.is_occasion and item.day and item.day > today)
    return next((_told_item(item, asked) for item in ahead), "")


OF_ME = {"is": "I am ", "has": "I have "}
"""First words of an announcement about oneself."""


def _cancelled(asked: Recollection) -> str:
    return next((_told_item(item, asked) for item in asked.mind.known if item.kind == CANCELLATION), "")


def _told_item(item: NewsItem, asked: Recollection) -> str:
    """Return an item of news in one's own words, with who told it and whether one goes or went."""
    mind, mine, over = asked.mind, item.who == asked.me.name, item.is_occasion and item.is_over(asked.mind.now)
    whole = f"{with_article(item.what)} {item.when_and_where()}"
    if mine:
        giving = f"{'I gave' if over else GIVING} {whole}"
        own = giving if item.is_occasion else re.sub(r"^(is|has) ", lambda verb: OF_ME[verb[1]], item.what)
        return f"{own}. {_guests(asked, item)}".strip()
    if over:
        there = "I was there." if mind.attends(item) else "I was not there."
        promised = " I had promised to come, and I'm sorry about it." if mind.broke_word(item) else ""
        return f"{f'{item.who} gave' if item.who else 'There was'} {whole}. {there}{promised}"
    teller = mind.source(item)
    heard = f" {teller} told me." if teller and teller not in {item.who, asked.me.name} else ""
    goes = (" I want to go." if mind.will_go(item) else " But I can't go.") if item.is_occasion else ""
    return f"{capitalised(item.as_sentence())}.{heard}{goes}"


def _guests(asked: Recollection, item: NewsItem) -> str:
    """Return who has accepted one's own invitation."""
    names = sorted({record.other for record in asked.mind.records_on(item)
                    if record.kind == "has invited" and record.answer == "yes"})  # fmt: skip
    wanted = "wanted" if item.is_over(asked.mind.now) else "want" if len(names) > 1 else "wants"
    return f"{_listed(names)} {wanted} to come." if names else ""


def _known_of_them(asked: Recollection) -> str:
    """Return a lasting memory of the other and what is felt: neither news, nor talk, nor a conclusion."""
    name, today = asked.me.name, asked.mind.now.date()
    about = tuple(text for text in asked.mind.texts if asked.other and asked.other in text)
    if not about:
        return ""
    lasting = next((text for text in about if text.startswith(name) and not private().search(text)
                    and not news_in(text, today) and not _TALKED.search(text)
                    and not text.startswith(f"{name} is ") and len(text) < LONGEST), "")  # fmt: skip
    felt = in_first_person(impression(name, asked.other, about, asked.rng), name)
    return f"{asked.own(lasting) if lasting else ''} {felt}".strip()


def _done(asked: Recollection) -> str:
    """Return what one did on the day and in the hours asked about, in order."""
    own, first, last = f"{asked.me.name} is ", asked.window.start or 0, asked.window.end or DAY
    found = {
        memory.when: memory.text.removeprefix(own) for memory in asked.memories
        if memory.kind == "event" and memory.text.startswith(own) and OVERHEARD not in memory.text
        and memory.when.date() == asked.day and first <= memory.when.hour * HOUR + memory.when.minute < last
    }  # fmt: skip
    return ", ".join(f"at {spoken_hour(when.hour * HOUR + when.minute)} I was {what}"
                     for when, what in _spread(sorted(found.items()), AT_ONCE))  # fmt: skip


def _planned(asked: Recollection) -> str:
    most = ALL_DAY if asked.window == Span(0, DAY) else AT_ONCE
    return ", then to ".join(map(_bare, _spread(asked.ahead(), most)))


def _meant(asked: Recollection) -> str:
    return " and to ".join(map(_bare, asked.planned()[:2])) if asked.day == asked.mind.now.date() else ""


def _day(asked: Recollection) -> str:
    """Return the day as it was planned, with its hours."""
    items = [(span, what) for span, what in asked.plan if not what.startswith(("get ready", "go to bed"))]
    told = [f"{_bare(what, 'am')} at {spoken_hour(span.start or 0)}" for span, what in _spread(items, ALL_DAY)]
    return _listed(told) if len(told) > 1 else ""


def _bare(what: str, being: str = "be") -> str:
    return f"{being} {what}" if first_of(what).endswith("ing") else what


def _spread(items: Sequence[Any], most: int) -> list[Any]:
    """Return at most so many items, from beginning to end."""
    if len(items) <= most:
        return list(items)
    return [items[number * (len(items) - 1) // (most - 1)] for number in range(most)]


def _closest_memory(asked: Recollection) -> str:
    """Return the sentence that has most to do with the question, if any has."""
    wanted = frozenset(_WORD.findall(asked.question.lower())) - words("interviews.yaml", "stopwords")
    told = [sentence for text in asked.mind.texts if not PLAN.search(text) for sentence in sentences(text)]
    shared = [len(wanted & set(_WORD.findall(sentence.lower()))) for sentence in told]
    most = max(shared, default=0)
    return asked.own(told[shared.index(most)]) if wanted and most >= min(2, len(wanted)) else ""


def _happened(asked: Recollection) -> str:
    """Return what was noticed that alarmed people, or what somebody told of it."""
    for each in asked.mind.happenings:
        return f"{capitalised(each.what)} {spoken_time(each.when, asked.mind.now)}. I was there."
    told = (record for record in asked.mind.records if record.kind == "heard what")
    return next((f"{first_of(record.other)} told me that {record.what}." for record in told), "")


BLANKS: Mapping[str, Callable[[Recollection], str]] = {
    "name": lambda asked: asked.me.name,
    "age": lambda asked: str(asked.me.age or ""),
    "calling": _calling,
    "work": _work,
    "topic": lambda asked: next(iter(asked.mind.topics), ""),
    "pastimes": _pastimes,
    "home": _home,
    "ahead": _ahead,
    "other": lambda asked: first_of(asked.other),
    "enemy": lambda asked: first_of(asked.other) if asked.mind.liking(asked.other) < 0 else "",
    "friend": lambda asked: first_of(asked.other) if asked.mind.closeness(asked.other) == 1 else "",
    "stranger": lambda asked: asked.other,
    "their work": lambda asked: asked.mind.topic_of(asked.other),
    "known of them": _known_of_them,
    "visitor": lambda asked: told_of_visitor(asked.me.name, asked.other, asked.mind.texts),
    "talked to": _talked_to,
    "friends": _friends,
    "candidates": _candidates,
    "why I stand": _why_i_stand,
    "occasions": _occasions,
    "next occasion": _next_occasion,
    "cancelled": _cancelled,
    "done": _done,
    "planned": _planned,
    "meant": _meant,
    "asleep": lambda asked: "asleep" if asked.plan and not asked.planned() else "",
    "day": _day,
    "happened": _happened,
    "closest memory": _closest_memory,
}


LONGEST = 200
"""Maximum characters of an object."""

AUXILIARY = {"is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "will"}


def whispered(fields: Fields, rng: Random) -> Answer:
    """Turn a whisper into a thought: `You love your cafe` becomes `Ada Stone loves her cafe`."""
    del rng
    who, name = profile_of(fields["identity"], fields["name"]), fields["name"]
    whisper = " ".join(fields["whisper"].split())
    text = to_third(whisper, name, who.pronoun) if any(map(_says_something, whisper)) else f"{name} hears nothing"
    subject, predicate, thing = triple(text, name)
    return {
        "text": text, "subject": subject, "predicate": predicate, "object": thing,
        "poignancy": importance(fields["identity"], text),
    }  # fmt: skip


def _says_something(char: str) -> bool:
    """Return whether a character is more than punctuation: a letter, a digit or an emoji."""
    return char.isalnum() or category(char) == "So"


def triple(sentence: str, name: str) -> tuple[str, str, str]:
    """Return subject, verb and object of a sentence; the name it begins with is the subject."""
    begins = FULL_NAME.match(sentence)
    subject = begins[0] if begins else name
    following = sentence.partition(subject)[2].split()
    for number, word in enumerate(following):
        verb = word.strip(",.;").lower()
        modal = verb in AUXILIARY or is_modal(verb)
        if modal or is_third(verb) or is_past(verb) or is_base(base(verb)) or verb.endswith("ed"):
            rest = re.split(r"[,;]| -- ", " ".join(following[number + 1 :]))[0].strip(" .")
            return subject, verb, shortened(rest, LONGEST) or "so"
    return subject, "knows", shortened(capitalised(sentence.strip(" .")), LONGEST) or "nothing"


def interview(fields: Fields, rng: Random) -> Answer:
    who = profile_of(fields["identity"], fields["name"])
    last = fields["transcript"][-1:]
    question, asker = (str(last[0].said), str(last[0].speaker)) if last else ("", "")
    return {"utterance": answer_to(question, who, fields["memories"], rng, asker=asker)}


def anthropomorphising(fields: Fields, rng: Random) -> Answer:
    del rng
    comment = fields["comment"].lower().replace("’", "'")
    return {"score": next((row.weight for row in weights("human") if row.means.search(comment)), 1)}


RULES: Shelf = {
    "talk/whispered": whispered,
    "talk/interview": interview,
    "talk/anthropomorphising": anthropomorphising,
}
