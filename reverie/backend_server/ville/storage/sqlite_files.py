"""How SQLite files are read while other programs may write to them."""

import os
from pathlib import Path


def reading_uri(path: Path) -> str:
    """Return the address with which SQLite reads a file and leaves no other behind.

    To read, it needs a write-ahead log, and only a connection that may write deletes it. Where this user may not write,
    SQLite does without, unless a program has left one.
    """
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        access = "mode=rw"
    else:
        access = "mode=ro" if Path(f"{path}-wal").exists() else "mode=ro&immutable=1"
    return f"{path.resolve().as_uri()}?{access}"
