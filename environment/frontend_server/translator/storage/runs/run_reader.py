"""Reads the steps of a run that may go on at the moment, each only once."""

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Generic, Protocol, TypeVar

from ville.storage.flaws import Flaw
from ville.storage.steps.frames import Frame
from ville.storage.steps.step_store import StepStore


class StepTracker(Protocol):
    """Receives the steps of a run in their order."""

    def add(self, step: int, frame: Frame, /) -> None: ...


Tracker = TypeVar("Tracker", bound=StepTracker)
ReadStep = Callable[[StepStore, int], tuple[Frame, list[Flaw]]]
"""Returns what a tracker needs of a step, and the flaws of its file."""


class RunReader(Generic[Tracker]):
    """Tells a tracker the steps of one run, reading only those added since the last call."""

    def __init__(self, new_tracker: Callable[[], Tracker], read: ReadStep) -> None:
        self._new_tracker = new_tracker
        self._read = read
        self._lock = Lock()
        self._begin()

    def _begin(self) -> None:
        self._tracker = self._new_tracker()
        self._flaws: list[Flaw] = []
        self._flawed: dict[int, int] = {}
        """Time stamps of the steps that have flaws: if one is put right, the run is read again."""
        self._steps = 0
        """Number of steps read."""
        self._stamp = 0
        """Time stamp of the last step read: if it changes, the run was continued from an earlier step."""
        self._text = b""
        """Text of that step: if it is the same, the step was only packed."""

    def until(self, recorded: StepStore, steps: int, use: Callable[[Tracker], None]) -> list[Flaw]:
        """Hand the tracker to `use` when it knows the first steps. Return the flaws of their files."""
        with self._lock:
            if self._is_stale(recorded):
                self._begin()
            for step in sorted(number for number in recorded.shown() if self._steps <= number < steps):
                stamp = recorded.time_stamp(step)
                frame, found = self._read(recorded, step)
                self._tracker.add(step, frame)
                self._flaws += found
                self._flawed |= {step: stamp} if found else {}
            self._steps = max(self._steps, steps)
            self._stamp, self._text = recorded.time_stamp(self._steps - 1), recorded.movement_bytes(self._steps - 1)
            use(self._tracker)
            return list(self._flaws)

    def _is_stale(self, recorded: StepStore) -> bool:
        if not self._steps:
            return False
        return self._is_rewritten(recorded, self._steps - 1) or any(
            recorded.time_stamp(step) != stamp for step, stamp in self._flawed.items()
        )

    def _is_rewritten(self, recorded: StepStore, last: int) -> bool:
        if recorded.time_stamp(last) == self._stamp:
            return False
        return not recorded.is_packed(last) or recorded.movement_bytes(last) != self._text


class ReadersByRun(Generic[Tracker]):
    """Keeps a reader for every run that was asked for."""

    def __init__(self, read: ReadStep) -> None:
        self._read = read
        self._lock = Lock()
        self._readers: dict[Path, RunReader[Tracker]] = {}

    def of(self, root: Path, new_tracker: Callable[[], Tracker]) -> RunReader[Tracker]:
        with self._lock:
            return self._readers.setdefault(root, RunReader(new_tracker, self._read))
