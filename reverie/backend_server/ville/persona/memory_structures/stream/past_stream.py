"""The memory stream as it was at a moment, for a thought that takes a while: what is retrieved for it does not depend
on what is remembered meanwhile.
"""

from collections.abc import Iterable
from copy import copy
from datetime import datetime

from ville.persona.memory_structures.person_names import NameIndex
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.persona.memory_structures.stream.concept_node import ConceptNode


class PastStream(AssociativeMemory):
    """A stream up to now, while the stream itself grows. Nothing is added to it, and it marks no memory as accessed in
    the stream itself.

    Nodes and vectors are shared: they never change. What is found by keyword is shared, too, without what is newer.
    """

    def __init__(self, stream: AssociativeMemory) -> None:
        super().__init__(stream.owner, stream.vectors)
        self._nodes = stream._nodes[:]  # noqa: SLF001 - the same class
        self._of_kind = {kind: nodes[:] for kind, nodes in stream._of_kind.items()}  # noqa: SLF001
        self._index = stream._index  # noqa: SLF001
        self._names, self.latest = NameIndex(), dict(stream.latest)
        self._retrievable = {kind: copy(numbers) for kind, numbers in stream._retrievable.items()}  # noqa: SLF001
        self._created, self._poignancy = copy(stream._created), copy(stream._poignancy)  # noqa: SLF001
        self._vector_rows = copy(stream._vector_rows)  # noqa: SLF001
        self._accessed.extend(stream._accessed.values)  # noqa: SLF001
        self.dropped, self._hidden = set(stream.dropped), set(stream._hidden)  # noqa: SLF001
        self.came_to_mind: dict[int, None] = {}
        """Numbers of the nodes that were accessed since, in order."""

    def mark_accessed(self, nodes: Iterable[ConceptNode], now: datetime) -> None:
        found = list(nodes)
        super().mark_accessed(found, now)
        self.came_to_mind |= dict.fromkeys(node.number for node in found)

    def _remembered(self, nodes: list[ConceptNode]) -> list[ConceptNode]:
        return [node for node in super()._remembered(nodes) if node.number <= len(self)]
