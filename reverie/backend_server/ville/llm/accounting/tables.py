"""The tables of a ledger, and how those of an earlier version are brought into this form."""

import sqlite3
from pathlib import Path

from ville.errors import CorruptFile

EMBEDDING = "embedding"
"""What stands in place of a question's title where texts were turned into vectors."""
ANSWERED, OPEN, CANCELLED, KILLED = "answered", "open", "cancelled", "killed"
"""How a call ended; a failed one has the name of its fault instead."""
VERSION = 2
INTERRUPTED = "The run was ended while the answer was on its way. It may have been paid for."
FLAGS = ("estimated", "beyond")
"""Columns that version 1 did not have."""
SCHEMA = f"""
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL,              -- digest of the request
    began TEXT NOT NULL,            -- UTC
    seconds REAL NOT NULL,          -- until the answer or the fault was there
    question TEXT NOT NULL,         -- as in plan/wake_up_hour, or '{EMBEDDING}'
    persona TEXT NOT NULL,          -- empty for embeddings: they serve everybody
    step INTEGER NOT NULL,
    repair INTEGER NOT NULL,        -- how many bad answers had been sent back before
    model TEXT NOT NULL,            -- as it was asked for
    messages TEXT NOT NULL,         -- JSON; the texts of an embedding batch
    schema TEXT NOT NULL,           -- JSON
    answer TEXT NOT NULL,           -- as it came
    outcome TEXT NOT NULL,          -- '{ANSWERED}', '{OPEN}', '{CANCELLED}', '{KILLED}' or the name of a fault
    fault TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cost REAL,                      -- US dollars; NULL if nobody knows
    estimated INTEGER NOT NULL DEFAULT 0, -- 1: the tokens were not reported; they are the most it can have been
    beyond INTEGER NOT NULL DEFAULT 0     -- 1: it used more than it was allowed to
);
CREATE INDEX IF NOT EXISTS calls_by_key ON calls (key);
CREATE TABLE IF NOT EXISTS failures (
    key BLOB PRIMARY KEY, kind TEXT NOT NULL, fault TEXT NOT NULL
) WITHOUT ROWID;                    -- what those were told who in the end got no answer
CREATE TABLE IF NOT EXISTS vectors (
    embedder TEXT NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (embedder, text)
) WITHOUT ROWID;                    -- text: its digest; vector: little-endian float32
PRAGMA user_version = {VERSION};
"""
UPGRADE = f"""
BEGIN IMMEDIATE;
{"".join(f"ALTER TABLE calls ADD COLUMN {flag} INTEGER NOT NULL DEFAULT 0;" for flag in FLAGS)}
PRAGMA user_version = {VERSION};
COMMIT;
"""
AS_IF_UPGRADED = f"CREATE TEMP VIEW calls AS SELECT *, {', '.join(f'0 AS {flag}' for flag in FLAGS)} FROM main.calls"  # noqa: S608 - our own names
"""Stands before the table of an earlier version where it must not be changed."""


def prepare(path: Path, connection: sqlite3.Connection, *, writable: bool) -> None:
    """Bring a ledger into this form, or let it be read as if it were. Raises CorruptFile for a later version."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in {0, 1, VERSION}:
        raise CorruptFile(f"{path} is of another make (version {version}): move it away to begin a new one.")
    if version == 1:
        connection.executescript(UPGRADE if writable else AS_IF_UPGRADED)
    if writable:
        connection.executescript(SCHEMA)
        connection.execute("UPDATE calls SET outcome = ?, fault = ? WHERE outcome = ?", (KILLED, INTERRUPTED, OPEN))
