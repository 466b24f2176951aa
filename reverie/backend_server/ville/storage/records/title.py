"""Title of a simulation: a file beside its meta file, because its name is a folder and part of addresses."""

from pathlib import Path

from ville.plain_text import one_line
from ville.storage.files import pretty, read_object_if_whole, write_text
from ville.storage.records.own_files import TITLE, own_folder

LONGEST_TITLE = 80
BUNDLED = {
    "a_day_of_three": "A day of three people",
    "a_day_of_twenty_five": "A day of twenty-five people",
    "base_the_ville_isabella": "One person: Isabella",
    "base_the_ville_isabella_maria_klaus": "Three people: Isabella, Maria and Klaus",
    "base_the_ville_n25": "Twenty-five people",
}
"""Titles of what the project brings along, by name."""


def read_title(root: Path) -> str:
    """Return the title of a simulation in storage/ or compressed_storage/; empty if it has none.

    Raises CorruptFile for a link, or a file that cannot be read.
    """
    for folder in (root / "reverie", root):
        title = (read_object_if_whole(folder / TITLE, root) or {}).get("title")
        if isinstance(title, str):
            return one_line(title).strip()[:LONGEST_TITLE]
    return ""


def title_or_name(root: Path) -> str:
    """Return the title of a simulation, or that of what the project brings along, or else its name.

    Raises CorruptFile as `read_title`.
    """
    return read_title(root) or BUNDLED.get(root.name, root.name)


def write_title(root: Path, title: str) -> None:
    """Name a simulation in storage/ or compressed_storage/. Raises CannotWrite."""
    write_text(own_folder(root) / TITLE, pretty({"title": title}))
