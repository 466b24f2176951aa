"""`reverie/interventions.jsonl`: everything that changed a simulation from outside, in order.

One JSON object per line. Rows are only appended, and are on disk before they take effect. A row that was only half
written, when the program was killed, is dropped.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ville.errors import CorruptFile
from ville.json_types import JsonObject
from ville.storage.files import compact, flush, read_bytes, read_object, read_object_if_whole, write_text, writing
from ville.storage.flaws import flaws
from ville.storage.shapes import AheadShape, InterventionShape

LOG = "interventions.jsonl"
VERSION = 1
APPLIED = "interventions"
"""Key in RUN_FILE: number of rows that the save contains; missing if there are none."""
RUN_FILE = "run.json"
"""File beside meta.json with what older engines do not store: seed, embedder, language, fallback counts."""
AHEAD_FILE = "interventions_ahead.json"
"""File beside meta.json with the interventions that are planned for later steps; a fork does not copy it."""

Row = Mapping[str, Any]
"""Fields of `InterventionShape`, and those of its kind."""


class InterventionLog:
    """The interventions of one simulation. There may be one writer at a time."""

    def __init__(self, folder: Path, *, fsync: bool = False) -> None:
        """Read the log in the folder reverie/ of a simulation. Raises CorruptFile."""
        self.path = folder / LOG
        self._fsync = fsync
        self.rows: list[Row] = read_rows(self.path)
        self.ids = {row["id"] for row in self.rows}
        """Identifiers of the requests that the rows come from."""
        self._whole = sum(len(_line(row)) for row in self.rows)

    def check_has(self, count: int) -> None:
        """Raise CorruptFile if there are fewer rows than a save contains."""
        if count > len(self.rows):
            template = "%(file)s has %(rows)s complete rows, but the save contains %(count)s. Restore the file."
            raise CorruptFile(template, file=self.path, rows=len(self.rows), count=count)

    def next_row(self, step: int, values: JsonObject) -> Row:
        """Return the row of an intervention that takes effect before a step. It is not appended yet."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        numbers = {"v": VERSION, "n": len(self.rows) + 1, "step": step}
        return {**numbers, **values, "at": values.get("at", now)}

    def append(self, rows: Iterable[Row]) -> None:
        """Append rows, on disk when this returns. Raises CannotWrite; no row is added then."""
        added = list(rows)
        text = b"".join(map(_line, added))
        with writing(self.path), self.path.open("ab") as file:
            file.truncate(self._whole)
            file.write(text)
        flush([self.path, self.path.parent] if self._fsync else [])
        self._whole += len(text)
        self.rows += added
        self.ids |= {row["id"] for row in added}

    def cut(self, count: int) -> None:
        """Keep the first rows only. Raises CannotWrite."""
        if count >= len(self.rows):
            return
        self.rows = self.rows[:count]
        self.ids = {row["id"] for row in self.rows}
        text = b"".join(map(_line, self.rows)).decode()
        self._whole = len(text)
        if text:
            write_text(self.path, text, fsync=self._fsync)
        else:
            with writing(self.path):
                self.path.unlink(missing_ok=True)


def read_rows(path: Path) -> list[Row]:
    """Return the complete rows of a log; none if it is missing. Raises CorruptFile naming the line."""
    if not path.exists():
        return []
    lines = read_bytes(path).split(b"\n")[:-1]
    return [_row(path, number, line) for number, line in enumerate(lines, 1)]


def rows_in_save(folder: Path) -> int:
    """Return how many rows the last save contains. Raises CorruptFile. `folder` is reverie/ of a simulation."""
    count = (read_object_if_whole(folder / RUN_FILE) or {}).get(APPLIED, 0)
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        template = "%(file)s: '%(key)s' is %(value)s, not a number of rows. Correct it."
        raise CorruptFile(template, file=folder / RUN_FILE, key=APPLIED, value=repr(count))
    return count


def read_ahead(folder: Path) -> list[Row]:
    """Return the rows of the planned interventions; none if there is no file. Raises CorruptFile."""
    path = folder / AHEAD_FILE
    if not path.exists():
        return []
    values: Row = read_object(path)
    if wrong := flaws(AheadShape, values):
        raise CorruptFile("%(what)s Correct it, or remove the file.", what=wrong[0].of(str(path)))
    rows: list[Row] = values["rows"]
    return rows


def cut_to_save(folder: Path) -> None:
    """Remove the rows that are newer than the last save, as in a fork or when leaving without saving."""
    InterventionLog(folder).cut(rows_in_save(folder))


def _line(row: Row) -> bytes:
    return compact(row).encode() + b"\n"


def _row(path: Path, number: int, line: bytes) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if isinstance(row, dict) and isinstance(row.get("v"), int) and row["v"] > VERSION:
        template = (
            "%(file)s:%(line)s has format %(version)s, which a newer version of the Ville writes. Use that version."
        )
        raise CorruptFile(template, file=path, line=number, version=row["v"])
    wrong = [str(flaw) for flaw in flaws(InterventionShape, row)]
    if not wrong and row["n"] != number:
        wrong = [f"n is {row['n']}, not {number}."]
    if wrong:
        template = (
            "%(file)s:%(line)s is not an intervention: %(reason)s Correct it, or remove it and all lines after it."
        )
        raise CorruptFile(template, file=path, line=number, reason=wrong[0].strip())
    checked: Row = row
    return checked
