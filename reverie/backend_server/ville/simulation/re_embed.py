"""Vectors of memories that an embedder has to make before it can be used: where there are none, or none of its own."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ville.errors import BadEmbedding
from ville.json_types import Json
from ville.llm.gateway import Embedder
from ville.persona.cognitive_modules.mind import embed_texts
from ville.persona.memory_structures.stream.vectors import Vector, Vectors
from ville.simulation.simulation import VECTOR_SIZE
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.records.intervention_log import RUN_FILE
from ville.storage.records.kept_vectors import kept_file, kept_rows
from ville.storage.records.vector_rows import CLASSIC, SHORT, Row

CLASSIC_EMBEDDER = "openai:text-embedding-ada-002"
"""Embedder of the released code, which does not name it in its files."""
MIXED = "several embedders"
HASHING = re.compile(r"hashing-(\d+)")


@dataclass(frozen=True)
class MissingVectors:
    """Texts to embed before a simulation can be opened with an embedder."""

    replaced: str
    """Embedder of present vectors, which are put aside; empty if all can be used."""
    texts: Mapping[str, Sequence[str]]
    """By persona."""
    kept: int = 0
    """Vectors of this embedder that were put aside earlier, and are used again."""
    damaged: tuple[str, ...] = ()
    """Files with such vectors that cannot be used."""

    @property
    def count(self) -> int:
        return sum(map(len, self.texts.values()))

    @property
    def characters(self) -> int:
        return sum(len(text) for texts in self.texts.values() for text in texts)


@dataclass(frozen=True)
class StoredVectors:
    """Vectors of a persona on disk, as an embedder can use them."""

    usable: dict[str, Vector]
    """By text: of this embedder, those in use first."""
    kept: int
    """Texts of the persona whose vector was put aside earlier."""
    others: Mapping[str, dict[str, Vector]]
    """Those in use that are of other embedders, by embedder and text."""
    missing: Sequence[str]
    """Texts without a usable vector."""
    damaged: tuple[str, ...]
    """The file of the vectors that were put aside, if it cannot be used."""


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
    makes = (_make(own, name, folder.vectors.read_if_whole(name)) for name in folder.meta.persona_names)
    return next(filter(None, makes), None)


def missing_vectors(folder: SimulationFolder, embedder: str, *, thorough: bool = False) -> MissingVectors | None:
    """Return what an embedder has to embed of a saved simulation; None if nothing.

    It is all texts without a vector of this embedder, in use or put aside earlier. A simulation that names it is read
    to the end only if that is `thorough`. Raises CorruptFile.
    """
    if not thorough and _looks_complete(folder, embedder):
        return None
    texts, others = dict[str, Sequence[str]](), set[str]()
    kept, damaged = 0, list[str]()
    for name in folder.meta.persona_names:
        stored = _stored(folder, name, embedder)
        texts[name] = stored.missing
        others |= stored.others.keys()
        kept += stored.kept
        damaged += stored.damaged
    if not (others or kept or any(texts.values())):
        return None
    return MissingVectors(MIXED if len(others) > 1 else "".join(others), texts, kept, tuple(damaged))


def _stored(folder: SimulationFolder, name: str, embedder: str) -> StoredVectors:
    """Return the vectors of a persona. Raises CorruptFile for a file that is not a plain one."""
    store = folder.vectors.read_if_whole(name)
    others = _by_embedder(_own(folder), name, store)
    mine = {text: vector for text, vector in others.pop(embedder, {}).items() if not _once_unpadded(vector)}
    wanted = _united(store, folder.remembered_texts(name))
    if all(text in mine for text in wanted):
        return StoredVectors(mine, 0, others, (), ())
    aside = _fitting(name, mine, folder.kept_vectors(embedder, name))
    usable = mine | {text: vector for text, vector in (aside or {}).items() if text not in mine}
    return StoredVectors(
        usable,
        kept=sum(text in usable and text not in mine for text in wanted),
        others=others,
        missing=tuple(text for text in wanted if text not in usable),
        damaged=() if aside is not None else (_kept(folder, embedder, name),),
    )


def _kept(folder: SimulationFolder, embedder: str, name: str) -> str:
    """Return the file with vectors of a persona that were put aside."""
    listed = kept_file(embedder, name)
    return kept_rows(listed) if (folder.root / kept_rows(listed)).exists() else listed


def _once_unpadded(vector: Vector) -> bool:
    return not isinstance(vector, Row) and len(vector) == SHORT


def _by_embedder(own: Mapping[str, object], name: str, store: Mapping[str, Vector]) -> dict[str, dict[str, Vector]]:
    """Return vectors by the name of their embedder and by text, without malformed ones.

    Those of several embedders, as an older engine adds its own to ours, are told apart by their length.
    """
    make = _make(own, name, store)
    if make != MIXED:
        return {make: dict(store)} if make else {}
    found: dict[str, dict[str, Vector]] = {}
    for text, vector in store.items():
        with suppress(BadEmbedding):
            if single := embedder_of(own, Vectors.load(name, {text: vector})):
                found.setdefault(single, {})[text] = vector
    return found


def _fitting(name: str, mine: Mapping[str, Vector], kept: Mapping[str, Vector] | None) -> Mapping[str, Vector] | None:
    """Return vectors that were put aside; None if they are damaged, or cannot be compared with those in use."""
    if kept is None:
        return None
    with suppress(BadEmbedding):
        return None if Vectors.load(name, {**kept, **mine}).mixed else kept
    return None


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
    """Let an embedder's vectors be those in use, making the missing ones. Return what was missing; None if none is.

    Vectors of other embedders are kept beside them. The files are replaced atomically at the end, so an error leaves
    them unchanged. Raises ModelError, CorruptFile or CannotWrite.
    """
    missing = missing_vectors(folder, embedder.name, thorough=thorough)
    if missing is None:
        return None
    names = folder.meta.persona_names
    in_use, aside = dict[str, dict[str, Vector]](), dict[str, dict[str, Vector]]()
    for name in names:
        stored = _stored(folder, name, embedder.name)
        in_use[name] = stored.usable | await _made(embedder, name, stored.missing)
        for other, vectors in stored.others.items():
            before = folder.kept_vectors(other, name) or {}
            more = {text: vector for text, vector in before.items() if text not in vectors}
            aside[kept_file(other, name)] = vectors | more
    size = max(_size(embedder, name, store) for name, store in in_use.items())
    run_file = _own(folder) | {"embedder": embedder.name, VECTOR_SIZE: size}
    used = [kept_file(embedder.name, name) for name in names]
    folder.replace_embeddings(in_use, {RUN_FILE: run_file}, aside, in_use=used)
    return missing


async def _made(embedder: Embedder, name: str, texts: Sequence[str]) -> dict[str, Vector]:
    """Return new vectors of texts, as they are written to disk."""
    vectors = Vectors(name)
    for text, vector in (await embed_texts(embedder, texts)).items():
        vectors.add(text, vector)
    return {**vectors.unsaved}


def _size(embedder: Embedder, name: str, store: Mapping[str, Vector]) -> int:
    """Return the length of the vectors of a persona; 0 if there are none. Raises BadEmbedding if it is not one."""
    try:
        return Vectors.load(name, store).size
    except BadEmbedding:
        raise BadEmbedding(
            f"{name}: {embedder.name} makes vectors of another size than before. Set the embedder of the earlier ones, "
            f"or remove embeddings.json, vectors.f32 and {kept_file(embedder.name, name)}: then all are made anew."
        ) from None
