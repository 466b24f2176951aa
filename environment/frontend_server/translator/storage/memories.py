"""What is on disk of one persona: as it was last saved, with the memories in the order in which they are read."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from translator.persona_name import PersonaName
from translator.shapes import SPATIAL, Flaw, ScratchShape, sound, sound_nodes
from translator.storage.files import read_object
from translator.storage.stored_simulation import named, whole_flaw

CREATED = "%Y-%m-%d %H:%M:%S"
MEMORY = "bootstrap_memory"


@dataclass(frozen=True)
class SavedMemories:
    """The state of a mind, whenever it was saved."""

    scratch: dict[str, Any]
    spatial: dict[str, Any]
    nodes: list[dict[str, Any]]
    """Newest first, each with its `id`."""
    damage: list[Flaw]
    """What of it cannot be shown."""

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Events, thoughts or chats."""
        return [node for node in self.nodes if node.get("type") == kind]

    def until(self, moment: datetime) -> list[dict[str, Any]]:
        """Those that were made up to a moment of game time; their dates are written so that they sort as texts."""
        return [node for node in self.nodes if node["created"] <= moment.strftime(CREATED)]


def read_memories(simulation: Path, person: PersonaName) -> SavedMemories:
    """What is missing is empty, and what is damaged is left out and named: a state page shows what there is."""
    folder = simulation / "personas" / person.name / MEMORY
    damage: list[Flaw] = []

    def read(address: str, read_sound: Callable[[Any], tuple[dict[str, Any], list[Flaw]]]) -> dict[str, Any]:
        path = folder / address
        values = read_object(path)
        missing = [whole_flaw(path)] if path.exists() else []
        left, found = ({}, missing) if values is None else read_sound(values)
        damage.extend(flaw.of(named(path, simulation)) for flaw in found)
        return left

    nodes = read("associative_memory/nodes.json", sound_nodes)
    ordered = sorted(nodes.items(), key=lambda item: item[1].get("node_count", 0), reverse=True)
    return SavedMemories(
        scratch=read("scratch.json", partial(sound, ScratchShape)),
        spatial=read("spatial_memory.json", partial(sound, SPATIAL)),
        nodes=[{**node, "id": name} for name, node in ordered],
        damage=damage,
    )
