"""Malformed memories are refused with a one-line message when opened, never in the middle of a step."""

import json
from copy import deepcopy
from dataclasses import fields, replace
from datetime import date
from random import Random

import pytest

from ville.errors import BadEmbedding, CorruptFile
from ville.persona.memory_structures.stream.memories import Memories
from ville.storage.folder.simulation_folder import SimulationFolder

ADA = "Ada Stone"
MORNING = 60 * 12
TODAY = date(2023, 2, 13)
JUNK = (None, True, 7, 2.5, "x", "2023-02-13 00:00:00+01:00", [], ["x"], [["x"]], {}, {"x": 1}, {"x": ["x"]})
NAMES = {
    "scratch": "scratch.json", "spatial_memory": "spatial_memory.json", "nodes": "nodes.json",
    "embeddings": "embeddings.json", "kw_strength": "kw_strength.json", "last_accessed": "last_accessed",
}  # fmt: skip
SAMPLE = 40
"""Places in a file that are spoilt."""


@pytest.fixture
def lived(town_after):
    """Return the files of a persona after a morning with a conversation and a walk."""
    files = SimulationFolder(town_after(MORNING, talkative=True).root / "storage/new").read_persona(ADA)
    assert any(node["type"] == "chat" for node in files.nodes.values())
    assert files.scratch["f_daily_schedule"] and files.last_accessed  # noqa: PT018 - it has lived
    return files


def places(value, way=()):
    """Return the paths to all values inside a JSON value."""
    if way:
        yield way
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(each, (*way, key))


def spoilt(value, way, junk):
    """Return a copy with another value at one path."""
    copy = deepcopy(value)
    inner = copy
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = junk
    return copy


def use(memories):
    """Do with these files what a step and a save do."""
    scratch = memories.scratch
    hash((scratch.visible_event(), scratch.visible_object_event()))
    scratch.tick_cool_downs()
    scratch.identity.text(TODAY)
    for node in memories.stream:
        hash((node.triple, node.keywords, node.evidence, node.transcript))
    for row in scratch.schedule:
        hash(row.text)
    " ".join(scratch.daily_req)
    state = memories.state()
    json.dumps([getattr(state, field.name) for field in fields(state) if field.name != "new_embeddings"], default=str)
    b"".join(state.new_embeddings.values())


def fault_of(files):
    """Return the message that refuses the files; empty if they are accepted."""
    try:
        use(Memories.load(ADA, files))
    except BadEmbedding as fault:
        return f"{fault} (or nodes.json, which asks for it)"
    except CorruptFile as fault:
        return str(fault)
    return ""


@pytest.mark.parametrize("kind", NAMES)
def test_a_malformed_value_is_a_one_line_error_or_harmless(lived, kind):
    """Anywhere in a file: either the message names persona and file, or the files can be used and saved."""
    lot, value = Random(kind), getattr(lived, kind)  # noqa: S311 - any places will do
    ways = list(places(value))
    lines = [
        fault_of(replace(lived, **{kind: spoilt(value, way, junk)}))
        for way in (ways if len(ways) < SAMPLE else lot.sample(ways, SAMPLE))
        for junk in JUNK
    ]
    told = [line for line in lines if line]
    assert told
    assert all(line.startswith(ADA) and NAMES[kind] in line and "\n" not in line for line in told)
