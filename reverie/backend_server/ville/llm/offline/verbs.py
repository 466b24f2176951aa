"""English verbs, as far as plans and small talk need them: which words are verbs, and their forms."""

import re
from functools import cache

from ville.llm.offline.table import words

_FILE = "verbs.yaml"
_IRREGULAR = {"be": "is", "have": "has", "do": "does", "go": "goes"}
_REGULAR = {third: base for base, third in _IRREGULAR.items()} | {"dies": "die", "lies": "lie", "ties": "tie"}
_AFTER_VERB = frozenset(
    "a an the my his her their your up down out to in at on for with some about what how".split()  # noqa: SIM905
)


def first_of(text: str) -> str:
    """Return the first word of a name or a phrase."""
    return text.split(" ", maxsplit=1)[0]


def is_base(word: str) -> bool:
    """Return whether a word is a verb in its base form."""
    return word in words(_FILE, "bases")


def is_modal(word: str) -> bool:
    return word in words(_FILE, "modals")


def is_past(word: str) -> bool:
    return word in words(_FILE, "pasts")


def is_adverb(word: str) -> bool:
    return word in words(_FILE, "adverbs")


def third(verb: str) -> str:
    """`study` becomes `studies`."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if re.search(r"(?:s|x|z|ch|sh)$", verb):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"


def base(verb: str) -> str:
    """`studies` becomes `study`; a word that is not in the third person stays as it is."""
    if verb in _REGULAR:
        return _REGULAR[verb]
    if not verb.endswith("s") or verb.endswith("ss"):
        return verb
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith("es") and (is_base(verb[:-2]) or re.search(r"(?:x|z|ch|sh|ss)es$", verb)):
        return verb[:-1] if is_base(verb[:-1]) else verb[:-2]
    return verb[:-1]


def is_third(word: str) -> bool:
    """Return whether a word is a verb in the third person."""
    return word in _REGULAR or (word.endswith("s") and not word.endswith("ss") and is_base(base(word)))


def ing(verb: str) -> str:
    """`stop` becomes `stopping`."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb in words(_FILE, "doubled"):
        return verb + verb[-1] + "ing"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")) and verb != "be":
        return verb[:-1] + "ing"
    return verb + "ing"


def gerund(phrase: str) -> str:
    """`get up and wash` becomes `getting up and washing`; a phrase that begins with no verb stays as it is."""
    parts = phrase.split(" ")
    if not is_base(parts[0]):
        return phrase
    parts[0] = ing(parts[0])
    for number, word in enumerate(parts[:-1], start=1):
        if word in {"and", "or", "then"} and _is_verb_here(parts, number):
            parts[number] = ing(parts[number])
    return " ".join(parts)


def _is_verb_here(parts: list[str], number: int) -> bool:
    word, after = parts[number], parts[number + 1 : number + 2]
    return is_base(word) and (word not in words(_FILE, "nouns too") or bool(_AFTER_VERB & set(after)))


def doing(predicate: str) -> str:
    """`is painting a wall` and `paints a wall` both become `painting a wall`."""
    verb, _, rest = predicate.partition(" ")
    if verb in {"is", "are", "was"}:
        return rest if first_of(rest).endswith("ing") else f"being {rest}"
    return gerund(f"{base(verb)} {rest}".strip())


def plain(phrase: str) -> str:
    """`writing and filming a series` becomes `write and film a series`; other phrases stay."""
    parts = phrase.split(" ")
    if parts[0] not in _of_ing():
        return phrase
    for number, word in enumerate(parts):
        if number == 0 or parts[number - 1] in {"and", "or"}:
            parts[number] = _of_ing().get(word, word)
    return " ".join(parts)


@cache
def _of_ing() -> dict[str, str]:
    return {ing(verb): verb for verb in sorted(words(_FILE, "bases"))}
