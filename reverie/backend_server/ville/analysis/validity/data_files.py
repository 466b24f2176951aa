"""Data of real people that users supply: CSV files of fixed forms, checked before they are used."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from ville.analysis.validity.trips import DAY, TimeUse, kinds
from ville.errors import BadArgument
from ville.plain_text import nearest, shortened

FILES = {
    "time_use.csv": ("activity", "hour", "minutes"),
    "trips.csv": ("minutes",),
    "stays.csv": ("minutes",),
    "moves.csv": ("person", "minute"),
}
"""Columns of each file; docs/studies.md says what they are."""
LARGEST = 64 * 1024 * 1024
FEWEST = 20
"""Rows from which on a file says anything."""
LONGEST_NAME = 100


@dataclass(frozen=True)
class RealData:
    """Data of real people; empty parts were not supplied."""

    time_use: TimeUse | None = None
    trips: tuple[float, ...] = ()
    """Lengths in minutes."""
    stays: tuple[float, ...] = ()
    """Lengths in minutes."""
    moves: Mapping[str, tuple[float, ...]] | None = None
    """By person, the minutes at which trips begin."""


def read_real_data(folder: Path) -> RealData:
    """Return what is in a folder with any of FILES. Raises BadArgument, with file and line, for what is wrong."""
    found = [name for name in FILES if (folder / name).is_file()]
    if not found:
        raise BadArgument(f"{folder} has none of {', '.join(FILES)}. Put one there, in the form of docs/studies.md.")
    use: dict[tuple[str, int], int] = {}
    moves: dict[str, list[float]] = {}
    for activity, hour, minutes in _rows(folder, "time_use.csv", found):
        key = (activity, int(hour))
        use[key] = use.get(key, 0) + round(1000 * float(minutes))
    for person, minute in _rows(folder, "moves.csv", found):
        moves.setdefault(person, []).append(float(minute))
    lengths = {
        name: tuple(float(each) for (each,) in _rows(folder, name, found)) for name in ("trips.csv", "stays.csv")
    }
    return RealData(
        TimeUse(use) if use else None,
        lengths["trips.csv"],
        lengths["stays.csv"],
        {who: tuple(sorted(each)) for who, each in moves.items()} or None,
    )


def _rows(folder: Path, name: str, found: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the checked cells of a file, in the order of its columns; nothing if it is not there."""
    if name not in found:
        return
    path, columns = folder / name, FILES[name]
    lines = _text(path).splitlines()
    numbered = [(n, line) for n, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    rows = csv.reader(line for _, line in numbered)
    heading = [cell.strip() for cell in next(rows, [])]
    if missing := [column for column in columns if column not in heading]:
        raise BadArgument(f"{path}: there is no column '{missing[0]}'. Its columns are: {', '.join(columns)}.")
    if len(numbered) <= FEWEST:
        raise BadArgument(f"{path} has {len(numbered) - 1} rows. It takes {FEWEST} or more to compare with.")
    places = [heading.index(column) for column in columns]
    for (number, _), row in zip(numbered[1:], rows, strict=False):
        if len(row) != len(heading):
            raise BadArgument(f"{path}:{number} has {len(row)} cells, its heading has {len(heading)}.")
        cells = tuple(row[place].strip() for place in places)
        for column, cell in zip(columns, cells, strict=True):
            if wrong := _wrong(column, cell, name):
                raise BadArgument(f"{path}:{number}: '{shortened(cell, LONGEST_NAME)}' {wrong}")
        yield cells


def _wrong(column: str, cell: str, name: str) -> str:
    """Return what is wrong with a cell; empty if nothing is."""
    if column == "person":
        return "" if 0 < len(cell) <= LONGEST_NAME else f"is not a name of 1 to {LONGEST_NAME} characters."
    if column == "activity":
        return "" if cell in kinds() else f"is not an activity; {nearest(cell, kinds())}"
    try:
        value = float(cell)
    except ValueError:
        return f"is not a number ({column})."
    most = {"hour": 23, "minutes": 60 if name == "time_use.csv" else 366 * DAY, "minute": 100 * 366 * DAY}[column]
    if not isfinite(value) or not 0 <= value <= most or (column == "hour" and value != int(value)):
        return f"is not from 0 to {most:,} ({column})."
    return ""


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise BadArgument(f"{path} is larger than {LARGEST >> 20} MB. Take a sample of its rows.")
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise BadArgument(f"{path} cannot be read ({fault}). Save it as CSV in UTF-8.") from fault
