"""An interviewer's question, answered from what comes to mind; what does not come to mind is not known."""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from ville.llm.offline.days.pastimes import liking
from ville.llm.offline.english.grammar import FULL_NAME, capitalised, in_first_person, predicates, sentences, to_first
from ville.llm.offline.english.hours import spoken_hour
from ville.llm.offline.english.wordlist import first_of
from ville.llm.offline.people.news import PRIVATE, News, news_in, source_of, with_article
from ville.llm.offline.people.opinions import feeling, keeps_word, wants_to_go
from ville.llm.offline.people.person import Person
from ville.llm.offline.people.ties import closeness, impression, mentions
from ville.llm.offline.people.topics import known_about, topics_of
from ville.llm.offline.talks.phrases import sayings
from ville.llm.offline.thoughts.insights import WILL_COME, people_in
from ville.llm.offline.thoughts.recollection import Recollection

UNKNOWN = (
    "I don't know. Nothing comes to my mind about that.",
    "I can't tell you; I have never heard of it.",
    "I have no idea, I'm afraid.",
    "That is something I know nothing about.",
)
MOODS = ("Quite well.", "Well enough.", "I can't complain.", "A little tired, but content.")
AT_ONCE, ALL_DAY = 4, 7
"""Doings that are told at once, and items of a whole day."""
_TALKED = re.compile(
    rf"(?:has (?:told|invited)|heard from|invited by|found out that|the talk with) ({FULL_NAME.pattern})"
)
_LIVES = re.compile(r"\b(?:lives?|shares? (?:a|the) (?:house|flat|room)|housemates?|has (?:a wife|a husband))\b")


def answer_to(question: str, who: Person, memories: Sequence[Any], rng: Random) -> str:
    """The first of the ANSWERS whose question this is and that has something to say."""
    asked = Recollection(question, who, memories, rng)
    for pattern, answer in ANSWERS:
        if re.search(pattern, question, re.IGNORECASE) and (said := answer(asked)):
            return said
    closest = asked.closest()
    return asked.own(closest) if closest else rng.choice(UNKNOWN)


def _myself(asked: Recollection) -> str:
    """Name, age, calling."""
    age = f" I'm {asked.who.age} years old." if asked.who.age else ""
    return f"My name is {asked.who.name}.{age} {_calling(asked)}".strip()


def _calling(asked: Recollection) -> str:
    who = asked.who
    learned = [to_first(piece, who.pronoun) for sentence in sentences(who.learned)
               for piece in predicates(sentence, who.name, who.pronoun)]  # fmt: skip
    return " ".join(f"{piece}." for piece in learned[:2]) or _work(asked)


def _work(asked: Recollection) -> str:
    topics = topics_of(asked.who)
    return f"I'm {' and '.join(topics[:2])}." if topics else ""


def _likings(asked: Recollection) -> str:
    """The pastimes that suit this person best, and what is closest to heart."""
    likes = sorted(liking(asked.who), key=lambda item: -item[1])[:2]
    told = f"I like to {' and to '.join(pastime.what for pastime, _ in likes)}." if likes else ""
    topics = topics_of(asked.who)
    return f"{told} And I never tire of {topics[0]}." if topics else told


def _home(asked: Recollection) -> str:
    own = (asked.who.first, "She ", "He ", "They ")
    told = (sentence for text in asked.texts for sentence in sentences(text) if sentence.startswith(own))
    said = next((sentence for sentence in told if _LIVES.search(sentence)), "")
    return asked.own(said) if said else "I have a place of my own, here in town."


def _mood(asked: Recollection) -> str:
    ahead = next((item for item in asked.news if item.is_occasion and wants_to_go(
        asked.who, item, asked.texts, asked.today) and not item.is_over(asked.latest)), None)  # fmt: skip
    busy = topics_of(asked.who)
    thing = f"I'm looking forward to the {ahead.what}." if ahead else f"My head is full of {busy[0]}." if busy else ""
    return f"{asked.rng.choice(MOODS)} {thing}".strip()


