"""The last steps of a run without a page, which are in no files yet: their hour is packed without becoming files."""

from time import monotonic

from ville.storage.files import write_bytes, writing
from ville.storage.steps.hour_pack import HOUR, GrowingHour
from ville.storage.steps.packed_steps import loose_texts
from ville.storage.steps.step_store import StepStore

LATEST = 10.0
"""Seconds after which the next step has all that are held written."""


class HeldSteps:
    """Holds steps until their hour is complete, or somebody may look for their files."""

    def __init__(self, store: StepStore) -> None:
        self._store = store
        self._begin(-1, b"", b"")  # no step is -1: the first one is begun anew

    def _begin(self, step: int, before: bytes, ahead: bytes) -> None:
        """Hold nothing before a step: the movement before it, and the positions, which are in a file or missing."""
        self._growing, self._before, self._ahead = GrowingHour(step, before), before, ahead
        self._is_placed = bool(ahead)
        self._since = monotonic()

    def add(self, step: int, movement: bytes, environment: bytes, *, fsync: bool) -> None:
        """Hold a step, with the positions after it; write its hour if it is complete, or all if they are held for long.

        Raises CannotWrite and CorruptFile; all are held then, and the step can be added again.
        """
        if step not in (self._growing.end, self._growing.end - 1):
            self._begin(step, self._store.movement_bytes(step - 1), self._store.environment_bytes(step))
        if step == self._growing.end:
            self._since = monotonic() if step == self._growing.first else self._since
            self._growing.add(movement, self._ahead)
            self._ahead = environment
        held, is_over = self._growing.end - self._growing.first, self._growing.end % HOUR == 0
        if held == HOUR and self._is_placed:
            self._pack(fsync=fsync)
        elif is_over or monotonic() - self._since > LATEST:
            self.write()

    def _pack(self, *, fsync: bool) -> None:
        """Write an hour."""
        first, end, hour = self._growing.first, self._growing.end, self._growing.hour()
        self._store.packs.add([hour], fsync=fsync)
        write_bytes(self._store.environment_file(end), self._ahead)
        begins = self._store.environment_file(first)
        with writing(begins):
            begins.unlink(missing_ok=True)
        self._begin(end, hour.movement(end - 1), self._ahead)

    def write(self) -> None:
        """Write all that are held, in files of their own. Raises CannotWrite; all are held then."""
        first, end, movement = self._growing.first, self._growing.end, self._before
        for step, movement, environment in loose_texts(self._growing.hour(), self._before, range(first, end)):
            if step > first:
                write_bytes(self._store.environment_file(step), environment)
            write_bytes(self._store.movement_file(step), movement)
        if end > first:
            write_bytes(self._store.environment_file(end), self._ahead)
            self._begin(end, movement, self._ahead)
