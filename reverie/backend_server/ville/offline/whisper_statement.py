"""Whispers that grammar turns into statements, and those where it is in doubt: a model words these."""

import re

from ville.offline.grammar import Pronoun, first_of, is_adverb, is_base, is_modal, is_past, is_third
from ville.offline.table import words
from ville.offline.third_person import (
    AUXILIARY,
    CLAUSE,
    FIRST_WORDS,
    QUOTE,
    is_ambiguous,
    is_order,
    whispered_thought,
    without_address,
)

_FILE = "verbs.yaml"
_SPEAKER = re.compile(r"\b(?:I|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|us|[Oo]ur)\b")
_START = r"(?:^|[.!;] +)"
_WHO = r"(?:you|he|she|they|it|we)\b"
_ASKS = r"(?:does|did|are|is|were|was|has|had|can|could|would|should|must)(?:n't)?"
_ASKS_OR_ORDERS = r"(?:do|don't|have|haven't|will|won't|can't|may|might)"
_DOUBTFUL = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_START}(?i:{_ASKS})\s",
        rf"{_START}(?i:{_ASKS_OR_ORDERS} {_WHO})",
        rf"{_START}(?i:who|whom|whose|what|which|where|when|why|how) (?:{_ASKS}|{_ASKS_OR_ORDERS})\s",
        rf",? (?:{_ASKS}|{_ASKS_OR_ORDERS}) {_WHO}\W*$|, (?:right|okay|ok|huh)\W*$",
        r"(?i:\byou(?:'d| had) better\b|\blet's\b)",
        rf"{_START}(?:[Yy]our |[Tt]he )?\w+(?: [A-Z][\w'-]*)* and you\b",
        r"\b[Yy]ou and [A-Z][^.;!]*\b(?:you|yours?|yourself)\b",
    )
)
"""Questions and tags, `you'd better`, and others together with the person, whose pronouns would be those of several."""
_ADDRESS = re.compile(rf"{_START}([A-Z][\w'-]*(?: [A-Z][\w'-]*)*)[,!:] +(\w+)")
_IN_CASE = re.compile(rf"{_START}(?:[Ii]f|[Ii]n case) [^,.;!]+, (?:(?:then|please|never|do not|don't) )*(\w+)")
_MUTUAL = re.compile(r"\b(\w+) you,? (?:and|but|so) you\b")


def statement(whisper: str, name: str, pronoun: Pronoun) -> str | None:
    """Return what a whisper in English says about a person, with everything that it says; None where that takes more
    than grammar: a question, words of somebody who speaks of itself, or what grammar would get wrong.
    """
    spoken = QUOTE.sub("", whisper).replace("’", "'")
    if "?" in spoken or _SPEAKER.search(spoken) or _is_doubtful(spoken, name):
        return None
    return whispered_thought(whisper, name, pronoun)


def _is_doubtful(spoken: str, name: str) -> bool:
    """Return whether grammar may get words to a person wrong."""
    if any(pattern.search(spoken) for pattern in _DOUBTFUL) or _is_to_another(spoken, name):
        return True
    in_case = any(is_base(found[1].lower()) for found in _IN_CASE.finditer(spoken))
    mutual = any(is_third(found[1]) or is_past(found[1]) for found in _MUTUAL.finditer(spoken))
    told = re.sub(r"\bdon't\b", "do not", without_address(spoken, name), flags=re.IGNORECASE)
    return in_case or mutual or any(map(_is_unclear_order, FIRST_WORDS.finditer(told)))


def _is_to_another(spoken: str, name: str) -> bool:
    """Return whether somebody else is spoken to by name."""
    for called, following in _ADDRESS.findall(spoken):
        own = called.lower() in {name.lower(), first_of(name).lower()}
        opening = is_adverb(called.lower()) or called.lower() in words(_FILE, "openings")
        if not own and not opening and (following.lower() in {"you", "please", "never"} or is_base(following.lower())):
            return True
    return False


def _is_unclear_order(found: re.Match[str]) -> bool:
    """Return whether a sentence begins with a verb, but is not sure to be an order."""
    word, following = found[4].lower(), found[5]
    after = re.findall(r"[\w']+", following.lower())[:1]
    if not is_base(word):
        return False
    if after == ["you"]:
        return True
    clause = CLAUSE.split(following)[0].lower().split()
    tells = any(each in AUXILIARY or is_modal(each) or is_past(each) for each in clause) or any(map(is_third, after))
    return not is_order(found) and not (is_ambiguous(word) and tells)
