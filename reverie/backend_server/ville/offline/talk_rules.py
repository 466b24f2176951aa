"""Answer the questions of the experimenter: whispers, interviews, and how human a comment takes the persona to be."""

import re
from collections.abc import Sequence
from random import Random

from ville.offline.answers.interview_rules import answer_to
from ville.offline.answers.recollection import Recollection
from ville.offline.answers.typed_answers import typed_answer
from ville.offline.day.day import FREE
from ville.offline.grammar import gerund
from ville.offline.incidents import is_alarm, trouble_of
from ville.offline.news_reading import news_in
from ville.offline.perceive_rules import importance, weights
from ville.offline.profile import profile_of
from ville.offline.rule_types import Answer, Fields, Shelf
from ville.offline.table import shape
from ville.offline.talks.afterwards import given_up, is_off
from ville.offline.talks.news import CANCELLATION
from ville.offline.third_person import triple, whispered_thought

NOTHING = "nothing"
"""Choice of the question what is called off."""


def whispered(fields: Fields, rng: Random) -> Answer:
    """Turn a whisper into a thought: `You love your cafe` becomes `Ada Stone loves her cafe`."""
    del rng
    who, name = profile_of(fields["identity"], fields["name"]), fields["name"]
    text = whispered_thought(" ".join(fields["whisper"].split()), name, who.pronoun)
    subject, predicate, thing = triple(text, name)
    weight = _weight(fields["identity"], text)
    return {"text": text, "subject": subject, "predicate": predicate, "object": thing, "poignancy": weight}


def whispers_matter(fields: Fields, rng: Random) -> Answer:
    """Rate what was whispered, by its number."""
    del rng
    return {str(number): _weight(fields["identity"], text) for number, text in enumerate(fields["happenings"], 1)}


def _weight(identity: str, text: str) -> int:
    return max(importance(identity, text), trouble_of(text).weight if is_alarm(text) else 0)


def changed_today(fields: Fields, rng: Random) -> Answer:
    """Give up what a whisper calls off today."""
    del rng
    me, now, day = profile_of("", fields["name"]), fields["now"], fields["day"]
    told = news_in(" ".join(fields["whisper"].split()), now.date(), me.name, me.name)
    for line in day:
        off = [item for item in told if item.kind == CANCELLATION and is_off(item, line.partition(": ")[2], me)]
        if instead := given_up(me, now, off, day):
            return {"called_off": line, **instead}
    return _everyday_called_off(fields["whisper"], day) if not told else {"called_off": NOTHING}


def _everyday_called_off(whisper: str, day: Sequence[str]) -> Answer:
    """Give up the last line of a plan that a whisper calls off in its words: `Dinner is cancelled.`"""
    named = shape("called off").match(" ".join(whisper.split()))
    words = re.compile(rf"\b{re.escape(named['what'])}\b", re.IGNORECASE) if named else None
    off = [line for line in day if words and words.search(line.partition(": ")[2])]
    return {"called_off": off[-1], "what": gerund(FREE)} if off else {"called_off": NOTHING}


def interview(fields: Fields, rng: Random) -> Answer:
    asked, asker = _asked(fields, rng)
    return {"utterance": answer_to(asked, asker=asker)}


def typed_interview(fields: Fields, rng: Random) -> Answer:
    """Answer in a form; what is not known has no answer."""
    asked, asker = _asked(fields, rng)
    return {"answer": typed_answer(asked, fields["form"], asker=asker)}


def _asked(fields: Fields, rng: Random) -> tuple[Recollection, str]:
    """Return the last question of an interview, with what comes to mind, and who asks it."""
    who = profile_of(fields["identity"], fields["name"])
    last = fields["transcript"][-1:]
    question, asker = (str(last[0].said), str(last[0].speaker)) if last else ("", "")
    memories = (*fields["memories"], *fields["further"])
    return Recollection(question, who, memories, rng, fields["today"], fields["own"] or ()), asker


def anthropomorphising(fields: Fields, rng: Random) -> Answer:
    del rng
    comment = fields["comment"].lower().replace("’", "'")
    return {"score": next((row.weight for row in weights("human") if row.means.search(comment)), 1)}


RULES: Shelf = {
    "talk/whispered": whispered,
    "talk/whispers_matter": whispers_matter,
    "talk/changed_today": changed_today,
    "talk/interview": interview,
    "talk/typed_interview": typed_interview,
    "talk/anthropomorphising": anthropomorphising,
}
