"""The memories that were retrieved for an answer, as a table at the prompt."""

from collections.abc import Iterator, Sequence

from ville.persona.cognitive_modules.retrieve import RetrievedMemory
from ville.plain_text import shortened
from ville.simulation.progress import day_and_time, quantity

SHOWN = 5
"""Memories in the table, at most."""
EXCERPT = 100
"""Characters of a memory."""


def memory_table(memories: Sequence[RetrievedMemory], *, by_rules: bool) -> list[str]:
    """Return who answered, and a line for each of the memories with the highest scores: id, scores, date, text."""
    best = sorted(memories, key=lambda memory: -memory.score)[:SHOWN]
    answered = "answered by rules" if by_rules else ""
    if not best:
        return [f"  {answered}"] if by_rules else []
    retrieved = f"retrieved {quantity(len(memories), 'memory', 'memories')}"
    heading = "; ".join(filter(None, (answered, retrieved, "best by recency, relevance, importance and their sum:")))
    return [f"  {heading}", *_rows(best)]


def _rows(best: Sequence[RetrievedMemory]) -> Iterator[str]:
    width = max(len(each.node.node_id) for each in best)
    for each in best:
        scores = f"{each.recency:.2f} {each.relevance:.2f} {each.importance:.2f} {each.score:5.2f}"
        when, what = day_and_time(each.node.created), shortened(each.node.description, EXCERPT)
        yield f"  {each.node.node_id:{width}} {scores}  {when}  {what}"
