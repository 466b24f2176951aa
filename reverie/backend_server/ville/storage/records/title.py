"""Title of a simulation: a file beside its meta file, because its name is a folder and part of addresses."""

from pathlib import Path

from ville.plain_text import one_line
from ville.storage.files import pretty, read_object_if_whole, write_text
from ville.storage.records.own_files import TITLE, own_folder

LONGEST_TITLE = 80


def read_title(root: Path) -> str:
    """Return the title of a simulation in storage/ or compressed_storage/; empty if it has none.

    Raises CorruptFile for a link, or a file that cannot be read.
    """
    for folder in (root / "reverie", root):
        title = (read_object_if_whole(folder / TITLE, root) or {}).get("title")
        if isinstance(title, str):
            return one_line(title).strip()[:LONGEST_TITLE]
    return ""


def write_title(root: Path, title: str) -> None:
    """Name a simulation in storage/ or compressed_storage/. Raises CannotWrite."""
    write_text(own_folder(root) / TITLE, pretty({"title": title}))
