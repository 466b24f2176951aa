"""Check databases that come with folders of others before anything in them is believed or changed.

A trigger, a constraint or a generated column could change what is written, and a number that cannot be true could lift
a limit. So a database has our tables and nothing else, and its numbers are those that our programs write.
"""

import os
import re
import sqlite3
from collections.abc import Collection, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ville.errors import CorruptFile
from ville.storage.files import check_plain_file

BESIDE = ("", "-wal", "-shm", "-journal")
"""Ends of the names of the files of a database."""
CONSTRAINTS = re.compile(r"\b(CHECK|COLLATE|CONFLICT|FOREIGN|REFERENCES|UNIQUE)\b", re.IGNORECASE)
"""Matches constraints that no table of ours has."""
OBJECTS = (
    "SELECT type, name, coalesce(sql, ''), rootpage FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
)
COLUMNS = "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)"
MOST_TOKENS = 2**31
"""Of one call."""
MOST_DOLLARS = 1e6
"""The same."""


class Column(NamedTuple):
    """A column of a table."""

    name: str
    type: str
    key: int
    """Place in the primary key; 0: none."""
    hidden: int
    """0, unless it is generated or belongs to a virtual table."""


class Layout(NamedTuple):
    """Tables, indexes and columns of a database."""

    tables: Mapping[str, list[Column]]
    indexes: Mapping[str, str]
    """Their SQL."""


def check_files(path: Path) -> None:
    """Raise CorruptFile if a file of a database is a link, a pipe, a device or a folder."""
    for end in BESIDE:
        check_plain_file(Path(f"{path}{end}"))


def check_layout(connection: sqlite3.Connection, path: Path, schema: str, added: Collection[str] = ()) -> None:
    """Raise CorruptFile unless a database has only tables, columns and indexes of a schema.

    Tables may be missing, and columns that are `added` to older ones.
    """
    connection.execute("PRAGMA trusted_schema = OFF")
    expected = _layout_of(schema)
    for kind, name, sql, page in connection.execute(OBJECTS).fetchall():
        if fault := _object_fault(expected, kind, name, sql=sql, page=page):
            raise _corrupt(path, fault)
        if kind == "table" and not _fits(_columns(connection, name), expected.tables[name], added):
            raise _corrupt(path, f"its table '{name}' has other columns than ours")


def check_rows(connection: sqlite3.Connection, path: Path, rules: Mapping[str, str]) -> None:
    """Raise CorruptFile if a row of a table breaks its rule, a condition in SQL that is true of what we write."""
    present = {name for kind, name, *_ in connection.execute(OBJECTS) if kind == "table"}
    for table, rule in rules.items():
        if table in present:
            (wrong,) = connection.execute(f"SELECT count(*) FROM {table} WHERE ({rule}) IS NOT TRUE").fetchone()  # noqa: S608 - names from our code
            if wrong:
                raise _corrupt(path, f"{wrong:,} rows of its table '{table}' have values that cannot be true")


def whole(*names: str, least: int = 0, most: int = MOST_TOKENS) -> str:
    """Return the condition that columns hold whole numbers within bounds."""
    return " AND ".join(f"typeof({name}) = 'integer' AND {name} BETWEEN {least} AND {most}" for name in names)


def number(name: str, most: float) -> str:
    """Return the condition that a column holds a number from 0 to `most`."""
    return f"typeof({name}) IN ('real', 'integer') AND {name} BETWEEN 0 AND {most}"


def typed(kind: str, *names: str) -> str:
    """Return the condition that columns hold values of a type, `text` or `blob`."""
    return " AND ".join(f"typeof({name}) = '{kind}'" for name in names)


def _object_fault(expected: Layout, kind: str, name: str, *, sql: str, page: int) -> str:
    """Return what is wrong with a table, index, view or trigger; empty if it is one of ours."""
    if kind == "table" and name in expected.tables:
        if page == 0:
            return f"its table '{name}' is a virtual one"
        found = CONSTRAINTS.search(sql)
        return f"its table '{name}' has a constraint ({found[0].upper()})" if found else ""
    if kind == "index" and _words(sql) == expected.indexes.get(name):
        return ""
    return f"it has a {kind} '{name[:60]}', which is not ours"


def _fits(found: list[Column], expected: list[Column], added: Collection[str]) -> bool:
    """Return whether columns are the expected ones, in their order; those added later may be missing."""
    present = {column.name for column in found}
    return found == [column for column in expected if column.name in present or column.name not in added]


def _columns(connection: sqlite3.Connection, table: str) -> list[Column]:
    return [Column(*row) for row in connection.execute(COLUMNS, (table,))]


@cache
def _layout_of(schema: str) -> Layout:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema)
        objects = connection.execute(OBJECTS).fetchall()
        tables = {name: _columns(connection, name) for kind, name, *_ in objects if kind == "table"}
    return Layout(tables, {name: _words(sql) for kind, name, sql, _ in objects if kind == "index"})


def _words(sql: str) -> str:
    return " ".join(sql.split())


def _corrupt(path: Path, fault: str) -> CorruptFile:
    template = "%(file)s is not as our programs write it: %(reason)s. Move it away to begin a new one."
    return CorruptFile(template, file=path, reason=fault)


def reading_uri(path: Path) -> str:
    """Return the address with which SQLite reads a file and leaves no other behind.

    To read, it needs a write-ahead log, and only a connection that may write deletes it. Where this user may not write,
    SQLite does without, unless a program has left one.
    """
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        access = "mode=rw"
    else:
        access = "mode=ro" if Path(f"{path}-wal").exists() else "mode=ro&immutable=1"
    return f"{path.resolve().as_uri()}?{access}"
