"""Types of rules: fields in, answer out."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time
from random import Random
from typing import Any, Protocol


class Memory(Protocol):
    """A memory that is quoted in a question."""

    @property
    def when(self) -> datetime: ...
    @property
    def text(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def poignancy(self) -> int: ...


class ByChance(Protocol):
    """Memories that come to mind by chance."""

    @property
    def memories(self) -> Sequence[Memory]: ...


class Turn(Protocol):
    """One turn of a conversation."""

    @property
    def speaker(self) -> str: ...
    @property
    def said(self) -> str: ...


class Earlier(Protocol):
    """Turns of two in their talks of the last days."""

    @property
    def turns(self) -> Sequence[Turn]: ...


class PlannedEntry(Protocol):
    """An activity of a plan of a day."""

    @property
    def start(self) -> datetime: ...
    @property
    def minutes(self) -> int: ...
    @property
    def what(self) -> str: ...


class EarlierTalk(Protocol):
    """A conversation that is over."""

    @property
    def when(self) -> datetime: ...
    @property
    def partner(self) -> str: ...
    @property
    def about(self) -> str: ...


class DayFacts(Protocol):
    """Facts that a persona knows without remembering."""

    @property
    def now(self) -> datetime: ...
    @property
    def place(self) -> str: ...
    @property
    def doing(self) -> str: ...
    @property
    def planned(self) -> Sequence[PlannedEntry]: ...
    @property
    def talks(self) -> Sequence[EarlierTalk]: ...


class DayGap(Protocol):
    """A gap in a day."""

    @property
    def start(self) -> time: ...
    @property
    def end(self) -> time: ...
    @property
    def where(self) -> str: ...


Fields = Mapping[str, Any]
"""The fields of the question."""
Answer = dict[str, Any]
Rule = Callable[[Fields, Random], Answer]
Shelf = dict[str, Rule]
"""Rules by the titles of their questions."""
