"""One simulation, one backend: a lock of the operating system, which ends with the process that holds it.

It is taken on a hidden file beside the simulation's folder, so that a name can be held before there is a folder, and
while the folder is removed. The file says who holds it, and goes when it is let go; one that a killed process has left
is held by nobody. Who only reads needs no lock. A disk that knows no locks holds nobody back.
"""

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Self

from ville.errors import SimulationInUse
from ville.storage.files import writing

HELD = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}
"""What the system says of a lock that another has."""
DIGITS = 20
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
"""A link in place of the file would be followed, and what it leads to emptied."""

if sys.platform == "win32":
    import msvcrt

    BEYOND = 1 << 30
    """A byte far behind the text: what is locked there cannot be read."""

    def _seize(descriptor: int) -> None:
        os.lseek(descriptor, BEYOND, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _seize(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """Held from its making until it is released. Raises SimulationInUse or CannotWrite."""

    def __init__(self, simulation: Path) -> None:
        self._path = simulation.with_name(f".{simulation.name}.lock")
        self._held = True
        with writing(self._path):
            self._descriptor = _locked(self._path, simulation.name)

    def release(self) -> None:
        """Once or more often."""
        if not self._held:
            return
        self._held = False
        if os.name == "nt":  # there an open file cannot be removed
            os.close(self._descriptor)
        with suppress(OSError):
            self._path.unlink()
        if os.name != "nt":  # here nobody else may have locked it in between
            os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _locked(path: Path, name: str) -> int:
    """The file's descriptor; our number stands in it. Raises SimulationInUse and OSError."""
    number = str(os.getpid()).encode()
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK, 0o666)
        try:
            _seize(descriptor)
        except OSError as fault:
            if fault.errno in HELD:
                raise SimulationInUse(_refusal(descriptor, name)) from None
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, number)
        with suppress(FileNotFoundError):  # its last holder took it away after we had opened it: once more
            if path.read_bytes() == number:
                return descriptor
        os.close(descriptor)


def _refusal(descriptor: int, name: str) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    number = os.read(descriptor, DIGITS).decode()
    os.close(descriptor)
    holder = f"process {number}" if number else "another process"
    return f"'{name}' is open in {holder}: leave it there with 'fin', or end that process, or choose another name."
