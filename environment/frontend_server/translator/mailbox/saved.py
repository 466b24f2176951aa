"""A simulation in storage/: one movement file and one environment file for every step (docs/storage.md)."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from translator.forms import SimCode
from translator.mailbox.files import numbers, read_bytes, read_object
from translator.mailbox.simulation import Store, read_meta
from translator.meta import Meta
from translator.replays import Frame, changes, encoded, whole_frame
from translator.timeline import Conversation, Listener

META = Path("reverie") / "meta.json"
TALK = re.compile(rb'"chat":\s*\[')
Position = tuple[int, int]


class SavedSimulation:
    store = Store.SAVED

    def __init__(self, root: Path) -> None:
        self.root = root
        self.code = SimCode(root.name)
        self.meta_file = root / META

    @cached_property
    def meta(self) -> Meta:
        return read_meta(self.meta_file)

    @cached_property
    def steps(self) -> int:
        return max(numbers(self.root / "movement"), default=-1) + 1

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
        return _frame(self.root / "movement" / f"{step}.json")

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
        places = self.environment(newest) or {}
        return {
            name: (place["x"], place["y"])
            for name, place in places.items()
            if isinstance(place, dict) and {"x", "y"} <= place.keys()
        }

    def environment(self, step: int) -> dict[str, Any] | None:
        """An environment file as it is; None while there is no whole one."""
        return read_object(self.root / "environment" / f"{step}.json")

    def conversations(self) -> Sequence[Conversation]:
        return _logs.of(self.root / "movement", self.steps)


class _Log:
    """What has been heard of one run so far. It grows with the run."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._begin()

    def _begin(self) -> None:
        self._listener = Listener()
        self._heard = 0
        self._stamp = 0
        """When the last file heard was written: if it was written anew or is gone, the run goes another way."""

    def until(self, folder: Path, steps: int) -> Sequence[Conversation]:
        with self._lock:
            if self._heard and _stamp(folder, self._heard - 1) != self._stamp:
                self._begin()
            for step in sorted(number for number in numbers(folder) if self._heard <= number < steps):
                self._listener.hear(step, _talking(folder / f"{step}.json"))
            self._heard = steps
            self._stamp = _stamp(folder, steps - 1)
            return list(self._listener.conversations)


class _Logs:
    """One log of every run that was asked about."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._logs: dict[Path, _Log] = {}

    def of(self, folder: Path, steps: int) -> Sequence[Conversation]:
        with self._lock:
            log = self._logs.setdefault(folder, _Log())
        return log.until(folder, steps)


_logs = _Logs()


def _stamp(folder: Path, step: int) -> int:
    try:
        return (folder / f"{step}.json").stat().st_mtime_ns
    except OSError:
        return 0


def _talking(path: Path) -> Frame:
    """Those who talk in a movement file; most files have nobody and need not be understood."""
    try:
        talked = TALK.search(read_bytes(path))
    except OSError:
        return {}
    return {name: record for name, record in _frame(path).items() if record["chat"]} if talked else {}


def _frame(path: Path) -> Frame:
    """What a movement file shows; nothing where there is none, or only half of one."""
    try:
        return whole_frame((read_object(path) or {}).get("persona", {}))
    except (KeyError, TypeError, ValueError):
        return {}
