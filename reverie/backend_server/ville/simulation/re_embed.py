"""Replaces the embedding vectors of all memories by those of another embedder."""

import re
from collections.abc import Mapping
from typing import Any

from ville.llm.gateway import Embedder
from ville.persona.cognitive_modules.mind import embed_texts
from ville.persona.memory_structures.vectors import CLASSIC, SHORT, Vectors
from ville.simulation.simulation import VECTOR_SIZE
from ville.storage.intervention_log import RUN_FILE
from ville.storage.simulation_folder import SimulationFolder

CLASSIC_EMBEDDER = "openai:text-embedding-ada-002"
"""Embedder of the released code, which does not name it in its files."""
MIXED = "several embedders"
HASHING = re.compile(r"hashing-(\d+)")


def embedder_of(own: Mapping[str, Any], vectors: Vectors) -> str | None:
    """Return the name of the embedder that made vectors; None if there are none.

    `own` is the content of RUN_FILE. It is ignored where it contradicts the length of the vectors: an older engine
    leaves the file unchanged and adds vectors of its own.
    """
    if not vectors.size:
        return None
    if vectors.mixed:
        return MIXED
    noted = own.get("embedder")
    if noted and _noted_size(own) in {None, vectors.size}:
        return str(noted)
    if not noted and vectors.size == SHORT:  # only those are padded in files
        return f"hashing-{SHORT}"
    return CLASSIC_EMBEDDER if vectors.size == CLASSIC else f"an unknown embedder ({vectors.size} numbers)"


def _noted_size(own: Mapping[str, Any]) -> int | None:
    """Return the vector length in RUN_FILE: given directly, or as part of the embedder's name."""
    hashing = HASHING.fullmatch(str(own.get("embedder")))
    size = own.get(VECTOR_SIZE, hashing and int(hashing[1]))
    return size if isinstance(size, int) else None


def stored_embedder(folder: SimulationFolder) -> str | None:
    """Return the embedder of a saved simulation, from the first persona with vectors; None if there are none.

    Raises CorruptFile.
    """
    own = folder.read_side_file(RUN_FILE) or {}
    makes = (embedder_of(own, Vectors.load(name, folder.read_embeddings(name))) for name in folder.meta.persona_names)
    return next(filter(None, makes), None)


async def re_embed(folder: SimulationFolder, embedder: Embedder) -> int:
    """Compute all vectors again unless this embedder made them; return how many were computed.

    The files are replaced atomically at the end, so an error leaves them unchanged. Raises ModelError, CorruptFile or
    CannotWrite.
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
    """Return whether an embedder made these vectors and they are stored at full length: short ones used not to be
    padded.
    """
    vectors = Vectors.load(name, store)
    return embedder_of(own, vectors) in {None, make} and all(len(vector) != SHORT for vector in store.values())
