"""Other descriptions of people: in other words, with sentences in another order, or swapped."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import yaml

from ville.json_types import JsonObject

FIELDS = ("innate", "learned", "currently")
SWAPPED = ("innate", "learned", "lifestyle")
"""Lines of the identity that are swapped: not what people intend to do, where they live, and what their work asks."""
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
PRONOUN = re.compile(r"^(?:She|He)\b")
Identities = Mapping[str, Mapping[str, object]]
"""Lines of the identity of each person, by name."""


@cache
def other_words() -> Mapping[str, str]:
    """Return phrases, and others that say the same."""
    found: Mapping[str, str] = yaml.safe_load(Path(__file__).with_name("other_words.yaml").read_text("utf-8"))
    return found


def other_traits(people: Identities, how: str) -> Iterator[JsonObject]:
    """Yield an intervention for each line of an identity that becomes another one."""
    names = list(people)
    for place, (name, lines) in enumerate(people.items()):
        other = names[(place + 1) % len(names)]
        for field in SWAPPED if how == "swapped" else FIELDS:
            before = str(lines.get(field) or "")
            if how == "swapped":
                after = _as_of(str(people[other].get(field) or ""), other, name)
            else:
                after = _worded(before) if how == "other_words" else _reordered(before, field, name)
            if after and after != before:
                yield {"kind": "trait", "who": name, "field": field, "now": after}


def _worded(text: str) -> str:
    """Return a text with each phrase replaced at once, so that none is replaced twice."""
    words = other_words()
    phrases = "|".join(
        rf"(?<!\w){re.escape(each)}(?!\w)" if each.strip() == each else re.escape(each)
        for each in sorted(words, key=len, reverse=True)
    )
    return re.sub(phrases, lambda found: words[found[0]], text)


def _reordered(text: str, field: str, name: str) -> str:
    """Return a list from its end, and sentences in another order, each with a name.

    What begins with another word than the person stays behind the sentence before it.
    """
    if field == "innate":
        return ", ".join(reversed([each.strip() for each in text.split(",")]))
    groups: list[list[str]] = []
    for sentence in SENTENCE.split(text):
        if PRONOUN.match(sentence) or sentence.startswith(name.split(maxsplit=1)[0]) or not groups:
            groups.append([PRONOUN.sub(name, sentence)])
        else:
            groups[-1].append(sentence)
    return " ".join(sentence for group in reversed(groups) for sentence in group)


def _as_of(text: str, other: str, name: str) -> str:
    """Return what is said of another person as if it were said of this one."""
    return text.replace(other, name).replace(other.split(maxsplit=1)[0], name.split(maxsplit=1)[0])
