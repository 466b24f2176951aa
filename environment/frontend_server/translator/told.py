"""Messages from programs of this machine, as pages get them: with file names instead of paths."""

import re

from django.conf import settings

ABSOLUTE = re.compile(r"""(?<![\w:./\\<-])(?:[A-Za-z]:[\\/]|/)(?:[^\s/\\'":,;]+[\\/])+(?=[^\s/\\'":,;])""")
"""The folders of an absolute path, on any system; no address of a web page, and no path within the project."""


def without_folders(text: str) -> str:
    """Return a text in which files are named from the folders of this server on, and others by their names alone."""
    for folder in _folders():
        name = re.split(r"[\\/]", folder)[-1]
        text = text.replace(f"{folder}/", "").replace(f"{folder}\\", "").replace(folder, name)
    return ABSOLUTE.sub("", text)


def _folders() -> list[str]:
    """Return the folders that hold what pages show, innermost first."""
    shelves = (settings.STORAGE, settings.COMPRESSED_STORAGE, settings.TEMP_STORAGE, settings.STUDIES, settings.ROOT)
    return sorted({str(shelf) for shelf in shelves}, key=len, reverse=True)
