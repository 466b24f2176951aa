"""What a persona remembers, plans and is, as near to a step as it was saved."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ville.errors import CorruptFile
from ville.storage.checkpoints import PersonaPart, read_checkpoint, stems
from ville.storage.flaws import valid_part
from ville.storage.memories import SavedMemories, read_memories
from ville.storage.shapes import SPATIAL_MEMORY, ScratchShape


class SavedMind(NamedTuple):
    """A persona as it was saved."""

    memories: SavedMemories
    """Also of later memories: cut them with `until`."""
    step: int
    """The next one when plan, places and character were like this."""


def mind_at(simulation: Path, name: str, step: int, saved: int) -> SavedMind:
    """Return a persona as of the last save before a step that has a checkpoint; else as last saved, at step `saved`."""
    memories = read_memories(simulation, name)
    for stem in reversed([stem for stem in stems(simulation) if stem.step <= step < saved]):
        with suppress(CorruptFile):
            part = read_checkpoint(simulation, stem).personas.get(name)
            return SavedMind(_as_in(part, memories), stem.step) if part else SavedMind(memories, saved)
    return SavedMind(memories, saved)


def _as_in(part: PersonaPart, memories: SavedMemories) -> SavedMemories:
    """Return memories with the plan, places and character of a checkpoint."""
    scratch, wrong = valid_part(ScratchShape, part.scratch)
    spatial, faulty = valid_part(SPATIAL_MEMORY, part.spatial_memory)
    return replace(memories, scratch=scratch, spatial=spatial, flaws=[*memories.flaws, *wrong, *faulty])
