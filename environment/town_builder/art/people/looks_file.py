"""Looks written down in a YAML file: one entry a person."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from town_builder.art.people.look import Clothes, Face, Hair, Look

FORMAT = "looks/1"


class LooksFileError(ValueError):
    """A file of looks cannot be understood; the message says where and how to mend it."""


def read_looks(path: Path) -> dict[str, Look]:
    """Every look of the file by the person's name, in the file's order."""
    try:
        written = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as problem:
        raise LooksFileError(f"{path.name} is no YAML: {problem}") from problem
    if not isinstance(written, dict) or written.get("format") != FORMAT:
        raise LooksFileError(f"{path.name}: the first line should read `format: {FORMAT}`")
    return {name: _look(f"{path.name}: {name}", entry) for name, entry in written.get("people", {}).items()}


def _look(where: str, entry: Mapping[str, Any]) -> Look:
    try:
        parts = dict(entry)
        face = dict(parts.pop("face", {}))
        return Look(
            hair=Hair(**parts.pop("hair")),
            clothes=Clothes(**parts.pop("clothes")),
            face=Face(**{**face, "marks": tuple(face.get("marks", ()))}),
            **parts,
        )
    except KeyError as missing:
        raise LooksFileError(f"{where}: the part {missing} is missing") from missing
    except (TypeError, ValueError) as problem:
        raise LooksFileError(f"{where}: {problem}") from problem
