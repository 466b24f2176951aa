"""Memories of residents about visitors."""

import re
from collections.abc import Iterable, Sequence

from ville.offline.rule_types import Answer
from ville.offline.talks.sayings import heard
from ville.plain_text import shortened

LONGEST = 200
"""Characters of a visitor's words that are remembered."""
WHO = "visitor who"
"""Key of the question what brings a visitor here."""
_VISITING = re.compile(r"^(.+?) is visiting the town: (.+?)\.?$")
_MET = "{name} met {other}, a visitor of the town, who said: "


def visitors_in(texts: Iterable[str]) -> dict[str, str]:
    """Return what memories tell of visitors, by name."""
    return {found[1]: found[2] for text in texts if (found := _VISITING.match(text))}


def memory_of_visitor(name: str, other: str, remarks: Sequence[tuple[str, str]]) -> Answer | None:
    """Return what a visitor has told about itself; None if it was not asked."""
    asked = False
    for speaker, said in remarks:
        if asked and speaker == other:
            text = f"{_MET.format(name=name, other=other)}{shortened(said, LONGEST)}"
            return {"text": text, "predicate": "met", "object": other, "poignancy": 5}
        asked = asked or (speaker == name and any(line.key == WHO for line in heard(said)))
    return None


def told_of_visitor(name: str, other: str, texts: Iterable[str]) -> str:
    """Return what one tells of a visitor in an interview; empty if the other was none."""
    about, met = visitors_in(texts).get(other, ""), _MET.format(name=name, other=other)
    said = next((text.removeprefix(met) for text in texts if text.startswith(met)), "")
    heard_from = f" I asked, and was told: {said}" if said else ""
    return f"{other} was here on a visit: {about}.{heard_from}" if about else ""
