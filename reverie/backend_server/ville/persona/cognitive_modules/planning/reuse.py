"""Answers that are used again: looked up in the lifestyle policy before a model is asked, and noted afterwards."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.memory_structures.lifestyle_policy import Entries
from ville.persona.memory_structures.stream.vectors import Vector

AnswerT = TypeVar("AnswerT")
Note = Callable[[], None]
"""Changes the policy. Call it when nothing that belongs to the answer can fail any more."""


@dataclass(frozen=True)
class Lookup(Generic[AnswerT]):
    """Answer of a persona's lifestyle policy about a situation."""

    mind: Mind
    entries: Entries[AnswerT]
    text: str
    found: str = ""
    """Text of the entry of the same or a similar situation that may be used again; empty: none."""
    vector: Vector | None = None
    """Of the text, unless that has an entry."""

    @property
    def answer(self) -> AnswerT | None:
        return self.entries[self.found].answer if self.found else None

    def reused(self) -> Note:
        """Return what notes that the entry has been used again."""
        return partial(self.entries.count_use, self.found)

    def answered(self, answer: AnswerT) -> Note:
        """Return what notes a new answer."""

        def note() -> None:
            if self.vector is not None:
                self.mind.stream.vectors.add(self.text, self.vector)
            self.entries.note(self.text, answer)

        return note


async def look_up(mind: Mind, moment: Moment, entries: Entries[AnswerT], text: str) -> Lookup[AnswerT]:
    """Return what there is for a text: its own entry, or else the most similar one beyond the threshold.

    Raise a ModelError or BadEmbedding.
    """
    repeats = mind.settings.policy_repeats
    if text in entries:
        is_due = entries.again(text, repeats) is not None
        return Lookup(mind, entries, text, text if is_due else "")
    vector = (await moment.embed([text]))[text]
    similar = mind.stream.vectors.most_similar(vector, entries)
    if similar is None or similar.cosine <= mind.settings.policy_similarity:
        return Lookup(mind, entries, text, vector=vector)
    is_due = entries.again(similar.text, repeats) is not None
    return Lookup(mind, entries, text, similar.text if is_due else "", vector)
