"""Title, note and tags of a simulation or recording, which a user gives it."""

from dataclasses import dataclass
from pathlib import Path

from ville.storage.records.notes import Notes, checked_note, checked_tags, checked_title, read_notes, write_notes
from ville.storage.records.title import read_title, write_title


@dataclass(frozen=True)
class Description:
    """Title, note and tags of a simulation or recording."""

    title: str
    """Empty if it has none."""
    note: str
    tags: tuple[str, ...]


def read_description(root: Path) -> Description:
    """Return what was said about a simulation or recording. Raises CorruptFile for links."""
    notes = read_notes(root)
    return Description(read_title(root), notes.note, tuple(notes.tags))


def described(
    root: Path, *, title: str | None = None, note: str | None = None, tags: list[str] | None = None
) -> Description:
    """Change what is given, and return all. Raises BadNote, and CannotWrite."""
    now = read_description(root)
    new = Description(
        now.title if title is None else checked_title(title),
        now.note if note is None else checked_note(note),
        now.tags if tags is None else tuple(checked_tags(tags)),
    )
    if new.title != now.title:
        write_title(root, new.title)
    if (new.note, new.tags) != (now.note, now.tags):
        write_notes(root, Notes(note=new.note, tags=list(new.tags)))
    return new
