"""Read from saved conversations who introduces itself to whom, who invites, accepts an invitation, or quarrels."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import yaml

from ville.analysis.known_names import is_named
from ville.analysis.measures import Gathering, NodeData, SavedRun, told_by, utterances
from ville.storage.dates import parse_node_time

FILE = Path(__file__).with_name("talk_patterns.yaml")
PLAN = "plan"
"""Predicate of a thought that is the plan of a day."""


POSSESSIVE = re.compile(r"(.+?)['’]s? (.+)", re.DOTALL)
"""The owner and what is owned."""
Lines = Sequence[Sequence[str]]
"""Speaker and words of each turn."""


class Invitation(NamedTuple):
    """One persona invites others to something of its own."""

    host: str
    to: str
    """For example `party`."""


class Introduction(NamedTuple):
    """One persona introduces itself to another in a conversation, or asks who the other is."""

    when: str
    who: str
    other: str
    words: str
    contradicts: bool
    """Whether its memories before the conversation say that the two know each other."""


def introductions(run: SavedRun) -> list[Introduction]:
    """Return all introductions, in order of time."""
    return sorted(each for name in run.people for each in _introductions_of(name, run.memories[name]))


def _introductions_of(name: str, memories: list[NodeData]) -> Iterator[Introduction]:
    for place, node in enumerate(memories):
        if node["type"] != "chat":
            continue
        other, pattern = str(node["object"]), talk_pattern("introduces", name, str(node["object"]))
        words = next((said for speaker, said in utterances(name, node) if speaker == name and pattern.search(said)), "")
        if words:
            yield Introduction(node["created"], name, other, words, _knows(name, other, memories[:place]))


def _knows(name: str, other: str, memories: list[NodeData]) -> bool:
    """Return whether memories have a conversation with the other, or a history or whisper about a past with it."""
    talked = any(node["type"] == "chat" and node["object"] == other for node in memories)
    return talked or any(_is_past(name, other, node) for node in memories)


def _is_past(name: str, other: str, node: NodeData) -> bool:
    """Return whether a thought that rests on no other memory names both and does not say that they have not met."""
    text = node["description"]
    told = node["type"] == "thought" and not node["filling"] and node["predicate"] != PLAN
    return told and is_named(other, text) and not talk_pattern("unacquainted", name, other).search(text)


def accepted(run: SavedRun, gathering: Gathering) -> frozenset[str]:
    """Return who last said or thought before a gathering that it will come, the host excluded."""
    guests = (name for name in run.people if name != gathering.news.source)
    return frozenset(name for name in guests if _accepts(name, run.memories[name], gathering))


def _accepts(name: str, memories: list[NodeData], gathering: Gathering) -> bool:
    coming = False
    for node in memories:
        if parse_node_time(node["created"]) < gathering.begins and told_by(name, node, gathering.news):
            own = " ".join(said for speaker, said in utterances(name, node) if speaker == name)
            yes, no = (bool(talk_pattern(section, name, "").search(own)) for section in ("accepts", "declines"))
            coming = yes if yes != no else coming and not no
    return coming


def invitation(names: Sequence[str], about: str, lines: Lines) -> Invitation | None:
    """Return who invites the others to something of its own, the subject of a conversation; None if no one does."""
    owned = POSSESSIVE.fullmatch(about)
    host = next((name for name in names if owned and owned[1] in {name, name.partition(" ")[0]}), None)
    invites = talk_pattern("invites", "", "")
    if host and owned and any(speaker == host and invites.search(said) for speaker, said in lines):
        return Invitation(host, owned[2])
    return None


def sharp_words(lines: Lines) -> str:
    """Return the first words of a quarrel in a conversation; empty if there are none."""
    pattern = talk_pattern("quarrels", "", "")
    return next((said for _, said in lines if pattern.search(said)), "")


@lru_cache(maxsize=4096)
def talk_pattern(section: str, me: str, other: str) -> re.Pattern[str]:
    """Return what any of the patterns of a section matches, with the first names of two personas."""
    names = {"{me}": re.escape(me.partition(" ")[0]), "{other}": re.escape(other.partition(" ")[0])}
    filled = "|".join(f"(?:{pattern})" for pattern in _table()[section])
    return re.compile(re.sub(r"\{(?:me|other)\}", lambda blank: names[blank[0]], filled), re.IGNORECASE)


@cache
def _table() -> Mapping[str, Sequence[str]]:
    table: Mapping[str, Sequence[str]] = yaml.safe_load(FILE.read_text("utf-8"))
    return table
