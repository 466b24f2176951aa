"""Knowledge of a persona that may have led to an act: memories, and sentences of its character."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NodeData
from ville.analysis.why.acts import node_id
from ville.analysis.why.cause import Removal
from ville.analysis.why.heard import DoingState
from ville.analysis.why.likeness import WordLikeness, words_of
from ville.errors import StorageError

FIELDS = ("currently", "learned", "daily_plan_req", "lifestyle", "innate")
"""Fields of the character that may lead to an act."""
SENTENCE = re.compile(r"(?<=[.!?])\s+")
ENOUGH, ALIKE = 0.3, 0.3
"""Least share of the words of an act that what led to it has; and of these, that others have which say the same.
"""
FEWEST = 2
"""Words that both have at least."""
LATEST, FIRST = 400, 5
"""Memories that are looked at, and those of most words among them that are weighed for a sentence."""


@dataclass(frozen=True)
class KnownBefore:
    """Memories and sentences that say what an act says, the best first."""

    memories: tuple[NodeData, ...] = ()
    sentences: tuple[tuple[str, str], ...] = ()
    """Field and sentence."""
    best_is_memory: bool = True

    def removal(self, who: str, step: int) -> Removal:
        return Removal(
            step,
            memories=tuple((who, node_id(node)) for node in self.memories),
            sentences=tuple((who, field, sentence) for field, sentence in self.sentences),
        )

    def __bool__(self) -> bool:
        return bool(self.memories or self.sentences)


def sentences_of(run: ComparedRun, who: str, state: DoingState | None) -> list[tuple[str, str]]:
    """Return the sentences of a character, with their fields: as they were in a step, or as last saved."""
    try:
        fields: Mapping[str, object] = state.identity if state else run.scratch(who)
    except StorageError:
        return []
    pairs = ((field, str(fields.get(field) or "")) for field in FIELDS)
    return [(field, part.strip()) for field, text in pairs for part in SENTENCE.split(text) if part.strip()]


def knowledge_for(
    text: str,
    nodes: Iterable[NodeData],
    sentences: Iterable[tuple[str, str]],
    *,
    names: Collection[str],
    enough: float = ENOUGH,
    fewest: int = FEWEST,
) -> KnownBefore:
    """Return what says most of a sentence of a text, with whatever says the same. `names` do not count as words."""
    memories = {f"memory {node['node_count']}": node for node in list(nodes)[-LATEST:]}
    lines = {f"sentence {number}": each for number, each in enumerate(sentences)}
    texts = {key: str(node["description"]) for key, node in memories.items()}
    texts |= {key: sentence for key, (_, sentence) in lines.items()}
    likeness, called = WordLikeness(texts.values()), {word for name in names for word in words_of(name)}
    found: tuple[float, str, frozenset[str]] | None = None
    for part in SENTENCE.split(text):
        words = words_of(part) - called
        for key, share in likeness.ranked(words, texts)[:FIRST]:
            shared = words & words_of(texts[key])
            weight = likeness.weight(shared)
            if share >= enough and len(shared) >= fewest and (found is None or weight > found[0]):
                found = weight, key, shared
    if found is None:
        return KnownBefore()
    _, best, shared = found
    same = [best, *(key for key, share in likeness.ranked(shared, texts) if share >= ALIKE and key != best)]
    return KnownBefore(
        tuple(memories[key] for key in same if key in memories),
        tuple(lines[key] for key in same if key in lines),
        best_is_memory=best in memories,
    )


def before(nodes: Iterable[NodeData], run: ComparedRun, step: int) -> list[NodeData]:
    """Return the memories from before a step, the oldest first."""
    return [node for node in nodes if run.step_of(node) < step or (step == run.first and run.step_of(node) == step)]
