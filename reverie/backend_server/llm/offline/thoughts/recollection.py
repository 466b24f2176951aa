"""An interviewer's question, answered from what comes to mind; what does not come to mind is not known."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from random import Random
from typing import Any

from llm.offline.english.grammar import FULL_NAME, capitalised, in_first_person, predicates, sentences, to_first
from llm.offline.english.hours import spoken_hour
from llm.offline.english.wordlist import first_of, words
from llm.offline.people.news import News, merged, news_in, source_of
from llm.offline.people.opinions import wants_to_go
from llm.offline.people.person import Person
from llm.offline.people.ties import impression, mentions
from llm.offline.people.topics import topics_of

UNKNOWN = (
    "I don't know. Nothing comes to my mind about that.",
    "I can't tell you; I have never heard of it.",
    "I have no idea, I'm afraid.",
    "That is something I know nothing about.",
)
STOPWORDS = words("""
    what who when where which how why that this these those your you are is was were have has had does did doing about
    with from into will would could should there their they them then than tell know think going name please some any
    anything today tomorrow yesterday been being just like much many more
    """)
LATEST = 4
"""Own doings that are told at once."""


@dataclass(frozen=True)
class Recollection:
    """A question, and what its answerer has in mind."""

    question: str
    who: Person
    memories: Sequence[Any]
    rng: Random

    @property
    def today(self) -> date:
        whens: list[datetime] = [memory.when for memory in self.memories]
        return max(whens).date() if whens else date(2023, 1, 1)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return (*(memory.text for memory in self.memories), self.who.currently, self.who.requirement, self.who.learned)

    @cached_property
    def news(self) -> list[News]:
        return [item for item in merged(item for text in self.texts for item in news_in(text, self.today)) if item.who]

    @property
    def words(self) -> set[str]:
        """The words of the question that carry its meaning."""
        return {word for word in re.findall(r"[a-z][a-z'-]{3,}", self.question.lower()) if word not in STOPWORDS}


def answer_to(question: str, who: Person, memories: Sequence[Any], rng: Random) -> str:
    """The first of the ANSWERS whose question this is and that has something to say."""
    asked = Recollection(question, who, memories, rng)
    for pattern, answer in ANSWERS:
        if re.search(pattern, question, re.IGNORECASE) and (said := answer(asked)):
            return said
    return _remembered(asked) or rng.choice(UNKNOWN)


def _myself(asked: Recollection) -> str:
    """Name, calling, and what one is at."""
    learned = [to_first(piece, asked.who.pronoun) for sentence in sentences(asked.who.learned)
               for piece in predicates(sentence, asked.who.name, asked.who.pronoun)]  # fmt: skip
    age = f" I'm {asked.who.age} years old." if asked.who.age else ""
    return f"My name is {asked.who.name}.{age} {'. '.join([*learned[:2], ''])}".strip()


def _work(asked: Recollection) -> str:
    topics = topics_of(asked.who)
    return f"I'm {' and '.join(topics[:2])}." if topics else ""


def _candidates(asked: Recollection) -> str:
    found = [item for item in asked.news if item.kind == "candidacy"]
    return (
        " ".join(_told(item, asked) for item in found[:2]) or "I don't know who is going to stand. Nobody has told me."
    )


def _occasions(asked: Recollection) -> str:
    found = [item for item in asked.news if item.is_occasion]
    if not found and re.search(r"party|invit", asked.question, re.IGNORECASE):
        return "I don't know of any. Nobody has told me about one."
    return " ".join(_told(item, asked) for item in found[:2])


def _told(item: News, asked: Recollection) -> str:
    """An item of news in one's own words, with who told it and whether one will go."""
    if item.who == asked.who.name:
        verb = (
            item.what.replace("is ", "I'm ", 1)
            if not item.is_occasion
            else f"I'm giving a {item.what} {item.when_and_where()}"
        )
        return f"{capitalised(verb)}."
    teller = source_of(asked.texts, item, asked.today)
    heard = f" {teller} told me." if teller and teller not in {item.who, asked.who.name} else ""
    goes = ""
    if item.is_occasion:
        goes = " I want to go." if wants_to_go(asked.who, item, asked.texts, asked.today) else " But I can't go."
    return f"{capitalised(item.as_sentence())}.{heard}{goes}"


