"""Files of a persona before its first step, as the town builder makes them for base simulations."""

import json

from ville.json_types import Json
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.scratch import Scratch, Tuning
from ville.persona.memory_structures.spatial_memory import Tree
from ville.storage.records.persona_files import NO_STRENGTH, PersonaFiles

TUNING = Tuning(vision_r=8, att_bandwidth=8, retention=8, recency_decay=0.995, importance_trigger_max=250)
FOR_OLDER_PROGRAMS = {
    "concept_forget": 100,
    "daily_reflection_time": 180,
    "daily_reflection_size": 5,
    "overlap_reflect_th": 4,
    "kw_strg_event_reflect_th": 10,
    "kw_strg_thought_reflect_th": 9,
    "thought_count": 5,
}
"""Keys of scratch.json that are not used."""


def new_scratch(identity: Identity) -> dict[str, Json]:
    """Return the content of scratch.json before the first step, as it is read from a file."""
    scratch = Scratch(identity, TUNING, TUNING.importance_trigger_max, as_read=FOR_OLDER_PROGRAMS)
    values: dict[str, Json] = json.loads(json.dumps(scratch.as_json()))
    return values


def new_files(identity: Identity, places: Tree) -> PersonaFiles:
    """Return the files of a persona without memories, who knows some places."""
    return PersonaFiles(
        scratch=new_scratch(identity),
        spatial_memory=dict(places),
        nodes={},
        embeddings={},
        kw_strength=NO_STRENGTH,
        last_accessed={},
    )
