"""The memory files of one persona, read field by field for pages and analysis."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ville.json_types import Json, JsonObject
from ville.storage.dates import node_time_text
from ville.storage.files import LARGEST_MEMORIES
from ville.storage.flaws import Flaw, flaws, name_of, valid_part, whole_file
from ville.storage.records.memory_files import NODES, SCRATCH, SPATIAL
from ville.storage.records.people_files import PeopleFiles
from ville.storage.shapes import SPATIAL_MEMORY, ChatNodeShape, NodeShape, ScratchShape

ValueT = TypeVar("ValueT")
Node = dict[str, Any]
"""A memory as it is in the file: it fits ChatNodeShape or NodeShape."""


@dataclass(frozen=True)
class SavedMemories:
    """The valid part of the memory files of one persona, as last saved."""

    scratch: dict[str, Json]
    spatial: dict[str, Json]
    nodes: list[Node]
    """Newest first, each with its `id`."""
    flaws: list[Flaw]
    """Of the fields that were left out."""

    def of_type(self, kind: str) -> list[Node]:
        """Return the nodes of a type: event, thought or chat."""
        return [node for node in self.nodes if node.get("type") == kind]

    def until(self, moment: datetime) -> list[Node]:
        """Return the nodes created up to a moment of game time."""
        last = node_time_text(moment)  # these texts sort as the times do
        return [node for node in self.nodes if node["created"] <= last]


def read_memories(simulation: Path, name: str) -> SavedMemories:
    """Read the memories of a persona. Missing files are empty; invalid fields are left out and reported as flaws."""
    people = PeopleFiles(simulation)
    folder = people.folder(name)
    found: list[Flaw] = []

    def read(file: str, valid: Callable[[JsonObject], tuple[dict[str, ValueT], list[Flaw]]]) -> dict[str, ValueT]:
        own = f"{folder}/{file}"
        path = simulation / own
        values = people.object_if_whole(own, most=LARGEST_MEMORIES)
        missing = [whole_file(path)] if people.has(own) else []
        left, wrong = ({}, missing) if values is None else valid(values)
        found.extend(flaw.of(name_of(path, simulation)) for flaw in wrong)
        return left

    nodes = read(NODES, _valid_nodes)
    ordered = sorted(nodes.items(), key=lambda item: item[1].get("node_count", 0), reverse=True)
    return SavedMemories(
        scratch=read(SCRATCH, partial(valid_part, ScratchShape)),
        spatial=read(SPATIAL, partial(valid_part, SPATIAL_MEMORY)),
        nodes=[{**node, "id": name} for name, node in ordered],
        flaws=found,
    )


def _valid_nodes(nodes: JsonObject) -> tuple[dict[str, Node], list[Flaw]]:
    valid: dict[str, Node] = {}
    found: list[Flaw] = []
    for name, node in nodes.items():
        is_chat = isinstance(node, dict) and node.get("type") == "chat"
        wrong = flaws(ChatNodeShape if is_chat else NodeShape, node)
        found += [flaw.within(name) for flaw in wrong]
        if isinstance(node, dict) and not wrong:
            valid[name] = node
    return valid, found
