"""Memories of a persona, as loaded from and saved to its files."""

from dataclasses import dataclass
from typing import Self

from ville.errors import CorruptFile
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.storage.records.persona_files import PersonaFiles, PersonaState


@dataclass
class Memories:
    """Scratch, spatial memory and memory stream of a persona."""

    scratch: Scratch
    places: SpatialMemory
    stream: AssociativeMemory

    @classmethod
    def load(cls, name: str, files: PersonaFiles) -> Self:
        """Return the memories in a persona's files. Raise CorruptFile, naming the persona and the fault."""
        scratch = Scratch.load(name, files.scratch)
        if scratch.name != name:
            raise CorruptFile(f"{name}: scratch.json is about '{scratch.name}'. Folder and name must be the same.")
        stream = AssociativeMemory.load(
            name,
            nodes=files.nodes,
            embeddings=files.embeddings,
            kw_strength=files.kw_strength,
            last_accessed=files.last_accessed,
        )
        stream.dropped = set(scratch.dropped_memories)
        return cls(scratch, SpatialMemory.load(name, files.spatial_memory), stream)

    def state(self) -> PersonaState:
        """Return what is to be saved. Call `saved` once it is on disk."""
        self.scratch.dropped_memories = sorted(self.stream.dropped)
        return PersonaState(
            scratch=self.scratch.as_json(),
            spatial_memory=self.places.tree,
            nodes=self.stream.nodes_text(),
            new_embeddings=self.stream.vectors.unsaved,
            kw_strength=self.stream.keyword_strengths,
            last_accessed=self.stream.accessed_texts(),
        )

    def saved(self) -> None:
        """Note that all vectors are on disk."""
        self.stream.vectors.mark_saved()
