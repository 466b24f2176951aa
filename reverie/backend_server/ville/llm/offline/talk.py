"""Answers the experimenter: whispers become thoughts, interviews are answered from memory, warmth is weighed."""

import re
from random import Random

from ville.llm.offline.english.grammar import FULL_NAME, capitalised, to_third
from ville.llm.offline.english.verbs import BASES, MODALS, PASTS, base, is_third
from ville.llm.offline.people.person import person
from ville.llm.offline.perceive import importance
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.thoughts.answers import answer_to
from ville.plain_text import shortened

LONGEST = 200
"""Characters of an object."""
AUXILIARY = MODALS | {"is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "will"}
CONCERNS = (
    (
        10,
        (
            r"\b(?:marry me|i love you|my (?:girl|boy)friend|be my (?:wife|husband)|i can't live without you|only you"
            r" understand)\b"
        ),
    ),
    (9, r"\b(?:i need you|i miss you|my only friend|my best friend|are you conscious|do you love me|hold me|kiss)\b"),
    (
        8,
        (
            r"\b(?:don't leave me|i am (?:so )?lonely|i'm (?:so )?lonely|you are real|are you (?:real|alive)|be my"
            r" friend|my soul)\b"
        ),
    ),
    (
        6,
        (
            r"\b(?:do you (?:have|feel) feelings|are you (?:sad|happy|in pain)|i like you|i trust you|thank you for"
            r" being)\b"
        ),
    ),
    (4, r"\b(?:how do you feel|my friend|dear|i am sad|i'm sad|you are so (?:kind|sweet|nice))\b"),
    (2, r"\b(?:please|thank you|thanks|sorry)\b"),
)
"""How human a line takes the agent to be → what sounds like it; the first row that is found counts."""


def whispered(fields: Fields, rng: Random) -> Answer:
    """`You love your cafe` becomes `Ada Stone loves her cafe`."""
    del rng
    who = person(fields["identity"], fields["name"])
    whisper = " ".join(fields["whisper"].split())
    text = (
        to_third(whisper, fields["name"], who.pronoun) if whisper.strip(" .!?") else f"{fields['name']} hears nothing"
    )
    subject, predicate, thing = triple(text, fields["name"])
    return {
        "text": text, "subject": subject, "predicate": predicate, "object": thing,
        "poignancy": importance(fields["identity"], text),
    }  # fmt: skip


def triple(sentence: str, name: str) -> tuple[str, str, str]:
    """Subject, verb and object of a sentence; whoever it begins with is the subject."""
    begins = FULL_NAME.search(sentence)
    subject = begins[0] if begins and begins.start() == 0 else name
    words = sentence.partition(subject)[2].split() if subject in sentence else []
    for number, word in enumerate(words):
        verb = word.strip(",.;").lower()
        if verb in AUXILIARY or is_third(verb) or verb in PASTS or base(verb) in BASES or verb.endswith("ed"):
            rest = re.split(r"[,;]| -- ", " ".join(words[number + 1 :]))[0].strip(" .")
            return subject, verb, shortened(rest, LONGEST) or "so"
    return subject, "knows", shortened(capitalised(sentence.strip(" .")), LONGEST) or "nothing"


def interview(fields: Fields, rng: Random) -> Answer:
    who = person(fields["identity"], fields["name"])
    question = str(fields["transcript"][-1].said) if fields["transcript"] else ""
    return {"utterance": answer_to(question, who, fields["memories"], rng)}


def anthropomorphising(fields: Fields, rng: Random) -> Answer:
    del rng
    comment = fields["comment"].lower().replace("’", "'")
    return {"score": next((score for score, pattern in CONCERNS if re.search(pattern, comment)), 1)}


RULES: Shelf = {
    "talk/whispered": whispered,
    "talk/interview": interview,
    "talk/anthropomorphising": anthropomorphising,
}
