"""Read a file that a user names: of a reasonable size, and neither a device nor a pipe, which may never end."""

import os
import stat
from pathlib import Path

from town_builder.problems import town_error

LARGEST = 2**25
"""Bytes of a file: many times the largest map that can be built."""


def read_user_file(path: Path, *, most: int = LARGEST) -> bytes:
    """Return the content of a file. Raises OSError, also for folders, and TownError for more than `most` bytes."""
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise town_error(str(path), "is a device or a pipe", "give the path of a file")
        content = file.read(most + 1)
    if len(content) > most:
        raise town_error(str(path), f"has more than {most:,} bytes", "make it smaller")
    return content


def _without_waiting(path: str, flags: int) -> int:
    """Open a path, also if it is a pipe without a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
