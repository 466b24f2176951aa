"""The memory files of one persona, read field by field for pages and analysis."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ville.json_types import Json, JsonObject
from ville.storage.dates import node_time_text
from ville.storage.files import LARGEST_MEMORIES, read_object_if_whole
from ville.storage.flaws import Flaw, flaws, name_of, valid_part, whole_file
from ville.storage.shapes import SPATIAL_MEMORY, ChatNodeShape, NodeShape, ScratchShape

PERSONAS = "personas"
FORMER = "reverie/former"
"""Folder of those who have moved away, each as it was below PERSONAS when they left."""
SCRATCH = "bootstrap_memory/scratch.json"
SPATIAL = "bootstrap_memory/spatial_memory.json"
NODES = "bootstrap_memory/associative_memory/nodes.json"
EMBEDDINGS = "bootstrap_memory/associative_memory/embeddings.json"
VECTORS = "bootstrap_memory/associative_memory/vectors.f32"
STRENGTH = "bootstrap_memory/associative_memory/kw_strength.json"
INDEX = "vectors.json"
"""File below reverie/ with how much of each VECTORS belongs to the last save."""
POLICY = "lifestyle_policy.json"
"""File below reverie/ with what personas do again as before."""
FACTS = "facts.json"
"""File below reverie/ with the commitments of personas, and with what they have told to whom."""
COMMON_SENSE = "common_sense.json"
"""File below reverie/ with what a model has said about where activities are usually done."""


def accessed_file(name: str) -> str:
    """Return the file below reverie/ with the times at which memories of a persona were last retrieved."""
    return f"last_accessed/{name}.json"


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


def memory_folder(simulation: Path, name: str) -> Path:
    """Return the folder of a resident, or of a former resident."""
    folder = simulation / PERSONAS / name
    former = simulation / FORMER / name
    return former if former.exists() and not folder.exists() else folder


def read_memories(simulation: Path, name: str) -> SavedMemories:
    """Read the memories of a persona. Missing files are empty; invalid fields are left out and reported as flaws."""
    folder = memory_folder(simulation, name)
    found: list[Flaw] = []

    def read(file: str, valid: Callable[[JsonObject], tuple[dict[str, ValueT], list[Flaw]]]) -> dict[str, ValueT]:
        path = folder / file
        values = read_object_if_whole(path, simulation, most=LARGEST_MEMORIES)
        missing = [whole_file(path)] if path.exists() else []
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
