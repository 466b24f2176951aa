"""Commitments of one persona in facts.json, and what it knows of itself, read for pages and measures."""

from datetime import datetime
from pathlib import Path
from typing import Any

from ville.storage.dates import node_time_text
from ville.storage.files import LARGEST_MEMORIES, read_object_if_whole
from ville.storage.flaws import flaws
from ville.storage.records.memory_files import FACTS
from ville.storage.shapes import CommitmentShape

OPEN = "open"


def commitments_at(simulation: Path, name: str, moment: datetime) -> list[CommitmentShape]:
    """Return what a persona had promised up to a moment, the newest first; what has ended later is still open.

    Invalid ones are left out. Raises CorruptFile for a link.
    """
    rows = _kept(simulation, name, "commitments")
    last = node_time_text(moment)
    valid = [CommitmentShape(**row) for row in rows if not flaws(CommitmentShape, row)]
    made = [each for each in valid if each.made <= last]
    shown = [each.model_copy(update={"outcome": OPEN, "reason": ""}) if each.ended > last else each for each in made]
    return shown[::-1]


def own_sentences(simulation: Path, name: str) -> list[str]:
    """Return sentences about a persona that hold for good, as it was told them before the run. Raises CorruptFile."""
    return [text for text in _kept(simulation, name, "own") if isinstance(text, str)]


def _kept(simulation: Path, name: str, kind: str) -> list[Any]:
    """Return the entries of one kind; none if there are none, or the file is torn."""
    facts = read_object_if_whole(simulation / "reverie" / FACTS, simulation, most=LARGEST_MEMORIES) or {}
    kept = facts.get(name)
    found = kept.get(kind) if isinstance(kept, dict) else None
    return found if isinstance(found, list) else []
