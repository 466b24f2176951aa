"""Words of situated questions for an utterance: how two meet, what one knows of the other, what is on one's mind and
new to the other, and what a turn is about.

What a turn is about is drawn from what is on the speaker's own mind (`conversing/subject.py`), never from the other's.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic.json_schema import JsonSchemaValue

from ville.persona.memory_structures.social_impression import UNKNOWN
from ville.persona.prompt_template.answers.clock_times import in_24_hours
from ville.persona.prompt_template.answers.content import SENTENCES, is_cut, whole_part, without_open_end
from ville.persona.prompt_template.blanks import DialogueTurn, QuotedMemory, SituatedSelf
from ville.persona.prompt_template.caps import QUOTED
from ville.persona.prompt_template.situated_words import is_stub, situated_text, with_short_names
from ville.plain_text import shortened

OF_OTHER, ON_MIND = 3, 2
"""Memories that an utterance is asked with: of the other, and of one's own days."""
OPENING, COMES_TO, ALONE, GOODBYE = 80, 160, 160, 80
"""Most characters of the parts of an utterance: a greeting, a subject, an answer, and a goodbye."""
KEY = 90
"""Most characters of the key of a part."""
FIRST_CLAUSE = 40
"""Characters of a long key after which a clause may end it."""
CLAUSE = re.compile(r"[,;:]? (?:that|who|which|because|when|where|while|if|and) |[,;:] ")
NOT_IN_KEYS = re.compile(r'["{}\\\\]')
GOES_UP = re.compile(
    r"(?P<one>.+?) was (?P<doing>.+) when (?P=one) saw (?P<other>.+?), who was (?P<seen>.+)\. "
    r"(?P=one) goes up to (?P=other)\.(?P<more>.*)",
    re.DOTALL,
)
LAST_TALK = re.compile(r".+?, (?P<minutes>\d+) minutes ago, (?:conversing )?(?P<about>.+)", re.DOTALL)
NEVER = "never"
HOUR, DAY = 60, 1440
FEELINGS = (
    "nothing in particular", "warmth", "friendship", "love", "trust", "respect", "gratitude", "curiosity", "pity",
    "unease", "envy", "annoyance", "distrust", "dislike",
)  # fmt: skip
"""Words among which a feeling about another is chosen."""
LOVE = "love"
PARTS_OF_DAY = (
    (5, "At night"),
    (12, "In the morning"),
    (17, "In the afternoon"),
    (22, "In the evening"),
    (24, "At night"),
)
"""Hours before which it is one of them: small models say good morning all day."""
SECRET = re.compile(
    r"\bsecret(?!ar)\w*|\bnever told\b|\bguards? it\b|\blike a password\b"
    r"|\b(?:told|tells?) (?:nobody|no[ -]one|not a soul)\b"
    r"|(?:\bnot|\bnever|n['’]t)(?: \w+)? (?:told|tells?) (?:a (?:living )?soul|any ?(?:one|body))\b"
    r"|\bk(?:eeps?|ept|eeping) (?:it to\b|[^.;!?]{1,80}\bto (?:her|him|my|your|them)sel(?:f|ves)\b)"
    r"|\b(?:nobody|no[ -]one)(?: else)? (?:knows?\b(?! (?:how|why|better|me)\b)"
    r"|(?:may|must|should|can|is to) (?:ever )?(?:know|learn|find out)\b)"
    r"|\bmust(?: not|n['’]t| never) (?:come out|get out|be known)\b",
    re.IGNORECASE,
)
HABITS = "\nLifestyle: "
"""Line of an identity from which on it says nothing that a talk needs."""
REPEATED_FEELING = re.compile(r" \(feeling: [^()]*\)\.?$")
"""End of an impression as it is quoted."""


def character(identity: str) -> str:
    """Return an identity without hours, plan and date: prompts about a talk say these by themselves, and share all that
    stands before them.
    """
    return situated_text(identity).partition(HABITS)[0]


def is_secret(text: str) -> bool:
    """Return whether a memory says that it is kept to oneself: small models say whatever they are shown."""
    return bool(SECRET.search(text))


def without_secret_sentences(text: str) -> str:
    """Return an impression without the sentences that say that they are kept to oneself; the feeling stays."""
    return "\n".join(filter(None, map(_open_part, text.split("\n"))))


def _open_part(line: str) -> str:
    feeling = REPEATED_FEELING.search(line)
    said = line[: feeling.start()] if feeling else line
    told = " ".join(sentence for sentence in SENTENCES.split(said) if not is_secret(sentence))
    return f"{told}{feeling[0]}".strip() if feeling else told


def may_be_quoted(impression: str, name: str, other: str) -> str:
    """Return what a speaker is told that the other is to it; that the two know each other, if the rest is secret."""
    told = without_secret_sentences(impression)
    return situated_text(told) if told or not impression else f"{name} knows {other}."


def stated(relationship: str) -> str:
    """Return a relationship without a feeling repeated from the impression; empty if it says nothing."""
    said = REPEATED_FEELING.sub("", relationship)
    return "" if said.strip(" .").casefold() in {"", UNKNOWN} else said


def without_secrets(memories: Sequence[QuotedMemory]) -> tuple[QuotedMemory, ...]:
    return tuple(memory for memory in memories if not is_secret(memory.text))


def loves_secretly(memories: Sequence[QuotedMemory]) -> bool:
    """Return whether one of the secrets is a love."""
    return any(is_secret(memory.text) and "in love with" in memory.text for memory in memories)


def called(name: str) -> str:
    """Return the first name; of a visitor who is described instead, the whole description."""
    return name if name[:1].islower() else name.partition(" ")[0]


