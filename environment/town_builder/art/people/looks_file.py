"""Read looks from a YAML file with one entry per person."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from town_builder.art.people.look import Clothes, Face, Hair, Look

FORMAT = "looks/1"


class LooksFileError(ValueError):
    """Raised for an invalid file of looks; the message says where and what is wrong."""


def read_looks(path: Path, section: str = "people") -> dict[str, Look]:
    """Return the looks of a section, people or visitors, by name and in file order. Raises LooksFileError."""
    try:
        written = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise LooksFileError(f"{path.name} is not YAML: {error}") from error
    if not isinstance(written, dict) or written.get("format") != FORMAT:
        raise LooksFileError(f"{path.name}: the first line should read `format: {FORMAT}`")
    return {name: read_look(f"{path.name}: {name}", entry) for name, entry in written.get(section, {}).items()}


def read_look(where: str, entry: Mapping[str, Any]) -> Look:
    """Return the look that an entry describes; `where` begins messages. Raises LooksFileError."""
    try:
        parts = dict(entry)
        face = dict(parts.pop("face", {}))
        return Look(
            hair=Hair(**parts.pop("hair")),
            clothes=Clothes(**parts.pop("clothes")),
            face=Face(**{**face, "marks": tuple(face.get("marks", ()))}),
            **parts,
        )
    except KeyError as error:
        raise LooksFileError(f"{where}: the part {error} is missing") from error
    except (TypeError, ValueError) as error:
        raise LooksFileError(f"{where}: {error}") from error
