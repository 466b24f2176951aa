"""The memory files of one persona, as a run reads and saves them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ville.json_types import Json, JsonObject
from ville.storage.files import compact, pretty
from ville.storage.records.memory_files import NODES, PERSONAS, SCRATCH, SPATIAL, STRENGTH, accessed_file
from ville.storage.records.vector_rows import Row

FIRST_NODE = re.compile(r'\{"node_(\d+)"')
ON_ONE_LINE = (SPATIAL, NODES, STRENGTH)
NO_STRENGTH: dict[str, dict[str, int]] = {"kw_strength_event": {}, "kw_strength_thought": {}}


Vectors = dict[str, Any]
"""Text to vector, as they are in the files: lists of numbers, or a Row. The memory stream checks them."""


@dataclass(frozen=True)
class PersonaFiles:
    """Content of the memory files of one persona."""

    scratch: dict[str, Json]
    spatial_memory: dict[str, Json]
    nodes: dict[str, Json]
    embeddings: Vectors
    kw_strength: JsonObject
    last_accessed: dict[str, str]
    """Node id to time, for the nodes that were retrieved again."""


@dataclass(frozen=True)
class NodesText:
    """The text of nodes.json, made when it is asked for: those of a city are hundreds of megabytes."""

    nodes: Sequence[str]
    """Text of each, the oldest first."""

    def __str__(self) -> str:
        return "{" + ", ".join(reversed(self.nodes)) + "}"


@dataclass(frozen=True)
class PersonaState:
    """State of one persona to save."""

    scratch: JsonObject
    spatial_memory: JsonObject
    nodes: NodesText | str
    """Text of nodes.json: the memory stream keeps its parts ready, because it only grows."""
    new_embeddings: Mapping[str, Row]
    """Text to vector, for those added since the last save."""
    kw_strength: Mapping[str, Mapping[str, int]]
    last_accessed: Mapping[str, str]


def persona_file_names(name: str, folder: str = PERSONAS) -> tuple[str, ...]:
    """Return the files of a persona but vectors, in the order of `persona_texts`.

    `folder` is FORMER for a former resident.
    """
    own = (f"{folder}/{name}/{file}" for file in (SCRATCH, SPATIAL, NODES, STRENGTH))
    return (*own, f"reverie/{accessed_file(name)}")


def persona_texts(name: str, state: PersonaState, folder: str = PERSONAS) -> dict[str, str]:
    """Return the text of all files of a persona but vectors, by file."""
    texts = (
        pretty(state.scratch),
        compact(state.spatial_memory),
        str(state.nodes),
        compact(state.kw_strength),
        pretty(state.last_accessed),
    )
    return dict(zip(persona_file_names(name, folder), texts, strict=True))


def in_our_notation(file: str, value: Json) -> str:
    """Return the text of a memory file or a file below reverie/, given its name, as we write it."""
    return compact(value) if file.endswith(ON_ONE_LINE) else pretty(value)


def count_nodes(nodes: str) -> int:
    """Return the number of memories in the text of nodes.json, which begins with the last one."""
    match = FIRST_NODE.match(nodes)
    return int(match[1]) if match else 0
