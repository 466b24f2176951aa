"""Who is in a simulation besides the residents in meta.json, and what they look like.

Of a simulation, this is read from the rows of `interventions.jsonl` that let people come or go: they are on disk
before they take effect. A compressed one has it in `cast.json`, with the steps in which each of them is in town.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, Strict, ValidationError

from ville.json_types import Json
from ville.storage.files import read_bytes, read_object_if_whole
from ville.storage.flaws import Flaw, name_of, valid_part, whole_file
from ville.storage.records.intervention_log import LOG
from ville.storage.shapes import Name, Shape, Text, Whole

CAST = "cast.json"
KINDS = ("visitor_in", "resident_in", "resident_out")
"""Interventions that name a person who comes or goes."""
MARKS = tuple(f'"{kind}"'.encode() for kind in KINDS)


@dataclass(frozen=True)
class CastEntry:
    """Arrival or departure of a person."""

    look: str = ""
    """Name of a sprite; empty: the one that goes with the name."""
    about: str = ""
    """A sentence about a visitor."""
    visitor: bool = False
    """Whether this is a visitor, who has no mind."""

    def as_json(self) -> dict[str, Json]:
        """Return the keys of an entry of cast.json."""
        return {"look": self.look, "about": self.about, "visitor": self.visitor}


Stay = tuple[int, int]
"""First and last step in which a person is in town."""
Cast = Mapping[str, CastEntry]
"""By name, in the order of coming and going."""


class ComingShape(Shape):
    """A row of interventions.jsonl by which a person comes."""

    kind: Text
    name: Name
    look: Text = ""
    about: Text = ""


class GoingShape(Shape):
    """A row of interventions.jsonl by which a resident moves away."""

    kind: Text
    who: Name


class CastEntryShape(Shape):
    """Entry of cast.json."""

    look: Text = ""
    about: Text = ""
    visitor: bool = False
    here: tuple[Annotated[tuple[Whole, Whole], Strict(strict=False)], ...] | None = Field(None, strict=False)


def read_cast(simulation: Path) -> dict[str, CastEntry]:
    """Return who came to or left a simulation in storage/. Rows that cannot be read are left out."""
    path = simulation / "reverie" / LOG
    try:
        lines = read_bytes(path, simulation).split(b"\n")[:-1]
    except OSError:
        return {}
    found: dict[str, CastEntry] = {}
    for row in _rows(lines):
        if isinstance(row, ComingShape):
            found[row.name] = CastEntry(row.look.replace(" ", "_"), row.about, visitor=row.kind == "visitor_in")
        elif row.who not in found:
            found[row.who] = CastEntry()
    return found


def _rows(lines: Iterable[bytes]) -> Iterator[ComingShape | GoingShape]:
    """Yield the valid rows by which people come or go. Others, which may be long, are not parsed."""
    for line in lines:
        if not any(mark in line for mark in MARKS):
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        kind = row.get("kind") if isinstance(row, dict) else None
        with suppress(ValidationError):
            if kind in KINDS:
                yield (GoingShape if kind == "resident_out" else ComingShape).model_validate(row)


def read_compressed_cast(folder: Path) -> tuple[dict[str, CastEntry], dict[str, list[Stay]], list[Flaw]]:
    """Return the cast of a compressed simulation, when each of them is in town, and the flaws of its file."""
    path = folder / CAST
    values = read_object_if_whole(path, folder)
    if values is None:
        return {}, {}, [whole_file(path).of(name_of(path, folder))] if path.exists() else []
    valid, found = valid_part(dict[Name, CastEntryShape], values)
    cast = {
        name: CastEntry(entry.get("look", ""), entry.get("about", ""), visitor=entry.get("visitor", False))
        for name, entry in valid.items()
    }
    stays = {
        name: [(first, last) for first, last in entry["here"]] for name, entry in valid.items() if entry.get("here")
    }
    return cast, stays, [flaw.of(name_of(path, folder)) for flaw in found]
