"""The end of a talk, by rule: leave-taking, repetition, and a length that follows from who the two are.

Models end a talk with its first words, or never. The offline rules take leave by themselves, and are left alone.
"""

import re
from collections.abc import Collection
from pathlib import Path
from random import Random
from typing import TypedDict

import yaml

from ville.persona.cognitive_modules.conversing.manner import talkativeness
from ville.persona.cognitive_modules.view import VisiblePersona
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.scratch import Transcript
from ville.persona.prompt_template.answers.content import SENTENCES

LEAST, USUAL, SPREAD = 4, 6, 3
"""Utterances of a talk: the fewest that it has room for, a greeting and a parting of both; those of two people without
special traits; and how many more by chance.
"""
OWN_TRAITS = 2
"""Utterances by which a talkative or a quiet person makes a talk longer or shorter."""
PASSING = 2
"""Utterances by which a talk is shorter for each of the two who is on the way somewhere."""
ALIKE = 0.8
"""Share of the words of an utterance that were said at once before, from which on it repeats that."""
FEW_WORDS = 4
"""Words of an utterance, names aside, that may be said again: greetings and thanks."""
FILE = Path(__file__).with_suffix(".yaml")


class _Words(TypedDict):
    """The file of words of this module."""

    leave: str
    addresses: str


_WORDS: _Words = yaml.safe_load(FILE.read_text("utf-8"))
_LEAVE = re.compile(_WORDS["leave"], re.IGNORECASE | re.VERBOSE)
_ADDRESSES = re.compile(rf"(?P<words>{_WORDS['addresses']})(?P<name>[\w'’-]+)(?=[.!?,…]|$)", re.IGNORECASE | re.VERBOSE)


def takes_leave(said: str) -> bool:
    """Return whether somebody says goodbye, or has to go."""
    return bool(_LEAVE.search(said))


def repeats(said: str, before: Collection[str], names: Collection[str]) -> bool:
    """Return whether an utterance says again, or back, an earlier one; greetings and thanks may be."""
    words = _words(said, names)
    if len(words) < FEW_WORDS:
        return False
    return any(len(words & _words(each, names)) >= ALIKE * len(words) for each in before)


def without_echo(said: str, before: Collection[str], names: Collection[str]) -> str:
    """Return an utterance without sentences that were said before, also in itself; empty if it repeats as a whole."""
    if repeats(said, before, names):
        return ""
    earlier = [sentence for each in before for sentence in SENTENCES.split(each)]
    kept: list[str] = []
    for sentence in SENTENCES.split(said):
        if not repeats(sentence, [*earlier, *kept], names):
            kept.append(sentence)
    return " ".join(kept).strip()


def to_the_other(said: str, own: str, other: str) -> str:
    """Return an utterance in which whoever speaks addresses the other, not themselves; by first names."""
    return _ADDRESSES.sub(lambda found: found["words"] + (other if found["name"] == own else found["name"]), said)


def _words(text: str, names: Collection[str]) -> set[str]:
    parts = {part.casefold() for name in names for part in name.split()}
    return {word for word in re.findall(r"\w+", text.casefold()) if word not in parts}


def is_parting(transcript: Transcript) -> bool:
    """Return whether somebody has taken leave; the first words of a talk never do (`see you at the party!`)."""
    return any(takes_leave(said) for _, said in transcript[1:])


def is_over(transcript: Transcript) -> bool:
    """Return whether a talk ends with its last utterance: the answer to a leave-taking, or the second one of two."""
    return is_parting(transcript[:-1])


def to_its_end(transcript: Transcript) -> Transcript:
    """Return a talk up to where it repeats itself, or is over."""
    names = {speaker for speaker, _ in transcript}
    for count, (_, said) in enumerate(transcript):
        if is_over(transcript[:count]) or repeats(said, [before for _, before in transcript[:count]], names):
            return transcript[:count]
    return transcript


def most_utterances(identities: Collection[Identity], seen: Collection[VisiblePersona], chance: Random) -> int:
    """Return how many utterances a talk has at most; an even number, so that both have the last word equally."""
    talkative = sum(talkativeness(each) for each in identities)
    walking = sum(each.walking for each in seen)
    length = USUAL + OWN_TRAITS * talkative - PASSING * walking + chance.randrange(SPREAD)
    return max(LEAST, length - length % 2)
