"""The folders in a folder: simulations, or studies."""

import os
from pathlib import Path

from translator.forms import CODE


def folder_names(parent: Path) -> set[str]:
    """Return the folders in a folder that can be named in addresses, without links, which may lead anywhere."""
    try:
        with os.scandir(parent) as found:
            return {entry.name for entry in found if entry.is_dir(follow_symlinks=False) and CODE.fullmatch(entry.name)}
    except (FileNotFoundError, NotADirectoryError):
        return set()
