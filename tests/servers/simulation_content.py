"""Content by which two simulations are the same, however they came about."""

import re
from pathlib import Path

from step_texts import step_texts

NAMING_ORIGIN = ("meta.json", "branch.json")
"""Files that say what a simulation was forked from."""
OF_OPEN_DATABASES = ("-shm", "-wal")
"""Endings of files that are there only while a ledger is read."""
PACKED = r"movement/\d+\.pack"
"""Files with many steps."""


def content_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a simulation without those that name its origin, and checkpoints, which tell of its saves.

    Packed steps are files of their own.
    """
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    left_out = {name for name in files if "/checkpoints/" in name or name.endswith(OF_OPEN_DATABASES)}
    return step_texts(folder) | {
        name: path.read_bytes()
        for name, path in files.items()
        if name not in left_out and path.name not in NAMING_ORIGIN and not re.fullmatch(PACKED, name)
    }
