"""Tables as CSV and as JSON lines."""

import csv
import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from ville.analysis.tables.column import Cell, Row, TableColumn
from ville.plain_text import csv_text


def time_cell(moment: datetime) -> str:
    """Return a time as text: with milliseconds only if it has some, as times of the real world do."""
    return moment.isoformat(" ", "milliseconds" if moment.microsecond else "seconds")


def write_csv(columns: Iterable[TableColumn], rows: Iterable[Row], path: Path) -> int:
    """Write a CSV file with a header, and return the number of rows. A missing value is an empty cell."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(column.name for column in columns)
        for count, row in enumerate(rows, 1):  # noqa: B007 - the count is returned
            writer.writerow(map(_csv_cell, row))
    return count


def _csv_cell(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return csv_text(cell)
    if isinstance(cell, bool):
        return str(cell).lower()
    return time_cell(cell) if isinstance(cell, datetime) else cell


def write_json_lines(columns: Iterable[TableColumn], rows: Iterable[Row], path: Path) -> int:
    """Write a JSON object for each row on a line, and return the number of rows. A missing value is null."""
    names = [column.name for column in columns]
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        for count, row in enumerate(rows, 1):  # noqa: B007 - the count is returned
            values = (time_cell(cell) if isinstance(cell, datetime) else cell for cell in row)
            file.write(json.dumps(dict(zip(names, values, strict=True)), ensure_ascii=False) + "\n")
    return count
