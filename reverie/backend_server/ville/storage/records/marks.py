"""`marks.json` beside the meta file: moments that a user has marked, each with a short text."""

from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ville.errors import BadNote
from ville.plain_text import one_line
from ville.storage.files import pretty, read_object_if_whole, write_text
from ville.storage.records.lock import Lock
from ville.storage.records.own_files import MARKS, own_folder
from ville.storage.shapes import Text

LONGEST_MARK = 200
MOST_MARKS = 500


class Mark(NamedTuple):
    """A moment that was marked."""

    step: int
    text: str


class MarksFile(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True)

    marks: dict[Annotated[str, Field(pattern=r"^[0-9]{1,9}$")], Annotated[Text, Field(max_length=LONGEST_MARK)]] = {}
    """Texts by step."""


def read_marks(root: Path) -> list[Mark]:
    """Return the marks of a simulation or recording, by step; none if the file is missing or damaged. Raises
    CorruptFile for a link.
    """
    try:
        known = MarksFile.model_validate(read_object_if_whole(own_folder(root) / MARKS, root) or {}).marks
    except ValidationError:
        return []
    return sorted(Mark(int(step), text) for step, text in known.items())


def set_mark(root: Path, step: int, text: str) -> list[Mark]:
    """Mark the moment before a step, instead of a former mark there, and return all; an empty text removes it.

    Raises BadNote, CannotWrite, and SimulationInUse if another program is just writing a mark.
    """
    text = " ".join(one_line(text).split())
    if len(text) > LONGEST_MARK:
        template = "A mark has at most %(most)s characters; this one has %(count)s."
        raise BadNote(template, most=LONGEST_MARK, count=len(text))
    with Lock(own_folder(root) / MARKS.removesuffix(".json")):
        marks = {mark.step: mark.text for mark in read_marks(root)} | {step: text}
        kept = sorted(Mark(each, words) for each, words in marks.items() if words)
        if len(kept) > MOST_MARKS:
            raise BadNote("A simulation has at most %(most)s marks. Remove some first.", most=MOST_MARKS)
        write_marks(root, kept)
    return kept


def write_marks(root: Path, marks: list[Mark]) -> None:
    """Write the marks of a simulation or recording, atomically. Raises CannotWrite."""
    write_text(own_folder(root) / MARKS, pretty({"marks": {str(mark.step): mark.text for mark in marks}}))
