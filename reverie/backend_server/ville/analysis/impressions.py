"""Impressions that personas keep of each other, as their saves have them: when each was noted, and whether it is kind.

A save has the latest impression of each persona of each other, so of several between two saves only the last is known.
Compressed runs have only those at their end.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ville.analysis.comparison.compared_run import ComparedRun
from ville.errors import CorruptFile
from ville.storage.past.checkpoints import read_checkpoint, stems

FILE = Path(__file__).with_name("feelings.yaml")
LIKES, DISLIKES, NEITHER = "likes", "dislikes", ""
UNKNOWN = "unknown"
Impressions = Mapping[str, Mapping[str, tuple[str, str]]]
"""Relationship and feeling, by who has the impression and of whom."""


@dataclass(frozen=True)
class KeptImpression:
    """An impression that a persona has of another, from a step on."""

    who: str
    other: str
    step: int
    """Of the last talk of the two before the save that has it; without one, of that save."""
    relationship: str
    """In the words of the persona."""
    feeling: str
    """In a word or two; empty if none was noted."""
    liking: str
    """`likes`, `dislikes` or empty: by the words of the feeling, or of the relationship where no feeling is noted."""
    by_save: bool
    """Whether only the save is known by which it was noted."""


def impressions(run: ComparedRun) -> list[KeptImpression]:
    """Return all impressions between residents that the saves of a run have, in order of time."""
    before: dict[tuple[str, str], tuple[str, str]] = {}
    found: list[KeptImpression] = []
    last = run.first
    for step, saved in _saves(run):
        for who, other, text in _pairs(run, saved):
            if before.get((who, other)) != text:
                found.append(_noted(run, (who, other), text, (last, step)))
                before[who, other] = text
        last = step
    return sorted(found, key=lambda each: (each.step, each.who, each.other))


def _pairs(run: ComparedRun, saved: Impressions) -> Iterator[tuple[str, str, tuple[str, str]]]:
    for who, others in saved.items():
        yield from ((who, other, text) for other, text in others.items() if other in run.people and other != who)


def _noted(run: ComparedRun, pair: tuple[str, str], text: tuple[str, str], span: tuple[int, int]) -> KeptImpression:
    """Return an impression that was noted between two saves."""
    who, other = pair
    talks = (run.step_of(node) for node in run.memories[who] if node["type"] == "chat" and node["object"] == other)
    talked = [step for step in talks if span[0] <= step < span[1]]
    step = talked[-1] if talked else span[1]
    return KeptImpression(who, other, step, *text, liking=liking(*text), by_save=not talked)


def _saves(run: ComparedRun) -> Iterator[tuple[int, Impressions]]:
    """Yield the impressions of each save up to the end of a run, by its step."""
    for stem in stems(run.folder.root):
        if stem.step <= run.steps:
            with suppress(CorruptFile):
                parts = read_checkpoint(run.folder.root, stem).personas
                yield stem.step, {name: _kept(part.scratch) for name, part in parts.items()}
    if run.steps == run.meta.step:
        yield run.steps, {name: _kept(run.scratch(name)) for name in run.people}


def _kept(scratch: Mapping[str, Any]) -> Mapping[str, tuple[str, str]]:
    """Return the impressions in the state of a persona."""
    values = scratch.get("relationship")
    rows = values.items() if isinstance(values, dict) else ()
    texts = {other: (_text(row, "relationship"), _text(row, "feeling")) for other, row in rows if isinstance(row, dict)}
    return {other: text for other, text in texts.items() if text[0]}


def _text(row: Mapping[str, object], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) and value != UNKNOWN else ""


def liking(relationship: str, feeling: str) -> str:
    """Return whether an impression is `likes`, `dislikes` or neither, by the words of `feelings.yaml` alone."""
    words = _words()["feeling" if feeling else "relationship"]
    return next((name for name, pattern in words.items() if pattern.search(feeling or relationship)), NEITHER)


@cache
def _words() -> Mapping[str, Mapping[str, re.Pattern[str]]]:
    table: Mapping[str, Mapping[str, list[str]]] = yaml.safe_load(FILE.read_text("utf-8"))
    return {text: {name: _any_of(words) for name, words in rows.items()} for text, rows in table.items()}


def _any_of(words: list[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})", re.IGNORECASE)
