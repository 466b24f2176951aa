"""What is on disk of one mind."""

from datetime import datetime

from translator.persona_name import PersonaName
from translator.storage.memories import read_memories

NODES = {
    "node_10": {"node_count": 10, "type": "thought", "created": "2023-02-13 09:00:00", "description": "c"},
    "node_9": {"node_count": 9, "type": "chat", "created": "2023-02-13 08:00:00", "description": "b"},
    "node_1": {"node_count": 1, "type": "event", "created": "2023-02-13 07:00:00", "description": "a"},
}
ADA = PersonaName("Ada Stone")


def test_memories_are_read_newest_first(stage):
    """Whatever their order on disk; each knows its own name."""
    folder = stage.save("run")
    stage.remember(folder, dict(sorted(NODES.items())))
    nodes = read_memories(folder, ADA).nodes
    assert [node["id"] for node in nodes] == ["node_10", "node_9", "node_1"]
    assert nodes[0] == {"id": "node_10", **NODES["node_10"]}


def test_a_memory_that_has_no_place_is_left_out(stage):
    """One without a proper number or time does not take the others along."""
    folder = stage.save("run")
    broken = {"node_2": {"node_count": "two"}, "node_3": {"node_count": 3, "created": 5}, "node_4": "?"}
    stage.remember(folder, NODES | broken)
    memories = read_memories(folder, ADA)
    assert [node["id"] for node in memories.until(datetime(2023, 2, 14))] == ["node_10", "node_9", "node_1"]


def test_memories_of_a_moment_end_there(stage):
    """What was remembered later is left out; the moment itself is in."""
    folder = stage.save("run")
    stage.remember(folder, NODES)
    until = read_memories(folder, ADA).until(datetime(2023, 2, 13, 8))
    assert [node["id"] for node in until] == ["node_9", "node_1"]


def test_memories_come_in_three_kinds(stage):
    """Together they are all."""
    folder = stage.save("run")
    stage.remember(folder, NODES)
    memories = read_memories(folder, ADA)
    assert [node["id"] for node in memories.of("chat")] == ["node_9"]
    assert sum(len(memories.of(kind)) for kind in ("event", "thought", "chat")) == len(NODES)


def test_a_mind_without_files_is_empty(stage):
    """A state page shows what there is."""
    memories = read_memories(stage.save("run"), PersonaName("Nobody"))
    assert (memories.scratch, memories.spatial, memories.nodes) == ({}, {}, [])
