"""Answer the experimenter: whispers become thoughts, interviews are answered from memory, warmth is weighed."""

import re
from random import Random

from ville.llm.offline.grammar import FULL_NAME, capitalised, to_third
from ville.llm.offline.interview import answer_to
from ville.llm.offline.perceive import importance, weights
from ville.llm.offline.profile import profile_of
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.verbs import base, is_base, is_modal, is_past, is_third
from ville.plain_text import shortened

LONGEST = 200
"""Characters of an object."""

AUXILIARY = {"is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "will"}


def whispered(fields: Fields, rng: Random) -> Answer:
    """`You love your cafe` becomes `Ada Stone loves her cafe`."""
    del rng
    who, name = profile_of(fields["identity"], fields["name"]), fields["name"]
    whisper = " ".join(fields["whisper"].split())
    text = to_third(whisper, name, who.pronoun) if whisper.strip(" .!?") else f"{name} hears nothing"
    subject, predicate, thing = triple(text, name)
    return {
        "text": text, "subject": subject, "predicate": predicate, "object": thing,
        "poignancy": importance(fields["identity"], text),
    }  # fmt: skip


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
    question = str(fields["transcript"][-1].said) if fields["transcript"] else ""
    return {"utterance": answer_to(question, who, fields["memories"], rng)}


def anthropomorphising(fields: Fields, rng: Random) -> Answer:
    del rng
    comment = fields["comment"].lower().replace("’", "'")
    return {"score": next((row.weight for row in weights("human") if row.means.search(comment)), 1)}


RULES: Shelf = {
    "talk/whispered": whispered,
    "talk/interview": interview,
    "talk/anthropomorphising": anthropomorphising,
}
