"""Memories that are masked are kept, and not retrieved."""

from datetime import datetime
from typing import get_args

import numpy as np
import pytest

from ville.persona.cognitive_modules.retrieve import recall, score_memories
from ville.persona.memory_structures.scratch import Tuning
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.persona.memory_structures.stream.concept_node import MemorySort, observation, thought
from ville.persona.memory_structures.stream.vectors import Vectors

MEMORY_SORTS = get_args(MemorySort)
NOW = datetime(2023, 2, 13, 8)
PLAN, OTHER = ("Ada Stone", "plan", "Monday"), ("Ada Stone", "like", "rain")


@pytest.fixture
def stream():
    memory = AssociativeMemory("Ada Stone", Vectors.load("Ada Stone", {}))
    seen = observation(NOW, OTHER, "Ada Stone sees rain", poignancy=3, keywords=("Ada Stone", "rain"))
    plan = thought(NOW, PLAN, "This is Ada Stone's plan", poignancy=3, keywords=("plan",))
    insight = thought(NOW, OTHER, "Ada Stone likes rain", poignancy=3, keywords=("rain",), evidence=("node_1",))
    whisper = thought(NOW, OTHER, "Ada Stone wants rain", poignancy=3, keywords=("rain",))
    for place, each in enumerate((seen, plan, insight, whisper)):
        memory.add(each, np.eye(4, dtype=np.float32)[place])
    return memory


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("masked", [(), *((sort,) for sort in MEMORY_SORTS), MEMORY_SORTS])
def test_masked_memories_are_not_retrieved(stream, masked, late):
    """Whatever is masked: by a focal point, and by a keyword; memories that come later, too. All are kept."""
    stream.mask(masked)
    if late:
        insight = thought(NOW, OTHER, "Ada Stone loves rain", poignancy=3, keywords=("rain",), evidence=("node_1",))
        stream.add(insight, np.ones(4, dtype=np.float32))
    sorts = ["observations", "plans", "reflections", "observations", *(["reflections"] if late else [])]
    shown = {number for number, sort in enumerate(sorts, 1) if sort not in masked}
    scores = score_memories(stream, np.ones(4, dtype=np.float32), tuning=Tuning(), now=NOW)
    assert set(scores.numbers.tolist()) == shown
    (found,) = recall(stream, [stream[1]]).values()
    assert {node.number for node in (*found.events, *found.thoughts)} == shown - {2}
    assert len(stream) == len(sorts)
