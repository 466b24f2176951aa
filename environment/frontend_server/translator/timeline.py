"""Pure: what happens when in a run: its days, and its conversations from their first step to their last."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from translator.meta import DAY, Meta
from translator.replays import Record


@dataclass
class ConversationSpan:
    first: int
    last: int
    names: list[str] = field(default_factory=list)
    """Who takes part."""
    about: str = ""
    """What those who talk are said to be doing."""


class Listener:
    """Hears what people say step by step, and notes who talked with whom from when to when.

    A conversation goes on as long as somebody shows a transcript with the same first line in every step.
    """

    def __init__(self) -> None:
        self.conversations: list[ConversationSpan] = []
        """In the order of their first steps."""
        self._going_on: dict[str, ConversationSpan] = {}

    def hear(self, step: int, talking: Mapping[str, Record]) -> None:
        """`talking` has what those show who are in a conversation in a step."""
        still: dict[str, ConversationSpan] = {}
        for name, record in talking.items():
            opening = str(record["chat"][:1])
            if opening not in still:
                still[opening] = self._conversation(step, opening, record["description"])
            if name not in still[opening].names:
                still[opening].names.append(name)
        self._going_on = still

    def _conversation(self, step: int, opening: str, description: str) -> ConversationSpan:
        conversation = self._going_on.get(opening)
        if conversation is None:
            conversation = ConversationSpan(step, step, about=description.rpartition(" @ ")[0])
            self.conversations.append(conversation)
        conversation.last = step
        return conversation


@dataclass(frozen=True)
class DayStart:
    date: date
    first: int
    """Its first step in the run."""


def days(meta: Meta, steps: int) -> list[DayStart]:
    """The days of a run, each with its first step."""
    first, last = meta.start.date(), meta.time_of(max(steps - 1, 0)).date()
    found: list[DayStart] = []
    for number in range((last - first).days + 1):
        seconds = number * DAY - _since_midnight(meta)
        found.append(DayStart(first + timedelta(days=number), max(0, -(-seconds // meta.sec_per_step))))
    return found


def _since_midnight(meta: Meta) -> int:
    return meta.start.hour * 3600 + meta.start.minute * 60 + meta.start.second
