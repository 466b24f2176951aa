"""`budget.sqlite3` of a study: the calls of all its runs, which their processes write. Offline runs make none."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ville.errors import CorruptFile
from ville.storage.database_check import (
    MOST_DOLLARS,
    check_files,
    check_layout,
    check_rows,
    number,
    reading_uri,
    typed,
    whole,
)

FILE = "budget.sqlite3"
SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY,
    process TEXT NOT NULL,      -- name of the lock that the process holds; empty: the call has ended
    provider TEXT NOT NULL,
    tokens INTEGER NOT NULL,    -- while it is open, the most that it can use
    cost REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS open_calls ON calls (process) WHERE process <> '';
"""
RULES = {"calls": f"{typed('text', 'process', 'provider')} AND {whole('tokens')} AND {number('cost', MOST_DOLLARS)}"}
"""Conditions that every row meets."""
ENDED = "SELECT count(*), coalesce(sum(tokens), 0), coalesce(sum(cost), 0.0) FROM calls WHERE process = '' OR NOT ?"
OPEN = "SELECT count(*) FROM calls WHERE process <> '' AND ?"


@dataclass(frozen=True)
class StudyCalls:
    """Usage of all runs of a study so far, those that are running included."""

    calls: int
    """Those that have ended."""
    tokens: int
    cost: float
    """US dollars."""
    open: int = 0
    """Calls that are being answered now."""


def read_calls(folder: Path, *, is_running: bool) -> StudyCalls | None:
    """Return the calls of a study; None if there were none. Raises CorruptFile.

    If the study is not being run, the calls that its processes left open were lost with them, and count as used.
    """
    path = folder / FILE
    if not path.exists():
        return None
    try:
        check_files(path)
        with closing(sqlite3.connect(reading_uri(path), uri=True, isolation_level=None)) as connection:
            check_layout(connection, path, SCHEMA)
            check_rows(connection, path, RULES)
            calls, tokens, cost = connection.execute(ENDED, (is_running,)).fetchone()
            (open_calls,) = connection.execute(OPEN, (is_running,)).fetchone()
    except sqlite3.Error as fault:
        template = "%(file)s cannot be read (%(reason)s). Restore the file, or give the study another name."
        raise CorruptFile(template, file=path, reason=str(fault)) from fault
    return StudyCalls(calls, tokens, cost, open_calls) if calls or open_calls else None
