"""One simulation, one backend: a lock of the operating system, which ends with the process that holds it.

The lock is taken on a hidden file beside the simulation's folder, so that a name can be held before there is a folder,
and while the folder is removed. The file holds the number of the process. Reading needs no lock.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout

from ville.errors import SimulationInUse
from ville.storage.files import writing

MOMENT = 0.2
"""Seconds to try again: the last holder may be removing the file at this moment."""


class Lock:
    """Held from construction until release. Raises SimulationInUse or CannotWrite."""

    def __init__(self, simulation: Path) -> None:
        self._path = simulation.with_name(f".{simulation.name}.lock")
        self._lock = FileLock(self._path, timeout=MOMENT)
        with writing(self._path):
            try:
                self._lock.acquire()
            except Timeout:
                raise SimulationInUse(_refusal(self._path, simulation.name)) from None
            with suppress(PermissionError):  # Windows refuses to write the bytes that are locked
                self._path.write_text(str(os.getpid()), "ascii")

    def release(self) -> None:
        """Let others open the simulation. May be called more than once."""
        if not self._lock.is_locked:
            return
        if os.name == "nt":  # there, an open file cannot be removed
            self._lock.release()
        with suppress(OSError):
            self._path.unlink()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _refusal(path: Path, name: str) -> str:
    number = ""
    with suppress(OSError, UnicodeDecodeError):
        number = path.read_text("ascii").strip()
    holder = f"process {number}" if number else "another process"
    return f"'{name}' is open in {holder}: leave it there with 'fin', or end that process, or choose another name."
