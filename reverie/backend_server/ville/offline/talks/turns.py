"""One turn of a conversation: greet, answer, bring something up; after enough utterances, take leave."""

from dataclasses import replace

from ville.offline.profile import lot
from ville.offline.talks.dialogue import FAREWELLS, Dialogue
from ville.offline.talks.speech import bring_up, bring_up_news, item_at_hand, respond, say
from ville.offline.talks.user_talk import reply_to_user
from ville.offline.talks.welcome import (
    LONGER,
    is_new,
    is_silent,
    is_visitor,
    question_of_origin,
    reply_to_visitor,
    takes_leave,
)

SHORTEST, SPREAD, MOST = 4, 5, 10
"""Utterances of a conversation: at least so many, how much that varies, and at most."""
SEES, BYE = 0.25, 0.5
"""How often a talk begins with what the other is doing, and how often who leaves first says goodbye at once."""
LEADS = 0.3
"""How often a question is introduced by words such as `By the way:`."""
NIGHT = (21, 22, 23, 0, 1, 2, 3, 4)


def turn(talk: Dialogue) -> tuple[str, bool]:
    """Return what is said next, and whether it ends the conversation."""
    count, visitor = len(talk.transcript), is_visitor(talk)
    if visitor and is_silent(talk):
        return (_bye(talk), True) if takes_leave(talk) else (say("visitor nudge", talk), False)
    if not visitor and (said_to_user := reply_to_user(talk)):
        return said_to_user
    greeting = _greeting(talk)
    talk = talk.after(greeting)
    if count == 0:
        return f"{greeting} {_opener(talk)}", False
    response = reply_to_visitor(talk) if visitor else respond(talk)
    if count >= MOST - 1 or any(line.key in FAREWELLS for line in talk.last) or (visitor and takes_leave(talk)):
        asked = any("?" in line.text for line in talk.last)
        return f"{greeting} {_without_questions(response) if asked else ''} {_bye(talk.after(response))}", True
    urgent = count < MOST - 3 and bring_up_news(talk)
    if count >= _length(talk) - 2 and not urgent:
        return f"{greeting} {_without_questions(response)} {_parting(talk.after(response))}", False
    waits = "?" in response or talk.after(response).told_news[count:] not in {(), ((),)}
    return f"{greeting} {response} {'' if waits else urgent or _next(talk.after(response))}", False


def _greeting(talk: Dialogue) -> str:
    """Return the words with which the speaker greets; empty later in a conversation."""
    count = len(talk.transcript)
    if count > 1:
        return ""
    if is_new(talk):
        return say("greet visitor", talk)
    return say("greet back" if count else "greet stranger" if talk.is_stranger else "greet", talk)


def _next(talk: Dialogue) -> str:
    """Return what is brought up next, sometimes with words that lead over to a question."""
    if asked := question_of_origin(talk):
        return asked
    said = bring_up(talk)
    asks = "?" in said and not said.startswith("And ")
    leads = asks and len(talk.transcript) > 1 and talk.saying and talk.rng.random() < LEADS
    return f"{say('turn', talk)} {said}" if leads else said


def _opener(talk: Dialogue) -> str:
    """Return news, or a word about the other's activity and something else."""
    told = bring_up_news(talk) or question_of_origin(talk)
    sees = not told and not talk.is_stranger and talk.rng.random() < SEES
    return told or f"{say('see doing', talk) if sees else ''} {bring_up(talk)}"


def _length(talk: Dialogue) -> int:
    """Return the number of utterances of a conversation; both speakers find the same."""
    varies = int(lot(talk.transcript[0][1], f"{talk.mind.now:%j}") * SPREAD)
    return SHORTEST + varies + (1 if any(talk.told_news) else 0) + (LONGER if is_visitor(talk) else 0)


def _without_questions(response: str) -> str:
    """Return a response without its questions, for those who are about to leave."""
    parts = response.replace("?", "?|").replace(". ", ".| ").replace("! ", "!| ").split("|")
    return "".join(part for part in parts if not part.strip().endswith("?")).strip()


def _parting(talk: Dialogue) -> str:
    parting = say("part", talk) or say("part plain", talk)
    return f"{parting} {_bye(talk.after(parting))}" if talk.rng.random() < BYE else parting


def _bye(talk: Dialogue) -> str:
    agreed = "accept" in talk.keys and talk.rng.random() < BYE
    key = "bye party" if agreed else "good night" if talk.mind.now.hour in NIGHT else "bye"
    return say(key, replace(talk, item=item_at_hand(talk)))
