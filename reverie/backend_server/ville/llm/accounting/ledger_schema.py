"""SQL schema of a ledger, and upgrades from earlier versions."""

import sqlite3
from pathlib import Path

from ville.errors import CorruptFile
from ville.llm.gateway import EMBEDDING
from ville.storage.database_check import MOST_DOLLARS, check_layout, check_rows, number, typed, whole

ANSWERED, OPEN, CANCELLED, KILLED = "answered", "open", "cancelled", "killed"
"""Values of the column `outcome`; a failed call has the class name of its error instead."""
SHARED = "shared"
"""The same for an answer that another simulation got to an identical request: it was not a call."""
VERSION = 4
INTERRUPTED = "The run ended before the answer arrived. It may have been charged."
FLAGS = ("estimated", "beyond")
"""Columns that version 1 did not have."""
TERMS = ("parameters", "served", "fingerprint", "finish_reason")
"""Columns that version 2 did not have either: what was sent beside the prompt, and what the provider says of itself."""
PURPOSE = "purpose"
"""The column that version 3 did not have either."""
OF_STUDY = "study"
"""Stands there for questions of the study that a run belongs to; interviews that others hold have nothing there."""
ADDED = {
    1: {**dict.fromkeys(FLAGS, "0"), **dict.fromkeys((*TERMS, PURPOSE), "''")},
    2: dict.fromkeys((*TERMS, PURPOSE), "''"),
    3: {PURPOSE: "''"},
}
"""By version, the columns that it does not have, with the value that they have there."""
SCHEMA = f"""
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL,              -- digest of the request
    began TEXT NOT NULL,            -- UTC
    seconds REAL NOT NULL,          -- until the answer or the error
    question TEXT NOT NULL,         -- for example plan/wake_up_hour, or '{EMBEDDING}'
    persona TEXT NOT NULL,          -- empty for embeddings, which serve all personas
    step INTEGER NOT NULL,
    repair INTEGER NOT NULL,        -- number of bad answers sent back with it
    model TEXT NOT NULL,            -- as named in the request
    messages TEXT NOT NULL,         -- JSON; for embeddings, the texts
    schema TEXT NOT NULL,           -- JSON
    answer TEXT NOT NULL,           -- as received
    outcome TEXT NOT NULL,          -- '{ANSWERED}', '{OPEN}', '{CANCELLED}', '{KILLED}', '{SHARED}', or an error
    fault TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cost REAL,                      -- US dollars; NULL if the price is unknown
    estimated INTEGER NOT NULL DEFAULT 0, -- 1: tokens were not reported; they are an upper bound
    beyond INTEGER NOT NULL DEFAULT 0,    -- 1: more was reported than it can have used; this is the bound
    parameters TEXT NOT NULL DEFAULT '',   -- JSON: what was sent beside model and prompt; empty if it is not known
    served TEXT NOT NULL DEFAULT '',       -- the model, as the provider names it in its answer
    fingerprint TEXT NOT NULL DEFAULT '',  -- system_fingerprint of the provider, if it sends one
    finish_reason TEXT NOT NULL DEFAULT '', -- why the answer ended in the words of the provider
    purpose TEXT NOT NULL DEFAULT ''       -- '{OF_STUDY}' for what a study asked people of its run. Else empty
);
CREATE INDEX IF NOT EXISTS calls_by_key ON calls (key);
CREATE TABLE IF NOT EXISTS failures (
    key BLOB PRIMARY KEY, kind TEXT NOT NULL, fault TEXT NOT NULL
) WITHOUT ROWID;                    -- errors of requests that ended without an answer
CREATE TABLE IF NOT EXISTS vectors (
    embedder TEXT NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (embedder, text)
) WITHOUT ROWID;                    -- text: digest; vector: little-endian float32
CREATE TABLE IF NOT EXISTS fallbacks (
    step INTEGER, persona TEXT, number INTEGER, question TEXT NOT NULL, PRIMARY KEY (step, persona, number)
) WITHOUT ROWID;                    -- questions without a usable answer, numbered within a step
PRAGMA user_version = {VERSION};
"""


def _upgrade(version: int) -> str:
    """Return the statements that give an older ledger the columns of this version."""
    kinds = {"0": "INTEGER", "''": "TEXT"}
    columns = (f"{name} {kinds[value]} NOT NULL DEFAULT {value}" for name, value in ADDED[version].items())
    added = "".join(f"ALTER TABLE calls ADD COLUMN {column};" for column in columns)
    return f"BEGIN IMMEDIATE; {added} PRAGMA user_version = {VERSION}; COMMIT;"


def _as_if_upgraded(version: int) -> str:
    """Return the statement that hides the table of an older ledger which is opened read-only."""
    added = ", ".join(f"{value} AS {name}" for name, value in ADDED[version].items())
    return f"CREATE TEMP VIEW calls AS SELECT *, {added} FROM main.calls"  # noqa: S608 - names from this file


NO_FALLBACKS = "CREATE TEMP VIEW fallbacks AS SELECT 0 AS step, '' AS persona, 0 AS number, '' AS question WHERE 0"
"""Stands for the table that older ledgers do not have, if one is opened read-only."""


RULES = {
    "calls": " AND ".join(
        [
            typed("blob", "key"),
            typed("text", "began", "question", "persona", "model", "messages", "schema", "answer", "outcome", "fault"),
            whole("step", least=-1, most=2**53),
            whole("repair", "prompt_tokens", "cached_tokens", "completion_tokens"),
            number("seconds", 1e9),
            f"(cost IS NULL OR {number('cost', MOST_DOLLARS)})",
        ]
    ),
    "failures": typed("text", "kind", "fault"),
    "vectors": typed("blob", "text", "vector") + " AND length(vector) > 0 AND length(vector) % 4 = 0",
    "fallbacks": typed("text", "persona", "question") + " AND " + whole("step", "number", least=-1, most=2**53),
}
"""Conditions that every row meets."""


def check_ledger(path: Path, connection: sqlite3.Connection) -> None:
    """Raise CorruptFile if it has something else than our tables, or numbers that cannot be true."""
    check_layout(connection, path, SCHEMA, added=ADDED[1])
    check_rows(connection, path, RULES)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if texts := {3: TERMS, VERSION: (*TERMS, PURPOSE)}.get(version):
        check_rows(connection, path, {"calls": typed("text", *texts)})


def prepare(path: Path, connection: sqlite3.Connection, *, writable: bool) -> None:
    """Create or upgrade the tables; read-only, make older ones look upgraded. Raises CorruptFile for later ones."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in {0, *ADDED, VERSION}:
        raise CorruptFile(f"{path} has an unknown format (version {version}). Move it away to start a new one.")
    if version in ADDED:
        connection.executescript(_upgrade(version) if writable else _as_if_upgraded(version))
    if writable:
        connection.executescript(SCHEMA)
        connection.execute("UPDATE calls SET outcome = ?, fault = ? WHERE outcome = ?", (KILLED, INTERRUPTED, OPEN))
    else:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'fallbacks'").fetchone():
            connection.execute(NO_FALLBACKS)
        connection.execute("PRAGMA query_only = ON")
