"""All that people remember, compared anew: another model's vectors in place of those there are."""

import re
from collections.abc import Mapping
from typing import Any

from ville.llm.gateway import Embedder
from ville.persona.cognitive_modules.mind import embed_texts
from ville.persona.memory_structures.vectors import CLASSIC, SHORT, Vectors
from ville.simulation.simulation import RUN_FILE, VECTOR_SIZE
from ville.storage.simulation_folder import SimulationFolder

CLASSIC_EMBEDDER = "openai:text-embedding-ada-002"
"""What the released code made vectors with; it does not say so in its files."""
MIXED = "several models"
HASHING = re.compile(r"hashing-(\d+)")


def embedder_of(own: Mapping[str, Any], vectors: Vectors) -> str | None:
    """Who made vectors, from our own file unless their size contradicts it; None if there are no vectors.

    An older engine keeps our file as it is and adds vectors of its own.
    """
    if not vectors.size:
        return None
    if vectors.mixed:
        return MIXED
    noted = own.get("embedder")
    if noted and _noted_size(own) in {None, vectors.size}:
        return str(noted)
    return CLASSIC_EMBEDDER if vectors.size == CLASSIC else f"an unknown model, of {vectors.size} numbers"


def _noted_size(own: Mapping[str, Any]) -> int | None:
    """How many numbers our own file says a vector has, in so many words or in the name of the embedder."""
    hashing = HASHING.fullmatch(str(own.get("embedder")))
    size = own.get(VECTOR_SIZE, hashing and int(hashing[1]))
    return size if isinstance(size, int) else None


def stored_embedder(folder: SimulationFolder) -> str | None:
    """Who made the vectors of a stored simulation, judged by the first persona that has any; None if nobody has.

    Raises CorruptFile.
    """
    own = folder.read_side_file(RUN_FILE) or {}
    makes = (embedder_of(own, Vectors.load(name, folder.read_embeddings(name))) for name in folder.meta.persona_names)
    return next(filter(None, makes), None)


async def re_embed(folder: SimulationFolder, embedder: Embedder) -> int:
    """Make every vector anew unless all are of this make and stored in its size; return how many were made.

    The files change at one instant, when all vectors are there; what fails before leaves everything as it was. Raises
    a ModelError, CorruptFile or CannotWrite.
    """
    own = folder.read_side_file(RUN_FILE) or {}
    stores = {name: folder.read_embeddings(name) for name in folder.meta.persona_names}
    if all(_up_to_date(own, name, store, embedder.name) for name, store in stores.items()):
        return 0
    anew: dict[str, dict[str, list[float]]] = {}
    for name, store in stores.items():
        vectors = Vectors(name)
        for text, vector in (await embed_texts(embedder, list(store))).items():
            vectors.add(text, vector)
        anew[name] = vectors.unsaved
    size = max(Vectors.load(name, store).size for name, store in anew.items())
    folder.replace_embeddings(anew, {RUN_FILE: own | {"embedder": embedder.name, VECTOR_SIZE: size}})
    return sum(map(len, anew.values()))


def _up_to_date(own: Mapping[str, Any], name: str, store: Mapping[str, Any], make: str) -> bool:
    """Whether vectors are of a make, and as long as they are stored now: short ones used not to be padded."""
    vectors = Vectors.load(name, store)
    return embedder_of(own, vectors) in {None, make} and all(len(vector) != SHORT for vector in store.values())
