"""Locks that keep two backends from opening the same simulation, and a save from being read while it is replaced.

The operating system holds a lock and releases it when the process ends. It is taken on a hidden file beside the folder
of the simulation, so that a name is also locked before its folder is created and while it is removed. Reading single
files needs no lock.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout

from ville.errors import SimulationInUse
from ville.storage.files import writing

LOCK, SAVING = ".lock", ".saving"
"""Ends of the names of lock files: of who has a simulation open, of who saves it or reads it whole."""
TIMEOUT = 0.2
"""Seconds to try for: the last holder may be removing the file."""
LONGEST_SAVE = 30.0
"""Seconds after which a reader that holds saves back counts as stuck. It notices a save that took place meanwhile."""
POLL = 0.002
"""Seconds between two tries."""


class Lock:
    """Locks a simulation from construction until release. Raises SimulationInUse or CannotWrite."""

    def __init__(self, simulation: Path) -> None:
        self._path = lock_file(simulation)
        self._lock = FileLock(self._path, timeout=TIMEOUT)
        with writing(self._path):
            try:
                self._lock.acquire()
            except Timeout:
                raise _in_use(self._path, simulation.name) from None
            with suppress(PermissionError):  # Windows does not write locked bytes
                self._path.write_text(str(os.getpid()), "ascii")

    def release(self) -> None:
        """Release the lock. May be called more than once."""
        release(self._lock, self._path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


@contextmanager
def between_saves(simulation: Path) -> Iterator[None]:
    """Inside this context, no other program replaces the files of a save or reads all of them. Waits for those that do.

    It keeps others for a moment only: steps, which no save replaces, are read outside.
    """
    path = simulation.with_name(f".{simulation.name}{SAVING}")
    lock = FileLock(path, timeout=LONGEST_SAVE, poll_interval=POLL)
    with suppress(Timeout, OSError):  # where nothing can be written, there are no saves
        lock.acquire()
    try:
        yield
    finally:
        release(lock, path)


def release(lock: FileLock, path: Path) -> None:
    """Release a lock, if it is held, and remove its file."""
    if not lock.is_locked:
        return
    if os.name == "nt":  # open files cannot be removed there
        lock.release()
    with suppress(OSError):
        path.unlink()
    lock.release()


def is_locked(simulation: Path) -> bool:
    """Return whether a program holds the lock of a simulation, without creating it."""
    path = lock_file(simulation)
    if not path.exists():
        return False
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except (Timeout, OSError):
        return True
    lock.release()
    return False


def remove_lock(path: Path) -> None:
    """Remove a lock file that is not held; a program that is just opening it then makes a new one. Raises OSError."""
    lock = FileLock(path, timeout=0)
    with suppress(Timeout):
        lock.acquire()
        release(lock, path)


def lock_file(simulation: Path) -> Path:
    """Return the file that is locked while a program has a simulation open."""
    return simulation.with_name(f".{simulation.name}{LOCK}")


def _in_use(path: Path, name: str) -> SimulationInUse:
    number = ""
    with suppress(OSError, UnicodeDecodeError):
        number = path.read_text("ascii").strip()
    if number == str(os.getpid()):
        return SimulationInUse("'%(name)s' is already open in this process. Close it there first.", name=name)
    holder = f"process {number}" if number else "another process"
    template = (
        "'%(name)s' is open in %(holder)s. Close it there: “Stop and close” in the menu of its page, or 'fin' at its "
        "prompt. Or end that process, or choose another name."
    )
    return SimulationInUse(template, name=name, holder=holder)
