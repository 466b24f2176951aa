"""Answers what conversing asks: what the two are to each other, what is said next, and what remains of it."""

import re
from datetime import date, datetime
from random import Random

from ville.llm.offline.english.grammar import capitalised
from ville.llm.offline.english.hours import spoken_day
from ville.llm.offline.people.person import person
from ville.llm.offline.people.ties import impression
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.talks.aftermath import afterthoughts, gist
from ville.llm.offline.talks.contributions import contribute, tell_news
from ville.llm.offline.talks.dialogue import MOST, Talk, speech_habit
from ville.llm.offline.talks.phrases import recogniser
from ville.llm.offline.talks.responses import respond


def relationship(fields: Fields, rng: Random) -> Answer:
    texts = tuple(memory.text for memory in fields["memories"])
    return {"relationship": impression(fields["name"], fields["other"], texts, rng)}


def next_utterance(fields: Fields, rng: Random) -> Answer:
    """Greet, answer, bring something up; when enough has been said, take leave."""
    talk = Talk(
        person(fields["identity"], fields["name"]), fields["other"], fields["now"], fields["place"],
        fields["situation"], fields["relationship"], fields["last_talk"], fields["memories"], fields["transcript"], rng,
    )  # fmt: skip
    said, ends = _turn(talk)
    return {"utterance": _spoken(said, speech_habit(talk)), "ends": ends}


def _turn(talk: Talk) -> tuple[str, bool]:
    count = len(talk.transcript)
    if count == 0:
        return f"{_greeting(talk)} {_opener(talk)}".strip(), False
    greeting = f"{talk.say('greet back')} " if count == 1 else ""
    if talk.is_parting or count >= MOST - 1:
        answer = respond(talk) if "?" in talk.last else ""
        return f"{greeting}{answer.split('?')[0] if '?' in answer else answer} {_bye(talk)}".strip(), True
    response = respond(talk)
    if count >= talk.length - 2 and not _urgent(talk, count):
        return f"{greeting}{_unasked(response)} {_parting(talk)}".strip(), False
    if "?" in response or talk.after(response).said[-1]:
        return f"{greeting}{response}", False
    said = contribute(talk.after(response))
    turned = count > 1 and len(response.split()) > TURNS_AFTER and talk.rng.random() < TURN and _turns(said)
    return f"{greeting}{response} {_turned(talk, said) if turned else said}", False


def _turned(talk: Talk, said: str) -> str:
    return f"{talk.say('turn')} {capitalised(said.removeprefix('And '))}"


def _turns(said: str) -> bool:
    """Whether it is another subject: a question, and not one after the other's health or lunch."""
    return said.count(".") == 0 and not any(recogniser(key).search(said) for key in ("ask how", "ask meal"))


TURN, TURNS_AFTER = 0.3, 4
"""How often a change of subject is announced, and after how many words of answer."""


def _urgent(talk: Talk, count: int) -> bool:
    """News is told before one leaves, if there is time."""
    return count < MOST - 3 and bool(tell_news(talk))


def _greeting(talk: Talk) -> str:
    return talk.say("greet stranger" if talk.is_stranger else "greet", name=talk.me.name)


def _opener(talk: Talk) -> str:
    """News at once, or a word about what the other is doing, or something else."""
    if news := tell_news(talk):
        return news
    doing = talk.doing_of(talk.other)
    if doing and not talk.is_stranger and talk.rng.random() < SEES:
        return f"{talk.say('see doing', doing=doing, doing_up=capitalised(doing))} {contribute(talk)}"
    return contribute(talk)


SEES = 0.25
"""How often a conversation begins with what the other is doing."""


def _unasked(response: str) -> str:
    """A response without the question at its end, for those who are about to leave."""
    parts = response.replace("?", "?|").replace(". ", ".| ").replace("! ", "!| ").split("|")
    return "".join(part for part in parts if not part.strip().endswith("?")).strip()


def _parting(talk: Talk) -> str:
    doing = talk.unfinished
    parting = talk.say("part", "", doing=doing) if doing else talk.say("part plain", "")
    return f"{parting} {_bye(talk)}" if talk.rng.random() < BYE else parting


BYE = 0.5
"""How often who leaves first says goodbye at once."""


def _bye(talk: Talk) -> str:
    """Until the party, if both have just agreed on it."""
    agreed = [item for told in talk.said for item in told if item.is_occasion and item.day is not None]
    going = re.search(r"I'll (?:be there|come)|Count me in", talk.everything_said)
    if agreed and going and talk.rng.random() < BYE and agreed[0].day is not None:
        day = _spoken_from(talk.now, agreed[0].day)
        on_day = day if day in NEAR.values() else f"on {day}"
        return talk.say("bye party", "", what=agreed[0].what, day=day, on_day=on_day)
    return talk.say("good night" if talk.now.hour in NIGHT else "bye")


def _spoken_from(now: datetime, day: date) -> str:
    return NEAR.get((day - now.date()).days) or spoken_day(day)


NEAR = {0: "later", 1: "tomorrow"}
"""Days ahead → how a day is called then."""
NIGHT = (21, 22, 23, 0, 1, 2, 3, 4)


def _spoken(said: str, habit: str) -> str:
    """With the word that ends this person's sentences, if there is one."""
    text = " ".join(said.split())
    if not habit or not text:
        return text
    mark = text[-1] if text[-1] in ".!?" else "."
    return f"{text.rstrip('.!?')}, {habit.lower()}{mark}"


def conversation_gist(fields: Fields, rng: Random) -> Answer:
    return {"about": gist(fields["transcript"], rng)}


def after_conversation(fields: Fields, rng: Random) -> Answer:
    return afterthoughts(
        person(fields["identity"], fields["name"]), fields["other"], fields["now"], fields["transcript"], rng=rng
    )


RULES: Shelf = {
    "converse/relationship": relationship,
    "converse/next_utterance": next_utterance,
    "converse/conversation_gist": conversation_gist,
    "converse/after_conversation": after_conversation,
}
