"""Vectors of memories that an embedder has to make before it can be used: where there are none, or none of its own."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ville.errors import BadEmbedding
from ville.json_types import Json
from ville.llm.gateway import Embedder
from ville.persona.cognitive_modules.mind import embed_texts
from ville.persona.memory_structures.stream.vectors import CLASSIC, SHORT, Vector, Vectors
from ville.simulation.simulation import VECTOR_SIZE
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.records.intervention_log import RUN_FILE

CLASSIC_EMBEDDER = "openai:text-embedding-ada-002"
"""Embedder of the released code, which does not name it in its files."""
MIXED = "several embedders"
HASHING = re.compile(r"hashing-(\d+)")


@dataclass(frozen=True)
class MissingVectors:
    """Texts to embed before a simulation can be opened with an embedder."""

    replaced: str
    """Embedder of the present vectors, if all are replaced; empty if they are kept."""
    texts: Mapping[str, Sequence[str]]
    """By persona."""

    @property
    def count(self) -> int:
        return sum(map(len, self.texts.values()))

    @property
    def characters(self) -> int:
        return sum(len(text) for texts in self.texts.values() for text in texts)


def embedder_of(own: Mapping[str, object], vectors: Vectors) -> str | None:
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


def _noted_size(own: Mapping[str, object]) -> int | None:
    """Return the vector length in RUN_FILE: given directly, or as part of the embedder's name."""
    hashing = HASHING.fullmatch(str(own.get("embedder")))
    size = own.get(VECTOR_SIZE, hashing and int(hashing[1]))
    return size if isinstance(size, int) else None


def stored_embedder(folder: SimulationFolder) -> str | None:
    """Return the embedder of a saved simulation, from the first persona with vectors; None if there are none.

    Raises CorruptFile.
    """
    own = _own(folder)
    makes = (_make(own, name, folder.embeddings_if_whole(name)) for name in folder.meta.persona_names)
    return next(filter(None, makes), None)


def missing_vectors(folder: SimulationFolder, embedder: str, *, thorough: bool = False) -> MissingVectors | None:
    """Return what an embedder has to embed of a saved simulation; None if nothing.

    It is everything if another embedder made any vector, else the memories without one. A simulation that names this
    embedder is read to the end only if that is `thorough`. Raises CorruptFile.
    """
    if not thorough and _looks_complete(folder, embedder):
        return None
    own, names = _own(folder), folder.meta.persona_names
    stores = {name: folder.embeddings_if_whole(name) for name in names}
    remembered = {name: folder.remembered_texts(name) for name in names}
    others = {make for name, store in stores.items() if (make := _make(own, name, store)) and make != embedder}
    if thorough and any(len(vector) == SHORT for store in stores.values() for vector in store.values()):
        others.add(embedder)  # short vectors used not to be padded
    if others:
        replaced = MIXED if len(others) > 1 else others.pop()
        return MissingVectors(replaced, {name: _united(stores[name], remembered[name]) for name in names})
    texts = {name: _united(text for text in remembered[name] if text not in stores[name]) for name in names}
    return MissingVectors("", texts) if any(texts.values()) else None


def _own(folder: SimulationFolder) -> dict[str, Json]:
    return folder.read_side_file(RUN_FILE) or {}


def _make(own: Mapping[str, object], name: str, store: Mapping[str, Vector]) -> str | None:
    """Return who made the vectors of a persona. Those that cannot be compared with each other count as mixed."""
    try:
        return embedder_of(own, Vectors.load(name, store))
    except BadEmbedding:
        return MIXED


def _looks_complete(folder: SimulationFolder, embedder: str) -> bool:
    """Return whether a simulation says that this embedder made its vectors, and the first ones agree."""
    named = _own(folder).get("embedder") == embedder
    return named and all(map(folder.has_vectors, folder.meta.persona_names)) and stored_embedder(folder) == embedder


def _united(*texts: Iterable[str]) -> Sequence[str]:
    return tuple(dict.fromkeys(text for some in texts for text in some))


async def re_embed(folder: SimulationFolder, embedder: Embedder, *, thorough: bool = False) -> MissingVectors | None:
    """Make the vectors that are missing, and return what they are; None if none is.

    The files are replaced atomically at the end, so an error leaves them unchanged. Raises ModelError, CorruptFile or
    CannotWrite.
    """
    missing = missing_vectors(folder, embedder.name, thorough=thorough)
    if missing is None:
        return None
    whole = dict[str, dict[str, Vector]]()
    for name, texts in missing.texts.items():
        vectors = Vectors(name)
        for text, vector in (await embed_texts(embedder, texts)).items():
            vectors.add(text, vector)
        kept = {} if missing.replaced else folder.embeddings_if_whole(name)
        whole[name] = kept | vectors.unsaved
    size = max(Vectors.load(name, store).size for name, store in whole.items())
    folder.replace_embeddings(whole, {RUN_FILE: _own(folder) | {"embedder": embedder.name, VECTOR_SIZE: size}})
    return missing
