"""One turn of a conversation: greet, answer, bring something up; after enough utterances, take leave.

Words of users and visitors are in no table of sayings: they are answered as in an interview.
"""

import re
from dataclasses import replace

from ville.offline.answers.interview_rules import answer_to
from ville.offline.answers.recollection import Recollection
from ville.offline.profile import lot
from ville.offline.table import Value, load, pattern
from ville.offline.talks.dialogue import FAREWELLS, UNSURE, Dialogue
from ville.offline.talks.speech import bring_up, bring_up_news, item_at_hand, respond, say
from ville.offline.visitor_memories import WHO

_GOODBYE = re.compile(r"\b(?:good ?-?bye|bye|see you|farewell|take care|have to go|must go|so long)\b", re.IGNORECASE)
_GREETING = re.compile(r"(?:hi|hello|hey|good (?:morning|day|afternoon|evening))\b[^.!?]*[.!?]?", re.IGNORECASE)
_QUESTION = re.compile(r"[^.!?]+\?")
LONGER = 4
"""Utterances by which a talk with a visitor is longer than others."""


def is_visitor(talk: Dialogue) -> bool:
    """Return whether the other is a visitor, as the situation says."""
    return f"{talk.other} is visiting the town" in talk.situation


def is_new(talk: Dialogue) -> bool:
    """Return whether the other is a visitor to whom the speaker has never talked before."""
    return is_visitor(talk) and talk.last_talk.strip().lower() in {"", "never"}


def is_silent(talk: Dialogue) -> bool:
    """Return whether the visitor has not answered the speaker's last words."""
    return bool(talk.transcript) and talk.transcript[-1][0] == talk.me.name


def takes_leave(talk: Dialogue) -> bool:
    """Return whether the speaker has said goodbye, or the visitor has just done so."""
    own = any(line.key in FAREWELLS for who, line in talk.lines if who == talk.me.name)
    return own or bool(_GOODBYE.search(_last_words(talk)))


def _last_words(talk: Dialogue) -> str:
    """Return what the visitor has just said; empty if it was the speaker's turn before."""
    return talk.transcript[-1][1] if talk.transcript and not is_silent(talk) else ""


def question_of_origin(talk: Dialogue) -> str:
    """Return the question what brings a visitor here, which strangers ask once."""
    return say(WHO, talk) if is_new(talk) and WHO not in talk.keys else ""


def reply_to_visitor(talk: Dialogue) -> str:
    """Return what is said to a visitor's last words: an unknown question is answered as in an interview."""
    said = _last_words(talk)
    asked = _QUESTION.findall(said)
    if asked and not talk.question:
        return answer_to(Recollection(asked[-1].strip(), talk.me, talk.mind.memories, talk.rng))
    return "" if _GREETING.fullmatch(said.strip()) else respond(talk)


def reply_to_user(talk: Dialogue) -> tuple[str, bool] | None:
    """Return what is said to words of a user and whether that ends the conversation; None for known sayings."""
    free = [line.text for line in talk.last if not line.key]
    words = load("user_talk.yaml")
    unsure = bool(talk.last) and all(line.key in UNSURE for line in talk.last)
    if unsure and pattern(words["farewell"]).search(talk.transcript[-1][1]):
        return _one_of(words["last words"], talk), True
    if not free or talk.last_news or (len(free) < len(talk.last) and "?" not in free[-1]):
        return None
    asked = next((text for text in reversed(free) if "?" in text), "")
    comes_to_mind = Recollection(asked, talk.me, talk.mind.memories, talk.rng)
    answer = answer_to(comes_to_mind, asker=talk.other) if asked else ""
    return f"{answer or _one_of(words['remarks'], talk)} {_question_back(talk, words)}".strip(), False


def _question_back(talk: Dialogue, words: Value) -> str:
    """Ask strangers who they are, once, unless they have said so."""
    told = any(
        pattern(words["introduction"]).search(said) for speaker, said in talk.transcript if speaker == talk.other
    )
    if len(talk.transcript) > 1 or told or not talk.is_stranger:
        return ""
    return _one_of(words["who are you"], talk)


def _one_of(lines: Value, talk: Dialogue) -> str:
    return str(talk.rng.choice(lines)).format(name=talk.me.first)


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
