"""The memory stream (paper §4.1): everything a persona has perceived, said and thought, in order.

It only grows. What retrieval scores is in arrays beside the nodes, one entry per node. The JSON text of a node is made
once, when it is saved first.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from ville.errors import CorruptFile
from ville.persona.memory_structures.person_names import NameIndex, Names, PersonName, names_of, person_name
from ville.persona.memory_structures.scratch_types import OBJECT, WHOLE, check_type
from ville.persona.memory_structures.stream.concept_node import (
    KINDS,
    ConceptNode,
    Experience,
    Kind,
    evidence_of,
    read_experience,
)
from ville.persona.memory_structures.stream.growing_array import Array, GrowingArray
from ville.persona.memory_structures.stream.vectors import Vector, Vectors
from ville.storage.dates import node_time_text, parse_node_time
from ville.storage.files import compact
from ville.storage.records.keywords import IDLE, SECTIONS, Strengths, section_of
from ville.storage.records.persona_files import NodesText

EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - game time has no zone
SECOND = timedelta(seconds=1)
_FIELDS = tuple(Experience.__dataclass_fields__)


def keyword(text: str) -> str:
    """Return the key of a word in the index: the last part of an address, in lower case."""
    return text.rsplit(":", 1)[-1].strip().lower()


def _strengths(values: Mapping[str, Any]) -> Strengths:
    """Return the content of kw_strength.json without empty entries. Raise CorruptFile."""
    found = {name: counts for name, counts in values.items() if counts}
    for name, counts in found.items():
        check_type(name, counts, OBJECT)
        for word, count in counts.items():
            check_type(f"{name}[{word!r}]", count, WHOLE)
    return {name: dict(counts) for name, counts in found.items()}


def _last(nodes: list[ConceptNode], count: int | None) -> list[ConceptNode]:
    return nodes[::-1] if count is None else nodes[: -count - 1 : -1]


class AssociativeMemory:
    """The memory stream of one persona."""

    def __init__(self, owner: str, vectors: Vectors | None = None) -> None:
        self.owner = owner
        self.vectors = Vectors(owner) if vectors is None else vectors
        self.keyword_strengths: Strengths = {name: {} for name in SECTIONS.values()}
        self._nodes: list[ConceptNode] = []
        self._texts: list[str] = []
        self._of_kind: dict[Kind, list[ConceptNode]] = {kind: [] for kind in KINDS}
        self._index: dict[Kind, dict[str, list[ConceptNode]]] = {kind: {} for kind in KINDS}
        self._names = NameIndex()
        self._retrievable: dict[Kind, GrowingArray] = {kind: GrowingArray(np.int64) for kind in KINDS}
        self._created = GrowingArray(np.int64)
        self._accessed = GrowingArray(np.int64)
        self._poignancy = GrowingArray(np.float64)
        self._vector_rows = GrowingArray(np.int64)
        self.latest: dict[Kind, datetime] = dict.fromkeys(KINDS, EPOCH)
        """When the latest node of each kind was created."""
        self.dropped: set[int] = set()
        """Numbers of nodes that are no longer retrieved."""
        self._masked: frozenset[str] = frozenset()
        """Sorts of memories that are not retrieved."""
        self._hidden: set[int] = set()
        """Numbers of the nodes of these sorts."""

    @classmethod
    def load(
        cls,
        owner: str,
        *,
        nodes: Mapping[str, object],
        embeddings: Mapping[str, Vector],
        kw_strength: Mapping[str, object],
        last_accessed: Mapping[str, str],
    ) -> "AssociativeMemory":
        """Return the stream in a persona's files. Raise CorruptFile, naming persona, file and node."""
        memory = cls(owner, Vectors.load(owner, embeddings))
        for number in range(1, len(nodes) + 1):
            node_id = f"node_{number}"
            if node_id not in nodes:
                raise CorruptFile(f"{owner}: nodes.json has no {node_id}. Number its nodes from 1 without gaps.")
            memory.add(read_experience(f"{owner}: nodes.json: {node_id}", nodes[node_id]))
        try:
            memory.keyword_strengths |= _strengths(kw_strength)
        except CorruptFile as fault:
            raise CorruptFile(f"{owner}: kw_strength.json: {fault}") from None
        try:
            for node_id, moment in last_accessed.items():
                if node_id in nodes:
                    memory.mark_accessed([memory[node_id]], parse_node_time(moment))
        except CorruptFile as fault:
            raise CorruptFile(f"{owner}: last_accessed: {node_id}: {fault}") from None
        return memory

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[ConceptNode]:
        return iter(self._nodes)

    def __getitem__(self, node: str | int) -> ConceptNode:
        """Return a node by id or number. Raise KeyError."""
        found = self._find(node)
        if found is None:
            raise KeyError(node)
        return found

    def add(self, experience: Experience, vector: Vector | None = None) -> ConceptNode:
        """Add an experience to the stream. Raise BadEmbedding if its text has no vector, given now or earlier."""
        if vector is not None:
            self.vectors.add(experience.embedding_key, vector)
        row = self.vectors.row(experience.embedding_key)
        kind = experience.kind
        fields = {name: getattr(experience, name) for name in _FIELDS}
        ordinal = len(self._of_kind[kind]) + 1
        node = ConceptNode(**fields, number=len(self._nodes) + 1, ordinal=ordinal, depth=self._depth(experience))
        self._nodes.append(node)
        self._of_kind[kind].append(node)
        self.latest[kind] = max(self.latest[kind], node.created)
        self._index_for_retrieval(node, row)
        self._note_keywords(node)
        if node.sort in self._masked:
            self._hidden.add(node.number)
        return node

    def _depth(self, experience: Experience) -> int:
        if experience.kind != "thought":
            return 0
        depths = {node.number: node.depth for node in map(self._find, evidence_of(experience)) if node}
        known = len(depths) == len(set(evidence_of(experience)))
        return 1 + max(depths.values()) if depths and known else 1

    def _find(self, node_id: object) -> ConceptNode | None:
        number = str(node_id).removeprefix("node_")
        exists = number.isdecimal() and 0 < int(number) <= len(self._nodes)
        return self._nodes[int(number) - 1] if exists else None

    def _index_for_retrieval(self, node: ConceptNode, row: int) -> None:
        seconds = (node.created - EPOCH) // SECOND
        self._created.append(seconds)
        self._accessed.append(seconds)
        self._poignancy.append(node.poignancy)
        self._vector_rows.append(row)
        if IDLE not in node.embedding_key:
            self._retrievable[node.kind].append(node.number)

    def _note_keywords(self, node: ConceptNode) -> None:
        index = self._index[node.kind]
        for word in dict.fromkeys(map(keyword, node.keywords)):
            index.setdefault(word, []).append(node)
        if section := section_of(node.kind, node.predicate, node.object):
            strengths = self.keyword_strengths[section]
            for word in map(str.lower, node.keywords):
                strengths[word] = strengths.get(word, 0) + 1

    def newest(self, kind: Kind, count: int | None = None) -> list[ConceptNode]:
        """Return the last nodes of a kind, newest first; all of them without a count."""
        return _last(self._of_kind[kind], count)

    def with_keyword(self, kind: Kind, word: str, count: int | None = None) -> list[ConceptNode]:
        """Return the last nodes of a kind with a keyword, newest first.

        Only the last part of an address counts; case does not matter.
        """
        return _last(self._remembered(self._index[kind].get(keyword(word), [])), count)

    def _remembered(self, nodes: list[ConceptNode]) -> list[ConceptNode]:
        return [node for node in nodes if node.number not in self.dropped] if self.dropped else nodes

    def last_chat_with(self, name: str) -> ConceptNode | None:
        """Return the newest conversation with a persona."""
        return next(iter(self.chats_with(name)), None)

    def chats_with(self, name: str) -> list[ConceptNode]:
        """Return the conversations with a persona, newest first."""
        return [node for node in self.with_keyword("chat", name) if name in (node.subject, node.object)]

    def thoughts_naming(self, person: PersonName) -> Array:
        """Return the numbers of the thoughts whose description, embedded text or keywords name a persona."""
        return self._without_dropped(self._names.naming(person, self._of_kind["thought"]))

    def mask(self, sorts: Collection[str]) -> None:
        """Keep memories of these sorts from being retrieved, as long as this stream is in use."""
        self._masked = frozenset(sorts)
        self._hidden = {node.number for node in self._nodes if node.sort in self._masked} if sorts else set()

    def is_hidden(self, node: ConceptNode) -> bool:
        """Return whether a memory is masked."""
        return node.number in self._hidden

    def _without_dropped(self, numbers: Array) -> Array:
        """Return the numbers of nodes without those that are dropped or masked."""
        away = self.dropped | self._hidden
        return numbers[~np.isin(numbers, list(away))] if away else numbers

    def known_as(self, name: str, people: Iterable[str]) -> PersonName:
        """Return how this memory's owner names a persona: by first name if no namesake among people is remembered."""
        others = (people if isinstance(people, Names) else names_of(*people)).namesakes(name)
        few = names_of(name, *others)
        return person_name(name, tuple(other for other in others if self._remembers(other, few)))

    def _remembers(self, name: str, people: Names) -> bool:
        full = person_name(name, people.namesakes(name))
        return any(self.with_keyword(kind, name, 1) for kind in KINDS) or len(self.thoughts_naming(full)) > 0

    def retrievable(self, kind: Kind) -> Array:
        """Return the numbers of the nodes of a kind that retrieval considers, oldest first. Idle ones are left out."""
        return self._without_dropped(self._retrievable[kind].values)

    def accessed(self, numbers: Array) -> Array:
        """Return when nodes were last accessed, in seconds of game time since 1970."""
        seconds: Array = self._accessed.values[numbers - 1]
        return seconds

    def poignancies(self, numbers: Array) -> Array:
        poignancies: Array = self._poignancy.values[numbers - 1]
        return poignancies

    def relevances(self, numbers: Array, vector: Vector) -> Array:
        """Return the cosine similarity of each node with a vector."""
        relevances: Array = self.vectors.similarities(vector)[self._vector_rows.values[numbers - 1]]
        return relevances

    def last_accessed(self, node: ConceptNode) -> datetime:
        return EPOCH + int(self._accessed.values[node.number - 1]) * SECOND

    def mark_accessed(self, nodes: Iterable[ConceptNode], now: datetime) -> None:
        """Record that nodes have been accessed."""
        self._accessed.values[[node.number - 1 for node in nodes]] = (now - EPOCH) // SECOND

    def drop(self, node: ConceptNode) -> None:
        """Never retrieve a node again. It stays in the stream, so that numbers have no gaps."""
        self.dropped.add(node.number)

    def nodes_text(self) -> NodesText:
        """Return the text of nodes.json, newest first."""
        new = self._nodes[len(self._texts) :]
        self._texts += [f'"{node.node_id}": {compact(node.as_json())}' for node in new]
        return NodesText(tuple(self._texts))

    def accessed_texts(self) -> dict[str, str]:
        """Return the content of last_accessed: access times of the nodes accessed after they were added."""
        later = np.flatnonzero(self._accessed.values != self._created.values)
        nodes = [self._nodes[place] for place in later]
        return {node.node_id: node_time_text(self.last_accessed(node)) for node in nodes}
