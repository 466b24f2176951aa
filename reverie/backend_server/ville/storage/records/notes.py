"""`notes.json` beside the meta file: what a user notes about a simulation, and its tags."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ville.errors import BadNote
from ville.plain_text import one_line, printable
from ville.storage.files import pretty, read_object_if_whole, write_text
from ville.storage.records.own_files import NOTES, own_folder
from ville.storage.records.title import LONGEST_TITLE
from ville.storage.shapes import Text

LONGEST_NOTE = 2000
LONGEST_TAG = 40
MOST_TAGS = 20


class Notes(BaseModel):
    """Note and tags of a simulation."""

    model_config = ConfigDict(frozen=True, strict=True)

    note: Annotated[Text, Field(max_length=LONGEST_NOTE)] = ""
    tags: Annotated[list[Annotated[Text, Field(max_length=LONGEST_TAG)]], Field(max_length=MOST_TAGS)] = []


def read_notes(root: Path) -> Notes:
    """Return what was noted about a simulation; nothing if its file is missing or damaged. Raises CorruptFile for a
    link.
    """
    try:
        return Notes.model_validate(read_object_if_whole(own_folder(root) / NOTES, root) or {})
    except ValidationError:
        return Notes()


def write_notes(root: Path, notes: Notes) -> None:
    """Write what is noted about a simulation, atomically. Raises CannotWrite."""
    write_text(own_folder(root) / NOTES, pretty(notes.model_dump(mode="json")))


def checked_title(text: str) -> str:
    """Return a title as it is stored. Raises BadNote."""
    title = " ".join(one_line(text).split())
    if len(title) > LONGEST_TITLE:
        raise BadNote(
            "A title has at most %(most)s characters; this one has %(count)s.", most=LONGEST_TITLE, count=len(title)
        )
    return title


def checked_note(text: str) -> str:
    """Return a note as it is stored: lines without control characters. Raises BadNote."""
    note = printable(text.replace("\r\n", "\n")).strip()
    if len(note) > LONGEST_NOTE:
        raise BadNote(
            "A note has at most %(most)s characters; this one has %(count)s.", most=LONGEST_NOTE, count=len(note)
        )
    return note


def checked_tags(texts: list[str]) -> list[str]:
    """Return tags as they are stored: each once, in their order. Raises BadNote."""
    tags = [" ".join(one_line(text).replace(",", " ").split()).lstrip("#") for text in texts]
    tags = list({tag.casefold(): tag for tag in reversed(tags) if tag}.values())[::-1]
    if long := [tag for tag in tags if len(tag) > LONGEST_TAG]:
        raise BadNote("A tag has at most %(most)s characters: shorten '%(tag)s'.", most=LONGEST_TAG, tag=long[0])
    if len(tags) > MOST_TAGS:
        raise BadNote("A simulation has at most %(most)s tags. Remove some first.", most=MOST_TAGS)
    return tags
