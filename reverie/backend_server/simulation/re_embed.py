"""All that people remember, compared anew: another model's vectors in place of those there are."""

from collections.abc import Mapping
from typing import Any

from archive.simulation_folder import SimulationFolder
from llm.gateway import Embedder
from persona.cognitive_modules.mind import embedded
from persona.memory_structures.vectors import Vectors
from simulation.simulation import OWN_FILE

CLASSIC_SIZE, CLASSIC_MAKE = 1536, "openai:text-embedding-ada-002"
"""What the released code made vectors with; it does not say so in its files."""


def make_of(own: Mapping[str, Any], size: int) -> str | None:
    """Who made the vectors of a simulation, from our own file and from their size; None if there are none (size 0)."""
    unsaid = CLASSIC_MAKE if size == CLASSIC_SIZE else f"an unknown model, of {size} numbers"
    return str(own.get("embedder", unsaid)) if size else None


def made_by(folder: SimulationFolder) -> str | None:
    """Who made the vectors of a stored simulation; None if nobody remembers anything yet. Raises CorruptFile."""
    stores = (folder.read_persona(name).embeddings for name in folder.meta.persona_names)
    sizes = (len(next(iter(store.values()))) for store in stores if store)
    return make_of(folder.read_side_file(OWN_FILE) or {}, next(sizes, 0))


async def re_embed(folder: SimulationFolder, embedder: Embedder) -> int:
    """Make every vector anew unless they are of this make, and return how many were made.

    The files change at one instant, when all vectors are there; what fails before leaves everything as it was. Raises
    a ModelError, CorruptFile or CannotWrite.
    """
    if made_by(folder) in {None, embedder.name}:
        return 0
    own = folder.read_side_file(OWN_FILE) or {}
    stores = {name: folder.read_persona(name).embeddings for name in folder.meta.persona_names}
    anew: dict[str, dict[str, list[float]]] = {}
    for name, store in stores.items():
        vectors = Vectors(name)
        for text, vector in (await embedded(embedder, list(store))).items():
            vectors.add(text, vector)
        anew[name] = vectors.unsaved
    folder.replace_embeddings(anew, {OWN_FILE: own | {"embedder": embedder.name}})
    return sum(map(len, anew.values()))
