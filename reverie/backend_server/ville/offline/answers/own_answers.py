"""Answers about oneself: age, work, home, family, habits, and whatever else is certain for good."""

from collections.abc import Callable, Mapping

from ville.lifestyle_hours import bed_minute, waking_minute
from ville.offline.answers.likeness import likest
from ville.offline.answers.recollection import Recollection
from ville.offline.day.day import liking
from ville.offline.day.hours import spoken_hour
from ville.offline.day.work import topics_of
from ville.offline.grammar import capitalised, predicates, sentences, to_first
from ville.offline.reflect_rules import people_in
from ville.offline.table import shows
from ville.offline.talks.news import private


def _calling(asked: Recollection) -> str:
    who = asked.me
    pieces = [piece for text in sentences(who.learned) for piece in predicates(text, who.name, who.pronoun)]
    told = " ".join(f"{to_first(piece, who.pronoun)}." for piece in pieces[:2])
    return told or (f"I'm {own_work(asked)}." if own_work(asked) else "")


def own_work(asked: Recollection) -> str:
    """Return what one works on, two things at most."""
    return " and ".join(topics_of(asked.me)[:2])


def _pastimes(asked: Recollection) -> str:
    likes = sorted(liking(asked.me), key=lambda item: -item[1])[:2]
    return " and to ".join(pastime.what for pastime, _ in likes)


def _home(asked: Recollection) -> str:
    own = (asked.me.first, "She ", "He ", "They ")
    told = (sentence for text in asked.mind.texts for sentence in sentences(text) if sentence.startswith(own))
    said = next((sentence for sentence in told if shows("lives", sentence)), "")
    return asked.own_words(said) if said else ""


def _own_fact(asked: Recollection) -> str:
    """Return the certain sentence about oneself that is likest to the question."""
    found = likest(asked.question, (), also=asked.own, now=asked.mind.now)
    told = (each.text for each in found if not private().search(each.text) or private().search(asked.question))
    return next((capitalised(asked.own_words(text)) for text in told), "")


def _sort_of_fact(sort: str, asked: Recollection) -> str:
    """Return the certain sentences of a sort, two at most: of the home, or of the family."""
    told = [text for text in asked.own if shows(sort, text) and not private().search(text)]
    return " ".join(capitalised(asked.own_words(text)) for text in told[:2])


def _usual(minute: int | None) -> str:
    return "" if minute is None else spoken_hour(minute)


def _own_friend(asked: Recollection) -> str:
    """Return whom the first certain sentence about a friend names, a close one before others."""
    friends = [text for text in asked.own if "friend" in text]
    closest = sorted(friends, key=lambda text: not shows("close friend", text))
    return next((name for text in closest for name in people_in(text, asked.me.name)), "")


def _traits(asked: Recollection) -> str:
    return listed([trait.strip() for trait in asked.me.innate.split(",") if trait.strip()])


def listed(names: list[str]) -> str:
    """Return names as in a sentence: `Ada, Ben and Cy`."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


OF_ONESELF: Mapping[str, Callable[[Recollection], str]] = {
    "calling": _calling,
    "work": own_work,
    "pastimes": _pastimes,
    "home": _home,
    "of own": _own_fact,
    "own home": lambda asked: _sort_of_fact("lives", asked),
    "own family": lambda asked: _sort_of_fact("family", asked),
    "nothing certain": lambda asked: "Rules alone cannot answer that." if asked.own else "",
    "own friend": _own_friend,
    "own calling": lambda asked: _calling(asked) if asked.own else "",
    "own traits": lambda asked: _traits(asked) if asked.own else "",
    "usually up": lambda asked: _usual(waking_minute(asked.me.lifestyle)) if asked.own else "",
    "usually in bed": lambda asked: _usual(bed_minute(asked.me.lifestyle)) if asked.own else "",
    "name": lambda asked: asked.me.name,
    "age": lambda asked: str(asked.me.age or ""),
}
"""Blanks of answers about oneself; those that hold for good are empty for minds that keep no facts."""
