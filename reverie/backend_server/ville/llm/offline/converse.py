"""Answer what conversing asks: what the two are to each other, what is said next, and what remains of it."""

from datetime import date, datetime
from random import Random

from ville.llm.offline.aftermath import afterthoughts, gist
from ville.llm.offline.contributions import contribute, make_excuse, tell_news
from ville.llm.offline.dialogue import MOST, Dialogue
from ville.llm.offline.grammar import capitalised
from ville.llm.offline.hours import spoken_day
from ville.llm.offline.knowledge import Knowledge
from ville.llm.offline.profile import profile_of, speech_habit
from ville.llm.offline.responses import respond
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.sayings import heard
from ville.llm.offline.ties import impression

TURN, TURNS_AFTER = 0.3, 4
"""How often a change of subject is announced, and after how many words of answer."""
SEES, BYE = 0.25, 0.5
"""How often a talk begins with what the other is doing, and how often who leaves first says goodbye at once."""
NEAR = {0: "later", 1: "tomorrow"}
"""Days ahead → how a day is called then."""
NIGHT = (21, 22, 23, 0, 1, 2, 3, 4)
_NO_TURN = ("ask how", "ask meal", "ask about")


def relationship(fields: Fields, rng: Random) -> Answer:
    who = profile_of(fields["identity"], fields["name"])
    texts = (*(memory.text for memory in fields["memories"]), who.currently, who.learned)
    return {"relationship": impression(fields["name"], fields["other"], texts, rng)}


def next_utterance(fields: Fields, rng: Random) -> Answer:
    """Greet, answer, bring something up; when enough has been said, take leave."""
    mind = Knowledge(
        profile_of(fields["identity"], fields["name"]), fields["memories"], fields["now"], fields["relationship"]
    )
    talk = Dialogue(
        mind, fields["other"], fields["transcript"], rng,
        place=fields["place"], situation=fields["situation"], last_talk=fields["last_talk"],
    )  # fmt: skip
    said, ends = _turn(talk)
    return {"utterance": _spoken(said, _habit(talk)), "ends": ends}


def _turn(talk: Dialogue) -> tuple[str, bool]:
    count = len(talk.transcript)
    if count == 0:
        greeting = talk.say("greet stranger" if talk.is_stranger else "greet", name=talk.me.name)
        return f"{greeting} {_opener(talk)}".strip(), False
    greeting = f"{talk.say('greet back')} " if count == 1 else ""
    if talk.is_parting or count >= MOST - 1:
        asked = any("?" in said.text for said in talk.last)
        return f"{greeting}{_unasked(respond(talk)) if asked else ''} {_bye(talk)}".strip(), True
    response = respond(talk)
    if count >= talk.length - 2 and not _urgent(talk, count):
        return f"{greeting}{_unasked(response)} {_parting(talk)}".strip(), False
    if "?" in response or talk.after(response).told[-1]:
        return f"{greeting}{response}", False
    return f"{greeting}{response} {_next(talk, response)}", False


def _next(talk: Dialogue, response: str) -> str:
    """Return what is brought up after a response, with a word that leads over to another subject now and then."""
    said = contribute(talk.after(response))
    asks = heard(said)
    leads = len(asks) == 1 and "?" in said and not asks[0].key.startswith(_NO_TURN)
    if leads and len(talk.transcript) > 1 and len(response.split()) > TURNS_AFTER and talk.rng.random() < TURN:
        return f"{talk.say('turn')} {capitalised(said.removeprefix('And '))}"
    return said


def _urgent(talk: Dialogue, count: int) -> bool:
    """News and excuses come before one leaves, if there is time."""
    return count < MOST - 3 and bool(make_excuse(talk) or tell_news(talk))


def _opener(talk: Dialogue) -> str:
    """News at once, or a word about what the other is doing, or something else."""
    if told := make_excuse(talk) or tell_news(talk):
        return told
    doing = talk.doing_of(talk.other)
    if doing and not talk.is_stranger and talk.rng.random() < SEES:
        return f"{talk.say('see doing', doing=doing, doing_up=capitalised(doing))} {contribute(talk)}"
    return contribute(talk)


def _unasked(response: str) -> str:
    """Return a response without the question at its end, for those who are about to leave."""
    parts = response.replace("?", "?|").replace(". ", ".| ").replace("! ", "!| ").split("|")
    return "".join(part for part in parts if not part.strip().endswith("?")).strip()


def _parting(talk: Dialogue) -> str:
    doing = talk.unfinished
    parting = talk.say("part", "", doing=doing) if doing else talk.say("part plain", "")
    return f"{parting} {_bye(talk)}" if talk.rng.random() < BYE else parting


def _bye(talk: Dialogue) -> str:
    """Until the party, if both have just agreed on it."""
    agreed = next((item for told in talk.told for item in told if item.is_occasion and item.day), None)
    if agreed and agreed.day and "accept" in talk.keys and talk.rng.random() < BYE:
        day = _spoken_from(talk.mind.now, agreed.day)
        on_day = day if day in NEAR.values() else f"on {day}"
        return talk.say("bye party", "", what=agreed.what, day=day, on_day=on_day)
    return talk.say("good night" if talk.mind.now.hour in NIGHT else "bye")


def _spoken_from(now: datetime, day: date) -> str:
    return NEAR.get((day - now.date()).days) or spoken_day(day)


def _habit(talk: Dialogue) -> str:
    """Return the word that ends this persona's sentences, or nothing."""
    own = (speech_habit(text) for text in talk.mind.texts if text.startswith(talk.me.name))
    return talk.me.speech_habit or next((found for found in own if found), "")


def _spoken(said: str, habit: str) -> str:
    text = " ".join(said.split())
    if not habit or not text:
        return text
    mark = text[-1] if text[-1] in ".!?" else "."
    return f"{text.rstrip('.!?')}, {habit.lower()}{mark}"


def conversation_gist(fields: Fields, rng: Random) -> Answer:
    return {"about": gist(fields["transcript"], rng)}


def after_conversation(fields: Fields, rng: Random) -> Answer:
    who = profile_of(fields["identity"], fields["name"])
    return afterthoughts(who, fields["other"], fields["now"], fields["transcript"], rng=rng)


RULES: Shelf = {
    "converse/relationship": relationship,
    "converse/next_utterance": next_utterance,
    "converse/conversation_gist": conversation_gist,
    "converse/after_conversation": after_conversation,
}
