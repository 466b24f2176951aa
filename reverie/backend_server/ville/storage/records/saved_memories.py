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
    scratch, found = read_scratch(simulation, name)
    nodes, of_nodes = _part(simulation, name, NODES, _valid_nodes)
    spatial, of_spatial = _part(simulation, name, SPATIAL, partial(valid_part, SPATIAL_MEMORY))
    ordered = sorted(nodes.items(), key=lambda item: item[1].get("node_count", 0), reverse=True)
    return SavedMemories(
        scratch=scratch,
        spatial=spatial,
        nodes=[{**node, "id": name} for name, node in ordered],
        flaws=[*of_nodes, *found, *of_spatial],
    )


def read_scratch(simulation: Path, name: str) -> tuple[dict[str, Json], list[Flaw]]:
    """Return who a persona is and what it does, without its memories; and the flaws of what was left out."""
    return _part(simulation, name, SCRATCH, partial(valid_part, ScratchShape))


def _part(
    simulation: Path, name: str, file: str, valid: Callable[[JsonObject], tuple[dict[str, ValueT], list[Flaw]]]
) -> tuple[dict[str, ValueT], list[Flaw]]:
    """Return the valid part of one file of a persona, and its flaws."""
    people = PeopleFiles(simulation)
    own = f"{people.folder(name)}/{file}"
    path = simulation / own
    values = people.object_if_whole(own, most=LARGEST_MEMORIES)
    missing = [whole_file(path)] if people.has(own) else []
    left, wrong = ({}, missing) if values is None else valid(values)
    return left, [flaw.of(name_of(path, simulation)) for flaw in wrong]


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
