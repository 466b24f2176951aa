"""A stored part of a study or an evaluation: a JSON file with a fixed shape."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from ville.errors import CorruptFile
from ville.json_types import Json
from ville.storage.files import read_object
from ville.storage.flaws import complaint

PartT = TypeVar("PartT", bound="StoredPart")


class StoredPart(BaseModel):
    """Base of the shapes."""

    model_config = ConfigDict(frozen=True, strict=True)

    def as_json(self) -> dict[str, Json]:
        """Return the content of the file."""
        return self.model_dump(mode="json")


def read_part(shape: type[PartT], path: Path) -> PartT:
    """Return the content of a file. Raises CorruptFile, also if it is missing."""
    return part_of(shape, read_object(path), path)


def part_of(shape: type[PartT], values: Json, path: Path) -> PartT:
    """Return the part that a JSON value of a file is. Raises CorruptFile."""
    try:
        return shape.model_validate(values)
    except ValidationError as fault:
        template = "%(file)s: %(reason)s Restore the file, or remove it to make it again."
        raise CorruptFile(template, file=path, reason=complaint(fault, values)) from None
