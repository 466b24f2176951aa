"""Answer the questions of conversing: the relationship of the two, the next utterance, and what remains of a talk."""

from dataclasses import replace
from random import Random

from ville.llm.offline.aftermath import afterthoughts, gist
from ville.llm.offline.dialogue import FAREWELLS, Dialogue
from ville.llm.offline.knowledge import Knowledge
from ville.llm.offline.profile import lot, profile_of
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.speech import bring_up, bring_up_news, item_at_hand, respond, say
from ville.llm.offline.ties import impression

SHORTEST, SPREAD, MOST = 4, 5, 10
"""Utterances of a conversation: at least so many, how much that varies, and at most."""
SEES, BYE = 0.25, 0.5
"""How often a talk begins with what the other is doing, and how often who leaves first says goodbye at once."""
NIGHT = (21, 22, 23, 0, 1, 2, 3, 4)


def relationship(fields: Fields, rng: Random) -> Answer:
    who = profile_of(fields["identity"], fields["name"])
    texts = (*(memory.text for memory in fields["memories"]), who.currently, who.learned)
    return {"relationship": impression(fields["name"], fields["other"], texts, rng)}


def next_utterance(fields: Fields, rng: Random) -> Answer:
    """Greet, answer, bring something up; after enough utterances, take leave."""
    me = profile_of(fields["identity"], fields["name"])
    talk = Dialogue(
        Knowledge(me, fields["memories"], fields["now"], fields["relationship"]), fields["other"],
        tuple((str(remark.speaker), str(remark.said)) for remark in fields["transcript"]), rng,
        place=fields["place"], situation=fields["situation"], last_talk=fields["last_talk"],
    )  # fmt: skip
    said, ends = _turn(talk)
    return {"utterance": " ".join(said.split()), "ends": ends}


def _turn(talk: Dialogue) -> tuple[str, bool]:
    count = len(talk.transcript)
    if count == 0:
        return f"{say('greet stranger' if talk.is_stranger else 'greet', talk)} {_opener(talk)}", False
    greeting = say("greet back", talk) if count == 1 else ""
    response = respond(talk)
    if count >= MOST - 1 or any(line.key in FAREWELLS for line in talk.last):
        asked = any("?" in line.text for line in talk.last)
        return f"{greeting} {_without_questions(response) if asked else ''} {_bye(talk)}", True
    urgent = count < MOST - 3 and bring_up_news(talk)
    if count >= _length(talk) - 2 and not urgent:
        return f"{greeting} {_without_questions(response)} {_parting(talk)}", False
    waits = "?" in response or talk.after(response).told_news[count:] not in {(), ((),)}
    return f"{greeting} {response} {'' if waits else urgent or bring_up(talk.after(response))}", False


def _opener(talk: Dialogue) -> str:
    """Return news, or a word about the other's activity and something else."""
    told = bring_up_news(talk)
    sees = not told and not talk.is_stranger and talk.rng.random() < SEES
    return told or f"{say('see doing', talk) if sees else ''} {bring_up(talk)}"


def _length(talk: Dialogue) -> int:
    """Return the number of utterances of a conversation; both speakers find the same."""
    varies = int(lot(talk.transcript[0][1], f"{talk.mind.now:%j}") * SPREAD)
    return SHORTEST + varies + (1 if any(talk.told_news) else 0)


def _without_questions(response: str) -> str:
    """Return a response without its questions, for those who are about to leave."""
    parts = response.replace("?", "?|").replace(". ", ".| ").replace("! ", "!| ").split("|")
    return "".join(part for part in parts if not part.strip().endswith("?")).strip()


def _parting(talk: Dialogue) -> str:
    parting = say("part", talk) or say("part plain", talk)
    return f"{parting} {_bye(talk)}" if talk.rng.random() < BYE else parting


def _bye(talk: Dialogue) -> str:
    agreed = "accept" in talk.keys and talk.rng.random() < BYE
    key = "bye party" if agreed else "good night" if talk.mind.now.hour in NIGHT else "bye"
    return say(key, replace(talk, item=item_at_hand(talk)))


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
