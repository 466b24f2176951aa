"""How much room simulations and recordings take."""

import os
from contextlib import suppress
from pathlib import Path


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
    """Return a size as people read it: `12 MB`."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:  # noqa: PLR2004 - what the prefixes mean
            return f"{size} {unit}" if unit == "bytes" or size >= 10 else f"{size:.1f} {unit}"  # noqa: PLR2004
        size /= 1000
    return f"{size:.1f} GB"
