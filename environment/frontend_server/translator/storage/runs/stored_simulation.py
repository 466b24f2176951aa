"""Interface of a simulation for pages, saved step by step or compressed into one file."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from translator.feed.feed import FeedEntry
from translator.feed.timeline import ConversationSpan
from translator.forms import SimCode
from ville.storage.compressed.cast import Cast
from ville.storage.flaws import Flaw
from ville.storage.records.meta import Meta
from ville.storage.steps.frames import Frame
from ville.storage.steps.step_files import Position


class Store(StrEnum):
    """The two folders of simulations, as they are named in addresses."""

    SAVED = "saved"
    COMPRESSED = "compressed"


class StoredSimulation(Protocol):
    """A simulation to be shown. Everything but `code`, `root`, `meta_file` and `store` raises CorruptFile."""

    @property
    def code(self) -> SimCode: ...

    @property
    def root(self) -> Path:
        """Its folder, which contains personas/."""
        ...

    @property
    def meta_file(self) -> Path:
        """The file that changes with each save."""
        ...

    @property
    def store(self) -> Store: ...

    @property
    def meta(self) -> Meta: ...

    @property
    def cast(self) -> Cast:
        """Those who came or left, also visitors."""
        ...

    @property
    def steps(self) -> int:
        """Number of steps that can be shown."""
        ...

    @property
    def first(self) -> int:
        """The first step that can be shown: forks begin where their origin was saved."""
        ...

    def has(self, step: int) -> bool:
        """Return whether a step can be shown, without reading much."""
        ...

    def state(self, step: int) -> Frame:
        """Return the latest record of everyone, up to and including a step."""
        ...

    def glimpsed_tiles(self) -> Sequence[Position]:
        """Return where people stand in some records of what would take long to read; else nothing."""
        ...

    def frames(self, first: int, last: int) -> Iterator[bytes]:
        """Yield the whole frame of the first step, then the changes of each, as JSON."""
        ...

    def conversations(self) -> Sequence[ConversationSpan]: ...

    def feed(self) -> Sequence[FeedEntry]:
        """Return what everyone does that is worth telling, by step."""
        ...

    def changed_from_outside(self) -> Sequence[FeedEntry]:
        """Return what users have changed, and which of it has ended, by step."""
        ...

    @property
    def flaws(self) -> Sequence[Flaw]:
        """Flaws found in the files read so far."""
        ...
