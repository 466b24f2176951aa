"""The key that signs cookies, in a file that only its owner can read and that git ignores."""

import os
import secrets
import tempfile
from pathlib import Path


def secret_key(path: Path) -> str:
    """Return the key in a file. Creates the file, atomically, if it is missing."""
    if not path.exists():
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(50))
        Path(temporary).replace(path)
    return path.read_text("ascii")
