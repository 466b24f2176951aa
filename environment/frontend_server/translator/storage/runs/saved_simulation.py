"""A simulation in storage/: one movement file and one environment file for every step (docs/storage.md)."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from translator.feed.feed import FeedEntry, FeedTracker
from translator.feed.timeline import ConversationSpan, ConversationTracker
from translator.forms import SimCode
from translator.storage.runs.outside import read_outside
from translator.storage.runs.run_reader import ReadersByRun
from translator.storage.runs.stored_simulation import Store
from translator.storage.town.places import places
from ville.json_types import JsonObject
from ville.storage.compressed.cast import Cast, read_cast
from ville.storage.flaws import Flaw
from ville.storage.records.meta import META, Meta, read_meta_if_whole
from ville.storage.steps.frames import Frame, changes, encoded, tile_of
from ville.storage.steps.step_files import Position
from ville.storage.steps.step_store import StepStore

TALK = re.compile(rb'"chat":\s*\[')


class SavedSimulation:
    """Shows a simulation that may be running at the moment."""

    store = Store.SAVED

    def __init__(self, root: Path) -> None:
        self.root = root
        self.recorded = StepStore(root)
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
    def _span(self) -> range:
        """From the first step that is shown to the last: to find them, all names of a large folder are read."""
        shown = self.recorded.shown()
        return range(min(shown, default=0), max(shown, default=-1) + 1)

    @property
    def steps(self) -> int:
        return self._span.stop

    @property
    def first(self) -> int:
        return self._span.start

    def has(self, step: int) -> bool:
        return step < self.steps

    def reached(self, step: int) -> bool:
        """Return whether the run has come to a step: the step before is shown, or there are positions for this one."""
        return self.shows(step - 1) or self.recorded.places(step)

    def shows(self, step: int) -> bool:
        """Return whether a step has been computed."""
        return self.recorded.shows(step)

    def movement(self, step: int) -> JsonObject | None:
        """Return a movement file as it is; None if it is missing or incomplete."""
        return self.recorded.movement(step)

    def environment(self, step: int) -> JsonObject | None:
        """Return an environment file as it is; None if it is missing or incomplete."""
        return self.recorded.environment(step)

    def frame(self, step: int) -> Frame:
        """Return the valid records of a step, and note the flaws of the others."""
        return self._read(step)[0]

    def _read(self, step: int) -> tuple[Frame, list[Flaw]]:
        frame, found = self.recorded.frame(step)
        self.flaws += [flaw for flaw in found if flaw not in self.flaws]
        return frame, found

    def state(self, step: int) -> Frame:
        if frame := self.frame(step):
            return frame
        before = sorted((number for number in self.recorded.shown() if number < step), reverse=True)
        return next((frame for number in before if (frame := self.frame(number))), {})

    def glimpsed_tiles(self) -> Sequence[Position]:
        return ()

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
            return {name: tile_of(record) for name, record in self.state(self.steps - 1).items()}
        newest = max(self.recorded.placed(), default=0)
        positions, found = self.recorded.positions(newest)
        self.flaws += found
        return positions

    def conversations(self) -> Sequence[ConversationSpan]:
        conversations: list[ConversationSpan] = []
        reader = _conversations.of(self.root, ConversationTracker)
        self.flaws += reader.until(
            self.recorded, self.steps, lambda tracker: conversations.extend(tracker.conversations)
        )
        return conversations

    def feed(self) -> Sequence[FeedEntry]:
        entries: list[FeedEntry] = []
        sector_at = places(self.meta.maze_name).sector_at
        reader = _feeds.of(self.root, lambda: FeedTracker(sector_at))
        self.flaws += reader.until(self.recorded, self.steps, lambda tracker: entries.extend(tracker.entries))
        return entries

    def changed_from_outside(self) -> Sequence[FeedEntry]:
        entries, found = read_outside(self.root / "reverie", self.root)
        self.flaws += found
        return entries


def _talking(recorded: StepStore, step: int) -> tuple[Frame, list[Flaw]]:
    """Return the records of those who talk in a step. Most files are searched for a chat, but not parsed."""
    if not TALK.search(recorded.movement_bytes(step)):
        return {}, []
    frame, found = recorded.frame(step)
    return {name: record for name, record in frame.items() if record["chat"]}, found


_conversations = ReadersByRun[ConversationTracker](_talking)
_feeds = ReadersByRun[FeedTracker](lambda recorded, step: recorded.frame(step))
