"""A simulation in storage/: one movement file and one environment file for every step (docs/storage.md)."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from translator.feed import FeedEntry, FeedTracker
from translator.forms import SimCode
from translator.storage.outside import read_outside
from translator.storage.places import places
from translator.storage.run_reader import ReadersByRun
from translator.storage.stored_simulation import Store
from translator.timeline import ConversationSpan, ConversationTracker
from ville.storage.compressed.cast import Cast, read_cast
from ville.storage.files import read_bytes, read_object_if_whole
from ville.storage.flaws import Flaw
from ville.storage.records.meta import META, Meta, read_meta_if_whole
from ville.storage.steps.frames import Frame, changes, encoded, read_frame
from ville.storage.steps.step_files import (
    Position,
    environment_file,
    movement_file,
    read_positions_if_whole,
    step_numbers,
)

TALK = re.compile(rb'"chat":\s*\[')


class SavedSimulation:
    """Shows a simulation that may be running at the moment."""

    store = Store.SAVED

    def __init__(self, root: Path) -> None:
        self.root = root
        self.code = SimCode(root.name)
        self.meta_file = root / META
        self.flaws: list[Flaw] = []

    @cached_property
    def meta(self) -> Meta:
        return read_meta_if_whole(self.meta_file, self.root)

    @cached_property
    def cast(self) -> Cast:
        return read_cast(self.root)

    @cached_property
    def steps(self) -> int:
        return max(self._numbers("movement"), default=-1) + 1

    @cached_property
    def first(self) -> int:
        return min(self._numbers("movement"), default=0)

    def has(self, step: int) -> bool:
        return step < self.steps

    def reached(self, step: int) -> bool:
        """Return whether the run has come to a step: the step before is shown, or there are positions for this one."""
        return self.shows(step - 1) or environment_file(self.root, step).exists()

    def shows(self, step: int) -> bool:
        """Return whether a step has been computed."""
        return movement_file(self.root, step).exists()

    def movement(self, step: int) -> dict[str, Any] | None:
        """Return a movement file as it is; None if it is missing or incomplete."""
        return read_object_if_whole(movement_file(self.root, step), self.root)

    def environment(self, step: int) -> dict[str, Any] | None:
        """Return an environment file as it is; None if it is missing or incomplete."""
        return read_object_if_whole(environment_file(self.root, step), self.root)

    def frame(self, step: int) -> Frame:
        """Return the valid records of a step, and note the flaws of the others."""
        return self._read(step)[0]

    def _read(self, step: int) -> tuple[Frame, list[Flaw]]:
        frame, found = read_frame(movement_file(self.root, step), self.root)
        self.flaws += [flaw for flaw in found if flaw not in self.flaws]
        return frame, found

    def state(self, step: int) -> Frame:
        if frame := self.frame(step):
            return frame
        before = sorted((number for number in self._numbers("movement") if number < step), reverse=True)
        return next((frame for number in before if (frame := self.frame(number))), {})

    def frames(self, first: int, last: int) -> Iterator[bytes]:
        return map(encoded, changes(self._shown(first, last)))

    def _shown(self, first: int, last: int) -> Iterator[Frame]:
        shown = self.state(first)
        yield shown
        for step in range(first + 1, last + 1):
            frame, found = self._read(step)
            shown = {**shown, **frame} if found or not frame else frame
            yield shown

    def positions(self) -> dict[str, Position]:
        """Return where everyone stands: where the last step led, or where the simulation begins."""
        if self.steps:
            return {name: tuple(record["movement"]) for name, record in self.state(self.steps - 1).items()}
        newest = max(self._numbers("environment"), default=0)
        positions, found = read_positions_if_whole(self.root, newest)
        self.flaws += found
        return positions

    def conversations(self) -> Sequence[ConversationSpan]:
        conversations: list[ConversationSpan] = []
        reader = _conversations.of(self.root, ConversationTracker)
        self.flaws += reader.until(self.root, self.steps, lambda tracker: conversations.extend(tracker.conversations))
        return conversations

    def feed(self) -> Sequence[FeedEntry]:
        entries: list[FeedEntry] = []
        sector_at = places(self.meta.maze_name).sector_at
        reader = _feeds.of(self.root, lambda: FeedTracker(sector_at))
        self.flaws += reader.until(self.root, self.steps, lambda tracker: entries.extend(tracker.entries))
        return entries

    def changed_from_outside(self) -> Sequence[FeedEntry]:
        entries, found = read_outside(self.root / "reverie", self.root)
        self.flaws += found
        return entries

    def _numbers(self, kind: str) -> list[int]:
        return step_numbers(self.root / kind, self.root)


def _read_frame(root: Path, step: int) -> tuple[Frame, list[Flaw]]:
    return read_frame(movement_file(root, step), root)


def _talking(root: Path, step: int) -> tuple[Frame, list[Flaw]]:
    """Return the records of those who talk in a step. Most files are searched for a chat, but not parsed."""
    path = movement_file(root, step)
    try:
        talked = TALK.search(read_bytes(path, root))
    except OSError:
        return {}, []
    if not talked:
        return {}, []
    frame, found = read_frame(path, root)
    return {name: record for name, record in frame.items() if record["chat"]}, found


_conversations = ReadersByRun[ConversationTracker](_talking)
_feeds = ReadersByRun[FeedTracker](_read_frame)