def _talks(asked: Recollection) -> str:
    met = [found[1] for memory in asked.memories if memory.kind == "thought" and memory.when.date() == asked.day
           for found in _TALKED.finditer(memory.text) if found[1] != asked.who.name]  # fmt: skip
    return f"I talked to {_listed(list(dict.fromkeys(met)))}." if met else "I don't remember any talk worth telling."


def _friends(asked: Recollection) -> str:
    about = (text for text in asked.texts if "friend" in text)
    names = dict.fromkeys(name for text in about for name in people_in(text, asked.who.name))
    friends = [name for name in names if name != asked.who.name and "friends" in impression(
        asked.who.name, name, asked.texts, asked.rng)]  # fmt: skip
    return f"Yes: {_listed(friends)}." if friends else "Not many whom I would call that."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _candidates(asked: Recollection) -> str:
    found = [item for item in asked.news if item.kind == "candidacy"]
    if re.search(r"\bwhy\b", asked.question, re.IGNORECASE) and any(item.who == asked.who.name for item in found):
        return asked.rng.choice(sayings("answer reason"))
    told = " ".join(_told(item, asked) for item in found[:2])
    return told or "I don't know who is going to stand. Nobody has told me."


def _occasions(asked: Recollection) -> str:
    found = [item for item in asked.news if item.is_occasion]
    if not found and re.search(r"party|invit", asked.question, re.IGNORECASE):
        return "I don't know of any. Nobody has told me about one."
    return " ".join(_told(item, asked) for item in found[:2])


def _told(item: News, asked: Recollection) -> str:
    """An item of news in one's own words, with who told it and whether one will go."""
    if item.is_occasion and item.is_over(asked.latest):
        return _looking_back(item, asked)
    if item.who == asked.who.name:
        giving = f"I'm giving {with_article(item.what)} {item.when_and_where()}"
        own = giving if item.is_occasion else capitalised(item.what.replace("is ", "I am ", 1))
        return f"{own}. {_guests(asked, 'want')}".strip()
    teller = source_of(asked.texts, item, asked.today)
    heard = f" {teller} told me." if teller and teller not in {item.who, asked.who.name} else ""
    goes = ""
    if item.is_occasion:
        goes = " I want to go." if wants_to_go(asked.who, item, asked.texts, asked.today) else " But I can't go."
    return f"{capitalised(item.as_sentence())}.{heard}{goes}"


def _looking_back(item: News, asked: Recollection) -> str:
    """An occasion that is over: whose it was, when and where, and who was there as far as one knows."""
    was = f"{with_article(item.what)} {item.when_and_where()}"
    if item.who == asked.who.name:
        return f"I gave {was}. {_guests(asked, 'wanted')}".strip()
    went = wants_to_go(asked.who, item, asked.texts, asked.today) and keeps_word(asked.who, item)
    opening = f"{item.who} gave" if item.who else "There was"
    return f"{opening} {was}. {'I was there.' if went else 'I was not there.'}"


def _guests(asked: Recollection, wanted: str) -> str:
    """Who has said yes to one's own invitation."""
    names = sorted({found[1] for text in asked.texts if (found := WILL_COME.search(text))})
    if not names:
        return ""
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"{listed} {wanted if len(names) > 1 or wanted != 'want' else 'wants'} to come."


def _somebody(asked: Recollection) -> str:
    """What one knows and thinks of a person whom the question names."""
    other = asked.named
    if not other:
        return "I don't know anybody of that name." if re.match(r"(?i)who is\b", asked.question) else ""
    if other == asked.who.name:
        return _myself(asked)
    about = tuple(text for text in asked.texts if mentions(text, other))
    if not about:
        return f"I don't know anybody called {other}."
    felt = in_first_person(impression(asked.who.name, other, about, asked.rng), asked.who.name)
    topic = known_about(about, other)
    at = f"{first_of(other)} told me about {topic}." if topic else ""
    return " ".join(part for part in (_known_of(asked, about), felt, at) if part)


def _known_of(asked: Recollection, about: Sequence[str]) -> str:
    """What one has long known of somebody: neither news, nor talk, nor a conclusion."""
    open_texts = (text for text in about if text.startswith(asked.who.name) and not PRIVATE.search(text))
    lasting = next((text for text in open_texts if not news_in(text, asked.today) and not _TALKED.search(text)
                    and not text.startswith(f"{asked.who.name} is ") and len(text) < LONGEST), "")  # fmt: skip
    return asked.own(lasting) if lasting else ""


