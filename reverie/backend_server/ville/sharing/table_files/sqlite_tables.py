"""Tables as one SQLite database, with the meaning of all columns in a table of its own."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from ville.analysis.tables.column import Cell, ColumnType
from ville.analysis.tables.run_tables import RunTable, RunTables
from ville.sharing.table_files.described import description
from ville.sharing.table_files.text_tables import time_cell

TYPES = {
    ColumnType.TEXT: "TEXT",
    ColumnType.INTEGER: "INTEGER",
    ColumnType.NUMBER: "REAL",
    ColumnType.BOOLEAN: "INTEGER",
    ColumnType.TIME: "TEXT",
}
ABOUT = "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT)"
MEANINGS = 'CREATE TABLE columns ("table" TEXT, name TEXT, type TEXT, unit TEXT, meaning TEXT)'


def write_sqlite(tables: RunTables, chosen: Sequence[RunTable], path: Path) -> dict[str, int]:
    """Write a database, and return the number of rows of each table."""
    counts: dict[str, int] = {}
    with closing(sqlite3.connect(path)) as connection, connection:
        for table in chosen:
            columns = ", ".join(f'"{column.name}" {TYPES[column.type]}' for column in table.columns)
            connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
            blanks = ", ".join("?" * len(table.columns))
            rows = (tuple(map(_cell, row)) for row in table.rows())
            counts[table.name] = connection.executemany(f'INSERT INTO "{table.name}" VALUES ({blanks})', rows).rowcount  # noqa: S608 - names from our code
        _describe(connection, tables, chosen, counts)
    return counts


def _cell(cell: Cell) -> Cell:
    return time_cell(cell) if isinstance(cell, datetime) else cell


def _describe(
    connection: sqlite3.Connection, tables: RunTables, chosen: Sequence[RunTable], counts: dict[str, int]
) -> None:
    about = description(tables, chosen, counts)
    connection.execute(ABOUT)
    connection.executemany(
        "INSERT INTO about VALUES (?, ?)",
        [(name, json.dumps(value)) for name, value in about.items() if name != "tables"],
    )
    connection.execute(MEANINGS)
    rows = [
        (table.name, column.name, column.type.value, column.unit, column.meaning)
        for table in chosen
        for column in table.columns
    ]
    connection.executemany("INSERT INTO columns VALUES (?, ?, ?, ?, ?)", rows)
