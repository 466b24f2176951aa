"""Files with one JSON object per line, to which rows are only appended, as programs read them that only show a run."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ville.storage.files import compact, read_bytes, writing
from ville.storage.flaws import NO_OBJECT, Flaw, flaws, name_of

Row = dict[str, Any]


def read_valid_rows(path: Path, root: Path, shape: Any) -> tuple[list[Row], list[Flaw]]:
    """Return the rows that fit a shape, and the flaws of the others; none if the file is missing.

    The last line may be incomplete: it is left out. Raises CorruptFile for a link.
    """
    try:
        lines = read_bytes(path, root).split(b"\n")[:-1]
    except OSError:
        return [], []
    rows: list[Row] = []
    found: list[Flaw] = []
    for number, line in enumerate(lines, 1):
        row, wrong = _row(line, shape)
        rows += [row] if row is not None else []
        found += [flaw.of(f"{name_of(path, root)}:{number}") for flaw in wrong[:1]]
    return rows, found


def _row(line: bytes, shape: Any) -> tuple[Row | None, list[Flaw]]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None, [Flaw((), NO_OBJECT)]
    found = flaws(shape, row)
    return (None if found else row), found


def append_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Append rows. An incomplete line at the end, left by a program that was killed, is ended first.

    Raises CannotWrite.
    """
    text = b"".join(compact(row).encode() + b"\n" for row in rows)
    with writing(path), path.open("ab+") as file:
        if file.tell():
            file.seek(-1, 2)
            text = text if file.read(1) == b"\n" else b"\n" + text
        file.write(text)
