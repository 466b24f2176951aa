"""Memories, plan and identity of a persona at a step: computed for that step, else as of the nearest save."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from django.conf import settings

from translator.storage.computed.computations import Computation, Computations
from translator.storage.runs.stored_simulation import Store, StoredSimulation
from ville.errors import CorruptFile, StorageError
from ville.storage.flaws import valid_part
from ville.storage.past.checkpoints import read_checkpoint, stems
from ville.storage.past.moments import find_moment, find_route
from ville.storage.records.memory_files import SCRATCH, SPATIAL
from ville.storage.records.saved_memories import SavedMemories, read_memories
from ville.storage.shapes import SPATIAL_MEMORY, ScratchShape

PROGRAM = ("-m", "ville.cli.past_minds")
_computed = Computations()


class SavedMind(NamedTuple):
    """A persona as it was at a step."""

    memories: SavedMemories
    """Also of later memories: cut them with `until`."""
    step: int
    """The next one when plan, places and character were like this."""


def mind_at(simulation: StoredSimulation, name: str, step: int) -> SavedMind:
    """Return a persona at a step if that was computed, or as of the last checkpoint before, or as last saved."""
    memories, saved = read_memories(simulation.root, name), simulation.meta.step
    if found := _computed.finished(_key(simulation, step)):
        part = json.loads(found).get(name)
        return SavedMind(_as_in(part, memories), step) if part else SavedMind(memories, saved)
    for stem in reversed([stem for stem in stems(simulation.root) if stem.step <= step < saved]):
        with suppress(CorruptFile):
            kept = read_checkpoint(simulation.root, stem).personas.get(name)
            if kept is None:
                break
            part = {"scratch": kept.scratch, "spatial_memory": kept.spatial_memory}
            return SavedMind(_as_in(part, memories, stem.file), stem.step)
    return SavedMind(memories, saved)


def can_be_exact(simulation: StoredSimulation, step: int) -> bool:
    """Return whether the steps between a checkpoint and this one can be computed again."""
    if simulation.store is not Store.SAVED or step >= simulation.meta.step:
        return False
    try:
        return bool(find_route(simulation.root, find_moment(simulation.root, str(step))))
    except StorageError:
        return False


def exact_minds(simulation: StoredSimulation, step: int, *, may_act: bool) -> Computation:
    """Compute everyone at a step of a saved simulation, unless that was begun before.

    `mind_at` returns them once it is done. Raises Unavailable and TooManyRequests.
    """
    command = [*PROGRAM, simulation.code, str(step), "--storage", str(settings.STORAGE)]
    return _computed.begin(_key(simulation, step), command, [simulation], may_act=may_act)


def _key(simulation: StoredSimulation, step: int) -> tuple[str, ...]:
    return (str(simulation.root), str(step))


def _as_in(part: Mapping[str, object], memories: SavedMemories, file: str = "") -> SavedMemories:
    """Return memories with the plan, places and character of a checkpoint, or of what was computed."""
    scratch, wrong = valid_part(ScratchShape, part["scratch"])
    spatial, faulty = valid_part(SPATIAL_MEMORY, part["spatial_memory"])
    found = [*(flaw.of(file or SCRATCH) for flaw in wrong), *(flaw.of(file or SPATIAL) for flaw in faulty)]
    return replace(memories, scratch=scratch, spatial=spatial, flaws=[*memories.flaws, *found])
