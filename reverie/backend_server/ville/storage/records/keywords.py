"""`kw_strength.json`: how often keywords came up in events and thoughts. Older programs expect it."""

from collections.abc import Iterable, Mapping
from typing import Any

IDLE = "idle"
SECTIONS: Mapping[str, str] = {"event": "kw_strength_event", "thought": "kw_strength_thought"}
"""Sections of the file by type of memory."""
Strengths = dict[str, dict[str, int]]
Unchecked = Mapping[str, Any]
"""An object of a memory file, as any program may have written it."""


def section_of(kind: str, predicate: str, thing: str) -> str:
    """Return the section in which the keywords of a memory are counted; empty if they are not."""
    return "" if (predicate, thing) == ("is", IDLE) else SECTIONS.get(kind, "")


def strengths_before(now: Unchecked, known: Mapping[str, int], later: Iterable[Unchecked]) -> Strengths:
    """Return the counts as they were before some memories.

    Args:
        now: the counts with these memories.
        known: how many keywords each section had; new ones are always added at the end.
        later: the memories, as in nodes.json.
    """
    before: Strengths = {name: dict([*counts.items()][: known.get(name, 0)]) for name, counts in now.items()}
    for node in later:
        counts = before.get(section_of(node["type"], node["predicate"], node["object"]), {})
        for word in map(str.lower, node["keywords"]):
            if word in counts:
                counts[word] -= 1
    return before
