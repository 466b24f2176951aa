"""Ties and feelings between personas, as memories word them."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from random import Random

from ville.offline.grammar import FULL_NAME, called_alike, first_of
from ville.offline.table import Value, load, pattern

KIN = "wife|husband|spouse|partner|son|daughter|mother|father|brother|sister"
OVERHEARD = "conversing about"
"""Begins the description of a conversation."""
_NO_FEELING = re.compile(rf"{OVERHEARD}|has become part of|keep crossing each other|than a chance acquaintance")
_CLOSE = re.compile(r"\b(?:in love|married|parent|family|mentor|friends|share a house)\b")
_BELOVED = re.compile(rf"\b(?:in love with|crush on) ({FULL_NAME.pattern})")
_LOVE = re.compile(r"\b(?:in love|married|parent|family)\b")
_PRONOUNS = {"his", "her", "their"}
_NAME = r"[A-Z][\w’-]+(?: (?:[a-z]{2,3} )?[A-Z][\w’-]+)*"
_KIN_STATED = re.compile(
    rf"(?P<who>{_NAME})(?: is|,) (?P<whose>his|her|their|{_NAME}['’]s) (?:\w+ )?(?P<word>{KIN})\b"
    rf"|\b(?:his|her|their|an?) (?P<kin>{KIN}),? (?P<named>[A-Z][\w’-]+)"
    rf"|(?P<one>{_NAME}) and (?P<two>{_NAME}) are (?P<pair>married|parent and child|family)\b"
    rf"|(?:his|her|their|{_NAME}['’]s) marriage with (?P<mate>{_NAME})"
)
MARRIED = {"wife", "husband", "spouse", "partner"}
PARENTAL = {"son", "daughter", "mother", "father", "parent"}
DISTANT, ACQUAINTED = 0.25, 0.6


@cache
def _ties() -> Value:
    return load("ties.yaml")


@cache
def _shown() -> tuple[tuple[int, re.Pattern[str]], ...]:
    return tuple((int(value), pattern(words)) for value, words in _ties()["shown by"].items())


def mentions(text: str, name: str) -> bool:
    return bool(name) and name in text


def feeling(texts: Iterable[str], other: str) -> int:
    """Return the feeling for another persona in texts, from -2 (dislike) to 2 (love); 0 if none is stated."""
    found = [value for text in texts if (value := _feeling_in(text, other))] if other else []
    return max(found, key=lambda value: (abs(value), -value), default=0)


@lru_cache(maxsize=32768)
def _feeling_in(text: str, other: str) -> int:
    if first_of(other) not in text or _NO_FEELING.search(text):
        return 0
    if other not in text and not re.search(rf"\b{re.escape(first_of(other))}\b", text):
        return 0
    found = [value for value, words in _shown() if words.search(text)]
    return max(found, key=lambda value: (abs(value), -value), default=0)


def beloved(texts: Iterable[str]) -> set[str]:
    """Return the first names of the personas that texts say one is in love with."""
    return {first_of(found[1]) for text in texts for found in _BELOVED.finditer(text)}


def kin(name: str, other: str, texts: Iterable[str]) -> str:
    """Return the other's role in the family of `name`: `wife`, `son`, ..., `family`, or an empty string."""
    first = first_of(other)
    found = (_kin_of(text, name, other) for text in texts if first in text)
    return next((related for related in found if related), "") if other else ""


def _kin_of(text: str, name: str, other: str) -> str:
    for who, whose, word in _kin_in(text):
        if called_alike(who, other) and (called_alike(whose, name) if whose else _is_about(text, who, name, other)):
            return word
        if whose and called_alike(who, name) and called_alike(whose, other):
            return word if word in {"parent", "family"} else "spouse" if word in MARRIED else "family"
    return ""


def _is_about(text: str, who: str, name: str, other: str) -> bool:
    """Return whether `his wife Mei` or `Mei Lin, his wife` means a relative of `name`."""
    return " " in who or (
        text.startswith(first_of(name)) and name.rsplit(" ", maxsplit=1)[-1] == other.rsplit(" ", maxsplit=1)[-1]
    )


@lru_cache(maxsize=32768)
def _kin_in(text: str) -> tuple[tuple[str, str, str], ...]:
    """Return (relative, whose relative, role) for each tie stated in a text; `whose` is empty for `his` and `her`."""
    found = []
    for said in _KIN_STATED.finditer(text):
        parts = said.groupdict()
        if parts["pair"]:
            word = {"married": "spouse", "parent and child": "parent"}.get(parts["pair"], "family")
            found.append((parts["one"], parts["two"], word))
        else:
            whose = (parts["whose"] or "").removesuffix("'s").removesuffix("’s")
            who = parts["who"] or parts["named"] or parts["mate"]
            found.append((who, "" if whose in _PRONOUNS else whose, parts["word"] or parts["kin"] or "spouse"))
    return tuple(found)


def tie(name: str, other: str, texts: Iterable[str]) -> str:
    """Return the family tie, or else the first tie of ties.yaml that texts show; empty for strangers."""
    texts = tuple(texts)
    if related := kin(name, other, texts):
        are = "married" if related in MARRIED else "parent and child" if related in PARENTAL else "family"
        return f"{name} and {other} are {are}"
    return _tie_in(name, other, tuple(text for text in texts if mentions(text, other)))


@lru_cache(maxsize=8192)
def _tie_in(name: str, other: str, about: tuple[str, ...]) -> str:
    for row in _ties()["ties"]:
        shape = _shape(row["means"], first_of(name) if "{name}" in row["means"] else "")
        if any(shape.search(text) for text in about):
            return str(row["says"]).format(name=name, other=other)
    return ""


@cache
def _shape(means: str, name: str) -> re.Pattern[str]:
    return re.compile(means.replace("{name}", re.escape(name)))


def is_love(name: str, other: str, texts: Iterable[str]) -> bool:
    """Return whether the tie is love, marriage or family."""
    return bool(_LOVE.search(tie(name, other, texts)))


def closeness(tied: str) -> float:
    """Return the closeness of a tie, from DISTANT (strangers) to 1 (friends and family)."""
    return 1.0 if _CLOSE.search(tied) else ACQUAINTED if tied else DISTANT


def impression(name: str, other: str, texts: tuple[str, ...], rng: Random) -> str:
    """Return one sentence about a tie and the feeling that goes with it."""
    told = tie(name, other, texts)
    if not told:
        return f"{name} and {other} hardly know each other."
    line = rng.choice(_ties()["feelings"][_feeling_about(other, texts)])
    return f"{told}, {line.format(name=first_of(name), other=first_of(other))}."


def feeling_in_short(name: str, other: str, texts: tuple[str, ...]) -> str:
    """Return the feeling that goes with a tie in a few words; nothing for strangers."""
    return str(_ties()["in short"][_feeling_about(other, texts)]) if tie(name, other, texts) else ""


def _feeling_about(other: str, texts: Iterable[str]) -> int:
    return feeling([text for text in texts if mentions(text, other)], other)