def with_feelings(schema: JsonSchemaValue, at_hand: SituatedSelf | None) -> JsonSchemaValue:
    """Return the schema of an answer; in situated questions, a feeling is chosen among words."""
    feeling = {**schema["properties"]["feeling"], "enum": list(FEELINGS)}
    return schema if at_hand is None else {**schema, "properties": {**schema["properties"], "feeling": feeling}}


def meeting(situation: str, name: str, now: SituatedSelf | None = None) -> str:
    """Return how and at which time of the day two met, without what the speaker itself did, which is told besides."""
    found = GOES_UP.fullmatch(situation)
    if not found:
        return situation
    part = f"{_part_of_day(now.now)}, " if now else ""
    if found["one"] == name:
        told = f"{part}{name} sees {found['other']}, who is {found['seen']}, and goes up to {found['other']}."
    else:
        told = f"{part}{found['one']}, who was {found['doing']}, comes up to {name}."
    return told.replace("conversing about", "talking about") + found["more"]


def _part_of_day(now: datetime) -> str:
    return next(part for until, part in PARTS_OF_DAY if now.hour < until)


def last_talked(last_talk: str, *, strangers: bool) -> str:
    """Return when and about what two last talked; of those who know each other, not that they have never talked."""
    if last_talk == NEVER:
        return " The two have never talked before." if strangers else ""
    found = LAST_TALK.fullmatch(last_talk)
    if not found:
        return f" The last time the two talked: {last_talk}"
    minutes = int(found["minutes"])
    ago = f"{minutes} minutes" if minutes < 2 * HOUR else (
        f"{minutes // HOUR} hours" if minutes < 2 * DAY else f"{minutes // DAY} days"
    )  # fmt: skip
    return f" They last talked {ago} ago, {in_24_hours(found['about']).rstrip('.')}."


def on_the_mind(name: str, other: str, memories: Sequence[QuotedMemory], subject: str) -> str:
    """Return what a speaker knows of the other, and what else comes to mind besides what it comes to by itself: few
    memories, each once, and no secrets: of these, the feelings about the other tell enough.
    """
    quoted = [memory for memory in without_secrets(memories) if not is_stub(memory) and memory.text not in subject]
    of_other = [memory for memory in quoted if _names(memory, other)]
    rest = [memory for memory in quoted if not _names(memory, other)]
    parts = [
        (f"{name} knows of {other}:", of_other[:OF_OTHER]),
        (f"On the mind of {name}:", rest[-ON_MIND:]),
    ]
    told = (f"{title}\n{_lines(map(_memory, some))}" for title, some in parts if some)
    return in_24_hours("\n".join(told)) or f"Nothing in particular is on the mind of {name}."


def so_far(name: str, transcript: Sequence[DialogueTurn]) -> str:
    """Return a talk with its last words apart, which are to be answered."""
    if not transcript:
        return f"Nothing has been said yet: {name} speaks first."
    *before, last = transcript
    said = f"So far:\n{situated_text(tuple(before))}\n\n" if before else ""
    return f'{said}{last.speaker} has just said: "{in_24_hours(last.said)}"'


@dataclass(frozen=True)
class TurnPart:
    """One part of an utterance: what a model is asked for, and the key of the answer in which it writes that.

    Names of keys bind small models, where a sentence in the prompt does not: asked for an utterance as a whole, they
    say again what was just said.
    """

    asked: str
    """`Ada answers Ben`, after which the key is named."""
    most: int
    """Characters of the words."""

    @property
    def key(self) -> str:
        return key_of(self.asked)


def key_of(text: str) -> str:
    """Return a text as the key of an answer; of a long one its first clause, or what is whole of it, since small models
    go on with words that break off.
    """
    key = NOT_IN_KEYS.sub("", text)
    if len(key) <= KEY:
        return key
    clause = CLAUSE.search(key, FIRST_CLAUSE, KEY)
    return key[: clause.start()] if clause else without_open_end(key[:KEY].rpartition(" ")[0])


def turn_parts(
    name: str, other: str, transcript: Sequence[DialogueTurn], *, subject: str, parting: bool, strangers: bool
) -> tuple[TurnPart, ...]:
    """Return the parts of an utterance: a goodbye, a greeting, an answer, or what the speaker comes to by itself.

    Only a greeting is followed by something else: after a reply, small models say that once more.
    """
    own, theirs = called(name), called(other)
    if parting:
        return (TurnPart(f"{own} says goodbye to {theirs}", GOODBYE),)
    about = with_short_names(in_24_hours(subject), [name, other], named=True)
    comes_to = (TurnPart(f"{own} {about}", COMES_TO),) if subject else ()
    if not transcript:
        greets = f"{own} greets {theirs} and says who {own} is" if strangers else f"{own} greets {theirs}"
        return (TurnPart(greets, OPENING), *comes_to)
    asked = "?" in transcript[-1].said
    reply = f"{own} answers that question of {theirs}" if asked else f"{own} replies to {theirs}"
    return comes_to or (TurnPart(reply, ALONE),)


def joined(said: Sequence[tuple[str, TurnPart]]) -> str:
    """Return the words of the parts as one utterance, in whole sentences: a part that ran into its limit is often gone
    on with in the next one.
    """
    told, cut = list[str](), False
    for words, part in said:
        whole = whole_part(words, part.most)
        goes_on = cut and words.lstrip()[:1].islower()
        told.append(whole.partition(". ")[2] if goes_on else whole)
        cut = is_cut(words, part.most)
    return " ".join(filter(None, told))


def _names(memory: QuotedMemory, person: str) -> bool:
    return person in memory.text or person == memory.partner


def _memory(memory: QuotedMemory) -> str:
    """Return a memory; only what was seen or talked about says when."""
    return situated_text((memory,)).removeprefix("- ") if memory.kind != "thought" else shortened(memory.text, QUOTED)


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)
