"""Pure: the days of a run, and its conversations from their first step to their last."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from ville.storage.records.meta import Meta
from ville.storage.steps.frames import FrameRecord

DAY = 86_400
"""Seconds."""


@dataclass
class ConversationSpan:
    """A conversation on the timeline."""

    first: int
    """Step."""
    last: int
    """Step."""
    names: list[str] = field(default_factory=list)
    """Those who take part, also those who show no transcript themselves, such as visitors."""
    about: str = ""
    """Description of what the first of them does."""


class ConversationTracker:
    """Finds conversations from the records of each step.

    A conversation lasts as long as every step has a transcript with the same first line.
    """

    def __init__(self) -> None:
        self.conversations: list[ConversationSpan] = []
        """In the order of their first steps."""
        self._open: dict[str, ConversationSpan] = {}
        """Conversations of the last step by their first line."""

    def add(self, step: int, talking: Mapping[str, FrameRecord]) -> None:
        """Add a step. `talking` has the records of those who are in a conversation."""
        still: dict[str, ConversationSpan] = {}
        for name, record in talking.items():
            opening = _opening(record)
            if opening not in still:
                still[opening] = self._conversation(step, opening, record["description"])
            if name not in still[opening].names:
                still[opening].names.append(name)
        for record in talking.values():
            names = still[_opening(record)].names
            names += dict.fromkeys(speaker for speaker, _ in record["chat"] or [] if speaker not in names)
        self._open = still

    def _conversation(self, step: int, opening: str, description: str) -> ConversationSpan:
        conversation = self._open.get(opening)
        if conversation is None:
            conversation = ConversationSpan(step, step, about=description.rpartition(" @ ")[0])
            self.conversations.append(conversation)
        conversation.last = step
        return conversation


@dataclass(frozen=True)
class DayStart:
    """A day on the timeline."""

    date: date
    first: int
    """Its first step in the run."""


def days(meta: Meta, steps: int) -> list[DayStart]:
    """Return the days of a run."""
    first, last = meta.start.date(), meta.time_of(max(steps - 1, 0)).date()
    found: list[DayStart] = []
    for number in range((last - first).days + 1):
        seconds = number * DAY - _since_midnight(meta)
        found.append(DayStart(first + timedelta(days=number), max(0, -(-seconds // meta.sec_per_step))))
    return found


def _since_midnight(meta: Meta) -> int:
    return meta.start.hour * 3600 + meta.start.minute * 60 + meta.start.second


def _opening(record: FrameRecord) -> str:
    """Return the first line of a conversation."""
    return str((record["chat"] or [])[:1])
