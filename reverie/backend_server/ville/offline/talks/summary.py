"""Summaries of social memory: which sentences are kept, and how they are read back."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from ville.offline.grammar import first_of, sentences
from ville.offline.talks.afterwards import SOME_DAY
from ville.offline.talks.news import PLANNING, record_of, talked

MOST, LONGEST = 5, 450
"""Sentences of a summary, and its characters."""


@dataclass(frozen=True)
class SummedUp:
    """A sentence of a summary, as a memory of the rules."""

    text: str
    when: datetime
    kind: str = "thought"
    poignancy: int = 5


def memories_in(summary: str, now: datetime) -> tuple[SummedUp, ...]:
    """Return what a summary says as memories."""
    return tuple(SummedUp(text, now) for text in sentences(summary.replace("\n", ". ")))


def relationship_in(known: str) -> tuple[str, str]:
    """Return the relationship and the summary of an impression as it is quoted."""
    relationship, _, summary = known.partition("\n")
    return relationship, summary


def summary_of(other: str, texts: Iterable[str]) -> str:
    """Return the sentences that say most about another, in their order: news first, mere talks last."""
    parts = (part for text in texts for part in sentences(PLANNING.sub("", text)))
    told = list(dict.fromkeys(part for part in parts if first_of(other) in part))
    chosen: list[str] = []
    for text in sorted(told, key=lambda text: (_rank(text), -told.index(text)))[:MOST]:
        if sum(map(len, chosen)) + len(text) <= LONGEST:
            chosen.append(text)
    return " ".join(f"{text}." for text in told if text in chosen)


def _rank(text: str) -> int:
    record = record_of(text, SOME_DAY)
    if record is None:
        return 1
    return 2 if record.kind in talked() else 0 if record.news else 1
