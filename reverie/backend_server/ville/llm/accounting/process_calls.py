"""A database in which several processes note their open calls.

Each process holds a lock while it lives. Calls of one that was killed are found by its lock: they will not be settled,
and they may have been charged.
"""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ville.errors import LedgerError
from ville.storage.database_check import check_files, check_layout, check_rows

PAUSE = 0.03
"""Seconds between two looks for room."""
BUSY = 60.0
"""Seconds to wait for other processes."""


class ProcessCalls:
    """The database as one process sees it."""

    def __init__(self, path: Path, schema: str, rules: Mapping[str, str]) -> None:
        """Open it; create it if need be. `rules` are those of its rows. Raises LedgerError and CorruptFile."""
        check_files(path)
        self.process = f"{os.getpid()}-{os.urandom(4).hex()}"
        """Stands in the rows of this process."""
        self._path = path
        self._lock = FileLock(_lock_file(path, self.process))
        with self._checked(), ExitStack() as undo:
            self._lock.acquire()
            undo.callback(self._lock.release)
            self.connection = sqlite3.connect(path, timeout=BUSY, isolation_level=None, check_same_thread=False)
            undo.callback(self.connection.close)
            check_layout(self.connection, path, schema)
            check_rows(self.connection, path, rules)
            self.connection.executescript(schema)
            _forget_ended(path, self.process)
            undo.pop_all()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Keep what the context writes, also if it ends with an error. Raises LedgerError."""
        with self._checked():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            finally:
                self.connection.execute("COMMIT")

    def ended(self) -> list[str]:
        """Return the processes with open calls that have ended."""
        query = "SELECT DISTINCT process FROM calls WHERE process NOT IN ('', ?)"
        return [name for (name,) in self.connection.execute(query, (self.process,)) if _has_ended(self._path, name)]

    def close(self) -> None:
        """Close it: calls that this process has left open are those of a process that has ended."""
        self.connection.close()
        self._lock.release()
        with suppress(OSError):
            Path(self._lock.lock_file).unlink()

    @contextmanager
    def _checked(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise LedgerError(
                f"{self._path} cannot be written: {error}. No calls are made without a budget.", fate="not_sent"
            ) from error


def _lock_file(path: Path, process: str) -> Path:
    return path.with_name(f".{process}.calls")


def _forget_ended(path: Path, own: str) -> None:
    """Remove the locks of processes that were killed; their open calls are closed with the next call."""
    for file in path.parent.glob(".*.calls"):
        if file != _lock_file(path, own):
            _has_ended(path, file.name[1:].removesuffix(".calls"))


def _has_ended(path: Path, process: str) -> bool:
    file = _lock_file(path, process)
    if not file.exists():
        return True
    lock = FileLock(file, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        return False
    lock.release()
    with suppress(OSError):
        file.unlink()
    return True
