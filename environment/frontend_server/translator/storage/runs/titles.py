"""Titles of simulations."""

from pathlib import Path

from django.utils.translation import gettext as _

from ville.errors import CorruptFile
from ville.storage.records.title import BUNDLED, read_title


def title_of(root: Path, name: str = "") -> str:
    """Return the title that a simulation was given, that of a bundled one, or its name: that of its folder, unless it
    has another.
    """
    name = name or root.name
    try:
        given = read_title(root)
    except CorruptFile:
        given = ""
    return given or (_(BUNDLED[name]) if name in BUNDLED else name)
