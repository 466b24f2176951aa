"""Utterances of residents to visitors, whose words follow no table."""

import re

from ville.offline.answers.interview import answer_to
from ville.offline.answers.recollection import Recollection
from ville.offline.talks.dialogue import FAREWELLS, Dialogue
from ville.offline.talks.speech import respond, say
from ville.offline.visitors import WHO

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
