"""Titles of simulations."""

from pathlib import Path

from django.utils.translation import gettext as _

from ville.errors import CorruptFile
from ville.storage.records.title import read_title


def title_of(root: Path, name: str = "") -> str:
    """Return the title that a simulation was given, that of a bundled one, or its name: that of its folder, unless it
    has another.
    """
    name = name or root.name
    try:
        given = read_title(root)
    except CorruptFile:
        given = ""
    return given or _bundled().get(name, name)


def _bundled() -> dict[str, str]:
    """Return the titles of what the project brings along, in the language of the reader."""
    return {
        "a_day_of_three": _("A day of three people"),
        "a_day_of_twenty_five": _("A day of twenty-five people"),
        "base_the_ville_isabella": _("One person: Isabella"),
        "base_the_ville_isabella_maria_klaus": _("Three people: Isabella, Maria and Klaus"),
        "base_the_ville_n25": _("Twenty-five people"),
    }
