"""Laws of memory files as pages and analysis read them."""

import json
from datetime import datetime

import pytest

from ville.storage.records.memory_files import NODES, SCRATCH
from ville.storage.records.saved_memories import read_memories

ADA = "Ada Stone"
STREAM = {
    "node_1": {"node_count": 1, "type": "event", "created": "2023-02-13 07:00:00", "description": "a"},
    "node_10": {"node_count": 10, "type": "thought", "created": "2023-02-13 09:00:00", "description": "c"},
    "node_9": {"node_count": 9, "type": "chat", "created": "2023-02-13 08:00:00", "description": "b"},
}


@pytest.fixture
def remember(storage, put):
    """Write the memory stream of Ada; return what is read."""

    def write(stream):
        put(storage / "base" / "personas" / ADA / NODES, json.dumps(stream))
        return read_memories(storage / "base", ADA)

    return write


def ids(nodes):
    return [node["id"] for node in nodes]


def test_memories_are_read_newest_first(remember):
    """In whatever order they are on disk; each has its id."""
    memories = remember(STREAM)
    assert ids(memories.nodes) == ["node_10", "node_9", "node_1"]
    assert memories.nodes[0] == {"id": "node_10", **STREAM["node_10"]}


def test_invalid_memories_are_left_out_and_named(remember):
    """The others are read."""
    memories = remember(STREAM | {"node_2": {**STREAM["node_1"], "node_count": "two"}, "node_4": "?"})
    assert ids(memories.until(datetime(2023, 2, 14))) == ["node_10", "node_9", "node_1"]
    file = f"base/personas/{ADA}/{NODES}"
    assert [str(flaw) for flaw in memories.flaws] == [
        f"{file}: node_2.node_count is not a whole number.",
        f"{file}: node_4 is not an object.",
    ]


def test_memories_of_a_moment_end_there(remember):
    """The moment itself is included."""
    assert ids(remember(STREAM).until(datetime(2023, 2, 13, 8))) == ["node_9", "node_1"]


def test_every_memory_has_one_of_three_types(remember):
    """Events, thoughts and chats together are all."""
    memories = remember(STREAM)
    assert ids(memories.of_type("chat")) == ["node_9"]
    assert sum(len(memories.of_type(kind)) for kind in ("event", "thought", "chat")) == len(STREAM)


def test_invalid_fields_of_a_scratch_are_left_out(storage, put):
    """With their names; fields that pages do not show are not checked."""
    put(storage / "base" / "personas" / ADA / SCRATCH, '{"age": "old", "innate": "kind", "chat": 5}')
    memories = read_memories(storage / "base", ADA)
    assert memories.scratch == {"innate": "kind", "chat": 5}
    assert [flaw.keys for flaw in memories.flaws] == [("age",)]


def test_a_persona_without_files_has_empty_memories(storage):
    """Missing files are not flaws."""
    memories = read_memories(storage / "base", "Nobody")
    assert (memories.scratch, memories.spatial, memories.nodes, memories.flaws) == ({}, {}, [], [])
