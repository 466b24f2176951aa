"""Answer the questions of the experimenter: whispers, interviews, and how human a comment takes the persona to be."""

import re
from random import Random
from unicodedata import category

from ville.offline.answers.interview_rules import answer_to
from ville.offline.answers.recollection import Recollection
from ville.offline.grammar import FULL_NAME, base, capitalised, is_base, is_modal, is_past, is_third, to_third
from ville.offline.incidents import is_alarm, trouble_of
from ville.offline.news_reading import news_in
from ville.offline.perceive_rules import importance, weights
from ville.offline.profile import profile_of
from ville.offline.rule_types import Answer, Fields, Shelf
from ville.offline.talks.afterwards import given_up, is_off
from ville.offline.talks.news import CANCELLATION
from ville.plain_text import shortened

NOTHING = "nothing"
"""Choice of the question what is called off."""
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
        "poignancy": max(importance(fields["identity"], text), trouble_of(text).weight if is_alarm(text) else 0),
    }  # fmt: skip


def changed_today(fields: Fields, rng: Random) -> Answer:
    """Give up what a whisper calls off today."""
    del rng
    me, now, day = profile_of("", fields["name"]), fields["now"], fields["day"]
    told = news_in(" ".join(fields["whisper"].split()), now.date(), me.name, me.name)
    for line in day:
        off = [item for item in told if item.kind == CANCELLATION and is_off(item, line.partition(": ")[2], me)]
        if instead := given_up(me, now, off, day):
            return {"called_off": line, **instead}
    return {"called_off": NOTHING}


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
    memories = (*fields["memories"], *fields["further"])
    asked = Recollection(question, who, memories, rng, fields["today"], fields["own"] or ())
    return {"utterance": answer_to(asked, asker=asker)}


def anthropomorphising(fields: Fields, rng: Random) -> Answer:
    del rng
    comment = fields["comment"].lower().replace("’", "'")
    return {"score": next((row.weight for row in weights("human") if row.means.search(comment)), 1)}


RULES: Shelf = {
    "talk/whispered": whispered,
    "talk/changed_today": changed_today,
    "talk/interview": interview,
    "talk/anthropomorphising": anthropomorphising,
}
