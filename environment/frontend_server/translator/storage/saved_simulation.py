"""A simulation in storage/: one movement file and one environment file for every step (docs/storage.md)."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from django.utils.translation import gettext_lazy as _

from translator.errors import Damaged
from translator.forms import LAST_STEP, SimCode
from translator.meta import Meta
from translator.replays import Frame, changes, encoded
from translator.shapes import Flaw, PositionShape, sound, sound_frame
from translator.storage.files import numbers, read_bytes, read_object
from translator.storage.stored_simulation import Store, named, read_meta, whole_flaw
from translator.timeline import ConversationSpan, Listener

META = Path("reverie") / "meta.json"
TALK = re.compile(rb'"chat":\s*\[')
PLACES = dict[str, PositionShape]
Position = tuple[int, int]
Shown = tuple[Frame, list[Flaw]]
"""What can be shown, and what is damaged."""
Heard = tuple[Sequence[ConversationSpan], list[Flaw]]


class SavedSimulation:
    store = Store.SAVED

    def __init__(self, root: Path) -> None:
        self.root = root
        self.code = SimCode(root.name)
        self.meta_file = root / META
        self.damage: list[Flaw] = []

    @cached_property
    def meta(self) -> Meta:
        return read_meta(self.meta_file, self.root)

    @cached_property
    def steps(self) -> int:
        return max((number for number in numbers(self.root / "movement") if number <= LAST_STEP), default=-1) + 1

    def has(self, step: int) -> bool:
        return step < self.steps

    def reached(self, step: int) -> bool:
        """Whether everything before a step has been shown, so that it is the turn of this one, or was."""
        return self.shows(step - 1) or (self.root / "environment" / f"{step}.json").exists()

    def shows(self, step: int) -> bool:
        return (self.root / "movement" / f"{step}.json").exists()

    def movement(self, step: int) -> dict[str, Any] | None:
        """A movement file as it is; None while there is no whole one."""
        return read_object(self.root / "movement" / f"{step}.json")

    def frame(self, step: int) -> Frame:
        frame, damage = _frame(self.root / "movement" / f"{step}.json")
        self.damage += [flaw for flaw in damage if flaw not in self.damage]
        return frame

    def state(self, step: int) -> Frame:
        if frame := self.frame(step):
            return frame
        before = sorted((number for number in numbers(self.root / "movement") if number < step), reverse=True)
        return next((frame for number in before if (frame := self.frame(number))), {})

    def frames(self, first: int, last: int) -> Iterator[bytes]:
        return map(encoded, changes(self._shown(first, last)))

    def _shown(self, first: int, last: int) -> Iterator[Frame]:
        yield self.state(first)
        yield from (self.frame(step) for step in range(first + 1, last + 1))

    def positions(self) -> dict[str, Position]:
        """Where everybody stands now: where the last step led, or where the simulation begins."""
        if self.steps:
            return {name: tuple(record["movement"]) for name, record in self.state(self.steps - 1).items()}
        newest = max(numbers(self.root / "environment"), default=0)
        file = self.root / "environment" / f"{newest}.json"
        values = read_object(file)
        places, found = ({}, [whole_flaw(file)]) if values is None else sound(PLACES, values)
        self.damage += [flaw.of(named(file, self.root)) for flaw in found]
        return {name: (place["x"], place["y"]) for name, place in places.items()}

    def environment(self, step: int) -> dict[str, Any] | None:
        """An environment file as it is; None while there is no whole one."""
        return read_object(self.root / "environment" / f"{step}.json")

    def conversations(self) -> Sequence[ConversationSpan]:
        conversations, damage = _logs.of(self.root / "movement", self.steps)
        self.damage += damage
        return conversations


class _Log:
    """What has been heard of one run so far. It grows with the run."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._begin()

    def _begin(self) -> None:
        self._listener = Listener()
        self._damage: list[Flaw] = []
        self._heard = 0
        self._stamp = 0
        """When the last file heard was written: if it was written anew or is gone, the run goes another way."""

    def until(self, folder: Path, steps: int) -> Heard:
        """What was damaged is heard again: it may have been put right."""
        with self._lock:
            if self._damage or (self._heard and _stamp(folder, self._heard - 1) != self._stamp):
                self._begin()
            for step in sorted(number for number in numbers(folder) if self._heard <= number < steps):
                talking, damage = _talking(folder / f"{step}.json")
                self._listener.hear(step, talking)
                self._damage += damage
            self._heard = steps
            self._stamp = _stamp(folder, steps - 1)
            return list(self._listener.conversations), list(self._damage)


class _Logs:
    """One log of every run that was asked about."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._logs: dict[Path, _Log] = {}

    def of(self, folder: Path, steps: int) -> Heard:
        with self._lock:
            log = self._logs.setdefault(folder, _Log())
        return log.until(folder, steps)


_logs = _Logs()


def _stamp(folder: Path, step: int) -> int:
    try:
        return (folder / f"{step}.json").stat().st_mtime_ns
    except OSError:
        return 0


def _talking(path: Path) -> Shown:
    """Those who talk in a movement file; most files have nobody and need not be understood."""
    try:
        talked = TALK.search(read_bytes(path))
    except OSError:
        return {}, []
    if not talked:
        return {}, []
    frame, damage = _frame(path)
    return {name: record for name, record in frame.items() if record["chat"]}, damage


def _frame(path: Path) -> Shown:
    """What a movement file shows, and what in it is damaged; a file that is not there shows nothing."""
    try:
        values = read_object(path)
    except Damaged:
        return {}, [Flaw((), _("cannot be read"), named(path, path.parents[1]))]
    if values is None:
        found = [whole_flaw(path)] if path.exists() else []
        frame: Frame = {}
    else:
        frame, found = sound_frame(values.get("persona", {}))
        found = [flaw.within("persona") for flaw in found]
    return frame, [flaw.of(named(path, path.parents[1])) for flaw in found]