LONGEST = 160
"""Characters of a memory that is quoted whole."""


def _meeting(asked: Recollection) -> str:
    """What one would do on meeting somebody."""
    other = asked.named
    if not other or other == asked.who.name:
        return ""
    felt = feeling(asked.texts, other)
    first = first_of(other)
    if felt < 0:
        return f"Nod, and walk on. {first} and I are better off with some distance."
    if closeness(asked.who.name, other, asked.texts) == 1 or felt > 0:
        return f"I would go up to {first} at once and ask how things are."
    topic = known_about(asked.texts, other)
    return f"I would say hello{f' and ask {first} about {topic}' if topic else ''}."


def _advice(asked: Recollection) -> str:
    """What one would recommend or give to somebody."""
    other = asked.named
    if not other or other == asked.who.name:
        return ""
    topic = known_about(asked.texts, other)
    if topic:
        return f"Something that goes with what {first_of(other)} told me about: {topic}."
    return f"I would have to know {first_of(other)} better to say."


def _emergency(asked: Recollection) -> str:
    del asked
    return "I would turn off the stove, open the window, see that nobody is hurt, and begin again."


def _doings(asked: Recollection) -> str:
    """What one remembers having done, or at least what one had meant to do."""
    told = [f"at {spoken_hour(when.hour * 60 + when.minute)} I was {what}" for when, what in
            _spread(asked.done(asked.window, asked.day), AT_ONCE)]  # fmt: skip
    if told:
        return f"Let me see: {', '.join(told)}."
    meant = asked.planned(asked.window) if asked.day == asked.today else []
    return f"I don't remember it well. I had meant to {' and to '.join(map(_bare, meant[:2]))}." if meant else ""


def _plans(asked: Recollection) -> str:
    if "tomorrow" in asked.question.lower():
        return _tomorrow(asked)
    items = asked.planned(asked.window)
    if not items:
        return "I'll be asleep at that hour." if asked.window and asked.plan else ""
    chosen = _spread(items, AT_ONCE if asked.window else ALL_DAY)
    return f"I mean to {', then to '.join(map(_bare, chosen))}."


def _tomorrow(asked: Recollection) -> str:
    ahead = [item for item in asked.news if item.is_occasion and (item.day or asked.today) > asked.today]
    told = " ".join(_told(item, asked) for item in ahead[:1])
    return f"I have not planned the day yet. {told}".strip()


def _day(asked: Recollection) -> str:
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


ANSWERS: tuple[tuple[str, Callable[[Recollection], str]], ...] = (
    (r"who are you|introduc|about yourself|your name|how old", _myself),
    (r"\bif you (?:saw|met|ran into|bumped)", _meeting),
    (r"recommend|a (?:gift|present|book) (?:for|to)|give .* (?:gift|present)", _advice),
    (r"burning|on fire|in flames", _emergency),
    (r"mayor|election|candidate|running for", _candidates),
    (r"party|parties|invit|celebrat|\bevents?\b|going on|valentine|concert|exhibition", _occasions),
    (r"(?:who|whom)\b.*\b(?:talk|speak|spoke|meet|met)\b", _talks),
    (r"\bfriends?\b", _friends),
    (r"occupation|\bjob\b|profession|for a living|what do you do\b(?!.*(?:fun|day|time))|do you study", _calling),
    (r"interest|hobb|for fun|free time|like to do|like doing|inspire|passion|enjoy", _likings),
    (r"how (?:do you feel|are you)|your mood|feeling", _mood),
    (r"live with|where do you live|your home|housemate|family|married", _home),
    (r"did you|have you done|were you doing|your day been|yesterday", _doings),
    (r"typical|schedule|routine|every day|weekday", _day),
    (r"plan|will you|going to|are you going|are you doing|tomorrow|later|tonight|this (?:evening|afternoon)", _plans),
    (r"working on|busy|your work|your project|up to", _work),
    (r"", _somebody),
)
"""What a question sounds like → who answers it; the first that has something to say."""
