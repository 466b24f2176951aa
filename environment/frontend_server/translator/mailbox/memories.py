"""What is on disk of one persona: as it was last saved, with the memories in the order in which they are read."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from translator.mailbox.files import read_object
from translator.people import Person

CREATED = "%Y-%m-%d %H:%M:%S"
MEMORY = "bootstrap_memory"


@dataclass(frozen=True)
class Memories:
    """The state of a mind, whenever it was saved."""

    scratch: dict[str, Any]
    spatial: dict[str, Any]
    nodes: list[dict[str, Any]]
    """Newest first, each with its `id`."""

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Events, thoughts or chats."""
        return [node for node in self.nodes if node.get("type") == kind]

    def until(self, moment: datetime) -> list[dict[str, Any]]:
        """Those that were made up to a moment of game time; their dates are written so that they sort as texts."""
        return [node for node in self.nodes if node.get("created", "") <= moment.strftime(CREATED)]


def read_memories(simulation: Path, person: Person) -> Memories:
    """What cannot be read is empty: a state page shows what there is."""
    folder = simulation / "personas" / person.name / MEMORY
    nodes = read_object(folder / "associative_memory" / "nodes.json") or {}
    understood = {name: node for name, node in nodes.items() if _has_its_place(node)}
    ordered = sorted(understood.items(), key=lambda item: item[1].get("node_count", 0), reverse=True)
    return Memories(
        scratch=read_object(folder / "scratch.json") or {},
        spatial=read_object(folder / "spatial_memory.json") or {},
        nodes=[{"id": name, **node} for name, node in ordered],
    )


def _has_its_place(node: Any) -> bool:
    """Whether it can be put in order, by number and by time."""
    return (
        isinstance(node, dict)
        and isinstance(node.get("node_count", 0), int)
        and isinstance(node.get("created", ""), str)
    )
