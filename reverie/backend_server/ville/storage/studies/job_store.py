"""`jobs.sqlite3` of a study: all of its jobs in one file, and what is kept of simulations that were removed.

Several jobs are written at once, all of them or none, and are on disk afterwards. Only the program that runs the study
writes; others may read meanwhile.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from zlib import compress, decompressobj, error

from ville.errors import CannotWrite, CorruptFile
from ville.storage.database_check import check_files, check_layout, reading_uri

FILE = "jobs.sqlite3"
SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    run TEXT PRIMARY KEY,
    job TEXT NOT NULL           -- JSON
);
CREATE TABLE IF NOT EXISTS kept (
    run TEXT NOT NULL,
    what TEXT NOT NULL,         -- ledger or collected
    content BLOB NOT NULL,      -- compressed
    PRIMARY KEY (run, what)
);
"""
MOST = 500
"""Jobs that are read at once."""
LARGEST = 2**30
"""Bytes of what is kept of one run."""
WAIT = 30.0
"""Seconds to wait for another program that reads or writes."""


class JobStore:
    """The jobs of one study as texts, by run."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.fsync = True
        """Whether what was written is on disk afterwards, should the machine fail."""

    def write(
        self, jobs: Mapping[str, str], older: Mapping[str, str], kept: Mapping[tuple[str, str], bytes] | None = None
    ) -> None:
        """Write jobs, and what is `kept` of runs, by run and kind. Jobs that are `older` are added if there is nothing
        newer. Raises CannotWrite and CorruptFile.
        """
        contents = [(run, what, compress(content)) for (run, what), content in (kept or {}).items()]
        try:
            check_files(self.path)
            with closing(sqlite3.connect(self.path, timeout=WAIT)) as connection:
                check_layout(connection, self.path, SCHEMA)
                connection.executescript(SCHEMA if self.fsync else f"PRAGMA synchronous = OFF; {SCHEMA}")
                with connection:
                    connection.executemany("INSERT OR IGNORE INTO jobs VALUES (?, ?)", older.items())
                    connection.executemany("INSERT OR REPLACE INTO jobs VALUES (?, ?)", jobs.items())
                    connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", contents)
        except sqlite3.OperationalError as fault:
            template = "%(file)s cannot be written (%(reason)s). Make room for it, or correct its permissions."
            raise CannotWrite(template, file=self.path, reason=fault) from fault
        except sqlite3.DatabaseError as fault:
            raise self._corrupt(fault) from fault

    def read(self, runs: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield those of these jobs that are there, by run, in no order. Raises CorruptFile."""
        chosen = list(runs)
        for start in range(0, len(chosen), MOST):
            some = chosen[start : start + MOST]
            yield from self._rows(f"SELECT run, job FROM jobs WHERE run IN ({','.join('?' * len(some))})", some)  # noqa: S608 - only marks

    def read_all(self) -> Iterator[tuple[str, str]]:
        """Yield all jobs by run, in no order. Raises CorruptFile."""
        return self._rows("SELECT run, job FROM jobs", [])

    def kept(self, run: str, what: str) -> bytes | None:
        """Return what is kept of a run; None if nothing of this kind is. Raises CorruptFile."""
        for (content,) in self._rows("SELECT content FROM kept WHERE run = ? AND what = ?", [run, what], bytes):
            try:
                return _unpacked(content)
            except (error, ValueError) as fault:
                raise self._corrupt(fault) from fault
        return None

    def _rows(self, query: str, values: Sequence[str], kind: type = str) -> Iterator[tuple[Any, ...]]:
        if self.path.exists():
            with self._reading() as connection:
                for row in connection.execute(query, values):
                    if not all(isinstance(each, kind) for each in row):
                        raise self._corrupt("it has a value of another type than ours")
                    yield row

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            check_files(self.path)
            with closing(sqlite3.connect(reading_uri(self.path), uri=True, timeout=WAIT)) as connection:
                check_layout(connection, self.path, SCHEMA)
                yield connection
        except sqlite3.Error as fault:
            raise self._corrupt(fault) from fault

    def _corrupt(self, fault: Exception | str) -> CorruptFile:
        template = "%(file)s cannot be read (%(reason)s). Restore the file, or give the study another name."
        return CorruptFile(template, file=self.path, reason=str(fault))


def _unpacked(content: bytes) -> bytes:
    """Return what is compressed. Raises ValueError if it is too large, and the error of zlib."""
    unpacking = decompressobj()
    found = unpacking.decompress(content, LARGEST)
    if not unpacking.eof:
        raise ValueError("it is too large, or incomplete")
    return found
