"""`reverie/ended.jsonl`: which states of objects have ended, when, and thanks to whom (docs/storage.md)."""

from collections.abc import Sequence
from pathlib import Path

from ville.json_types import JsonObject
from ville.storage.files import Row, append_rows, compact, read_valid_rows, write_text, writing
from ville.storage.flaws import Flaw
from ville.storage.shapes import EndedShape

ENDED = "ended.jsonl"


def append_ended(path: Path, rows: Sequence[JsonObject]) -> None:
    """Append the states that end in one step. Doing so again changes nothing. Raises CannotWrite."""
    new = [row for row in rows if row not in read_ended(path)[0]] if rows else []
    if new:
        append_rows(path, new)


def cut_ended(path: Path, step: int) -> None:
    """Keep what ended up to a step. Raises CannotWrite."""
    rows, found = read_ended(path)
    kept = [row for row in rows if row["step"] <= step]
    if kept:
        if found or len(kept) < len(rows):
            write_text(path, "".join(f"{compact(row)}\n" for row in kept))
        return
    with writing(path):
        path.unlink(missing_ok=True)


def read_ended(path: Path, root: Path | None = None) -> tuple[list[Row], list[Flaw]]:
    """Return the valid rows of the file, and the flaws of the others. Raises CorruptFile for a link."""
    return read_valid_rows(path, root or path.parent, EndedShape)
