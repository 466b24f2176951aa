"""How much room simulations and recordings take."""

import os
from contextlib import suppress
from pathlib import Path

THOUSAND = 1000
SHORT = 10
"""Smaller numbers get a decimal."""


def size_of(folder: Path) -> int:
    """Return the bytes of all files in a folder; links are not followed."""
    size, folders = 0, [str(folder)]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        size += entry.stat(follow_symlinks=False).st_size
    return size


def size_text(size: int) -> str:
    """Return a size as people read it: `1.2 MB`, `340 MB`."""
    number, unit = float(size), "bytes"
    for larger in ("kB", "MB", "GB"):
        if number < THOUSAND:
            break
        number, unit = number / THOUSAND, larger
    return f"{number:.1f} {unit}" if unit != "bytes" and number < SHORT else f"{number:.0f} {unit}"