def _somebody(asked: Recollection) -> str:
    """What one knows and thinks of a person whom the question names."""
    known = {name for text in asked.texts for name in FULL_NAME.findall(text)} - {asked.who.name}
    named = [
        name for name in sorted(known) if name in asked.question or re.search(rf"\b{first_of(name)}\b", asked.question)
    ]
    if not named:
        strangers = [name for name in FULL_NAME.findall(asked.question) if name != asked.who.name]
        return f"I don't know anybody called {strangers[0]}." if strangers else ""
    about = [memory.text for memory in asked.memories if mentions(memory.text, named[0])]
    quoted = next((_own(text, asked.who) for text in about if text.startswith(asked.who.name)), "")
    felt = impression(asked.who.name, named[0], tuple(about), asked.rng)
    return f"{quoted} {in_first_person(felt, asked.who.name)}".strip()


def _doings(asked: Recollection) -> str:
    """What one remembers having done."""
    own = [
        memory
        for memory in asked.memories
        if memory.kind == "event" and memory.text.startswith(f"{asked.who.name} is ")
    ]
    told = [
        f"at {spoken_hour(memory.when.hour * 60 + memory.when.minute)} I was"
        f" {memory.text.removeprefix(f'{asked.who.name} is ')}"
        for memory in sorted(own, key=lambda memory: memory.when)[-LATEST:]
    ]
    return f"Let me see: {', '.join(told)}." if told else ""


def _plans(asked: Recollection) -> str:
    plan = next((memory.text for memory in asked.memories if "plan for" in memory.text), "")
    items = plan.partition(":")[2].strip(" .")
    return f"I mean to {items}." if items else ""


def _remembered(asked: Recollection) -> str:
    """The memory that has most to do with the question, if it has anything to do with it."""
    ranked = [(len(asked.words & set(re.findall(r"[a-z][a-z'-]{3,}", text.lower()))), -number)
              for number, text in enumerate(asked.texts)]  # fmt: skip
    shared, number = max(ranked, default=(0, 0))
    if not asked.words or shared < min(2, len(asked.words)):
        return ""
    said = sentences(asked.texts[-number])
    return (
        _own(max(said, key=lambda sentence: sum(word in sentence.lower() for word in asked.words)), asked.who)
        if said
        else ""
    )


def _own(text: str, who: Person) -> str:
    """What is remembered of oneself in the third person, said in the first."""
    told = text.removeprefix(f"For {who.name}'s planning: ")
    found = [to_first(piece, who.pronoun) for piece in predicates(told.rstrip("."), who.name, who.pronoun)]
    if found and told.startswith(who.name):
        return f"{', and '.join(found)}."
    return f"{in_first_person(told, who.name).rstrip('.')}."


ANSWERS: tuple[tuple[str, Callable[[Recollection], str]], ...] = (
    (r"who are you|introduce yourself|about yourself|your name|how old|what do you do\b", _myself),
    (r"mayor|election|candidate|running for", _candidates),
    (r"party|parties|invit|celebrat|event|going on|valentine|concert|exhibition", _occasions),
    (r"working on|busy|your work|your project|up to", _work),
    (r"did you do|have you done|were you doing|your day|this morning|yesterday|at \d", _doings),
    (r"plan|will you do|going to do|tomorrow|schedule", _plans),
    (r"\b(?!(?:I|What|Who|Do|How|Where|When|Why|Tell)\b)[A-Z][a-z]+\b|\bknow\b", _somebody),
    (r"plan|tomorrow|going to do", _occasions),
)
"""What a question sounds like → who answers it; the first that has something to say."""
