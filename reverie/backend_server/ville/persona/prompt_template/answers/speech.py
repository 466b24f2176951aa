"""Words of a person in what a model wrote: without its name, stage directions, and quotes of itself."""

import re
from functools import lru_cache

from ville.persona.prompt_template.answers.meant import meant_text

LONGEST = 80
"""Characters of a stage direction."""
SAYS = r"(?:says|said|replies|replied|answers|answered|asks|asked|adds|added|whispers|whispered)"
DIRECTION = rf"(?P<{{}}>[^*()\[\]]{{{{2,{LONGEST}}}}})"
DIRECTIONS = re.compile(
    rf"(?:(?<=^)|(?<=[.!?…,;:—-])|(?<=[.!?…,;:—-]\s))\s*"
    rf"(?:\*{DIRECTION.format('starred')}\*|\({DIRECTION.format('round')}\)|\[{DIRECTION.format('square')}\])(?=\s|$)"
)
"""Words in asterisks or brackets before a sentence, after one, or after a part of one."""
DOING = re.compile(r"(?:[a-z]+(?:s|ing|ly)|with a|in a|\w+(?:ет|ёт|ит|ют|ут|ется|ится|ясь|ась))(?=[\s,.]|$)")
"""How a stage direction begins: `smiles`, `laughing softly`, `with a smile`."""
NO_DOING = {
    "yes", "this", "his", "its", "is", "was", "as", "us", "has", "does", "always", "perhaps", "thanks", "news", "less",
    "unless", "only", "really", "nothing", "something", "anything", "everything", "morning", "evening", "plus",
    "during", "especially", "usually", "probably", "possibly", "hopefully", "actually", "obviously", "honestly",
    "finally", "including", "depending", "assuming", "considering", "нет", "привет", "совет", "ответ", "хорошо",
}  # fmt: skip
"""First words that are spoken."""


def spoken_by(name: str, text: str, other: str) -> str:
    """Return what one person says in a text, without `Ada Stone:` before it and without what the other answers.

    An answer follows the end of a sentence, unlike the name in `I told Ben: come in`. Stage directions are left out;
    of `Ada says, "Come in."` the quoted words remain.
    """
    own, answer = (_label(person) for person in (name, other or name))
    bare = re.sub(rf"\W*{own}", "", text, count=1) if re.match(rf"\W*{own}", text) else text
    said = meant_text(re.split(rf"(?<![\w,])\s{answer}", bare, maxsplit=1)[0])
    return meant_text(without_directions(_unquoted(name, without_directions(said))))


def _label(name: str) -> str:
    """Return the pattern of what introduces the words of a person: `Ada:`, `Ada Stone says:`, `Ada (smiling):`."""
    return rf"{_either(name)}(?:\*\*)?(?:\s+(?:says|said|replies))?(?:\s*\([^)]*\))?\s*:(?:\*\*)?\s*"


def _either(name: str) -> str:
    return f"(?:{re.escape(name)}|{re.escape(name.partition(' ')[0])})"


def _unquoted(name: str, text: str) -> str:
    """Return the words that a person says in a text that tells it: `Ada says, "Come in."`, `"Come in," says Ada.`"""
    saying, said_by = _quoting(name)
    before = saying.fullmatch(text)
    found = before or said_by.fullmatch(text)
    if not found:
        return text
    said = found["said"].strip()
    return said if before else re.sub(r",$", ".", said)


@lru_cache(maxsize=1000)
def _quoting(name: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of what a person says, with the person before and after it."""
    quoted = r"[\"“«](?P<said>[^\"“”«»]+)[\"”»]"
    who = rf"(?:{_either(name)}|He|She|I)"
    tag = rf"(?:{who}\s+{SAYS}|{SAYS}\s+{who})"
    return (
        re.compile(rf"{who}\s+{SAYS}\b[^\"“«]{{0,{LONGEST}}}?[,:]?\s*{quoted}\.?"),
        re.compile(rf"{quoted},?\s*{tag}\b[^\"“«]{{0,{LONGEST}}}", re.IGNORECASE),
    )


def without_directions(text: str) -> str:
    """Return spoken words without stage directions: `*smiles* Come in. (laughs)`. Emphasis and remarks stay."""
    return DIRECTIONS.sub(_unless_direction, text).strip()


def _unless_direction(found: re.Match[str]) -> str:
    direction = next(part for part in found.groups() if part is not None).strip()
    first = re.match(r"[^\W\d_]+", direction)
    does = DOING.match(direction) and first and first[0] not in NO_DOING
    return "" if does else found[0]
