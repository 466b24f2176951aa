"""Conditions of the evaluation: which memories a person is left with when it answers (paper, section 6.2)."""

from collections.abc import Mapping
from dataclasses import dataclass

PEOPLE = "people"
"""The condition whose answers people wrote."""


@dataclass(frozen=True)
class Condition:
    """A condition: the memories that are masked, and the rating in the paper."""

    masked: str
    """Sorts of memories that are not retrieved, as in the setting `masked_memories`."""
    title: str
    paper: float
    """Mean of its TrueSkill rating in the paper."""


CONDITIONS: Mapping[str, Condition] = {
    "full": Condition("", "all memories", 29.89),
    "no_reflection": Condition("reflections", "no reflection", 26.88),
    "no_reflection_no_planning": Condition("reflections plans", "no reflection, no planning", 25.64),
    PEOPLE: Condition("", "people in their place", 22.95),
    "none": Condition("observations plans reflections", "no memories", 21.21),
}
"""In the order of the paper."""
ASKED = tuple(name for name in CONDITIONS if name != PEOPLE)
"""Those that a simulation answers."""
