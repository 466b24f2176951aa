"""A simulation in storage/: one movement file and one environment file for every step (docs/storage.md)."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from translator.forms import SimCode
from translator.storage.stored_simulation import Store
from translator.timeline import ConversationSpan, ConversationTracker
from ville.storage.cast import Cast, read_cast
from ville.storage.files import read_bytes, read_object_if_whole
from ville.storage.flaws import Flaw
from ville.storage.frames import Frame, changes, encoded, read_frame
from ville.storage.meta import META, Meta, read_meta_if_whole
from ville.storage.step_files import (
    Position,
    environment_file,
    movement_file,
    read_positions_if_whole,
    step_numbers,
)

TALK = re.compile(rb'"chat":\s*\[')
Conversations = tuple[Sequence[ConversationSpan], list[Flaw]]
"""Conversations of a run, and the flaws of files in which there may be more."""


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
        conversations, found = _conversations.of(self.root, self.steps)
        self.flaws += found
        return conversations

    def _numbers(self, kind: str) -> list[int]:
        return step_numbers(self.root / kind, self.root)


class _RunConversations:
    """Finds the conversations of one run, reading only the steps added since the last call."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._begin()

    def _begin(self) -> None:
        self._tracker = ConversationTracker()
        self._flaws: list[Flaw] = []
        self._steps = 0
        """Number of steps read."""
        self._stamp = 0
        """Time stamp of the last file read: if it changes, the run was continued from an earlier step."""

    def until(self, root: Path, steps: int) -> Conversations:
        """Return the conversations of the first steps. Reads all of them again if there were flaws."""
        with self._lock:
            if self._flaws or (self._steps and _time_stamp(root, self._steps - 1) != self._stamp):
                self._begin()
            numbers = step_numbers(root / "movement", root)
            for step in sorted(number for number in numbers if self._steps <= number < steps):
                talking, found = _talking(root, step)
                self._tracker.add(step, talking)
                self._flaws += found
            self._steps = steps
            self._stamp = _time_stamp(root, steps - 1)
            return list(self._tracker.conversations), list(self._flaws)


class _ConversationsByRun:
    """Keeps what was found of every run that was asked for."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._runs: dict[Path, _RunConversations] = {}

    def of(self, root: Path, steps: int) -> Conversations:
        with self._lock:
            run = self._runs.setdefault(root, _RunConversations())
        return run.until(root, steps)


_conversations = _ConversationsByRun()


def _time_stamp(root: Path, step: int) -> int:
    try:
        return movement_file(root, step).stat().st_mtime_ns
    except OSError:
        return 0


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
