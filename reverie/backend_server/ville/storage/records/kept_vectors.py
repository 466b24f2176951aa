"""`reverie/vectors/EMBEDDER/PERSONA.json` and `.f32`: vectors of embedders that a simulation does not use at present.

The files have the form of embeddings.json and vectors.f32, which hold the vectors in use. So a simulation that is
opened with another embedder, and later with the first one again, needs vectors only for what was remembered in between.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from ville.errors import CorruptFile
from ville.storage.files import read_saved, writing
from ville.storage.records.memory_files import EMBEDDINGS, VECTORS
from ville.storage.records.people_files import PeopleFiles
from ville.storage.records.persona_files import Vectors
from ville.storage.records.vector_rows import decoded, read_lengths, read_rows
from ville.storage.safe_names import safe_name

KEPT = "reverie/vectors"


def kept_file(embedder: str, name: str) -> str:
    """Return the file with the vectors of a persona by an embedder that is not in use, relative to the simulation."""
    return f"{KEPT}/{safe_name(embedder)}/{name}.json"


def kept_rows(file: str) -> str:
    """Return the file with those that are rows, beside a kept file."""
    return f"{file.removesuffix('.json')}.f32"


def kept_embedders(simulation: Path) -> list[str]:
    """Return the embedders whose vectors are kept beside those in use."""
    return [unquote(folder.name) for folder in sorted((simulation / KEPT).glob("[!.]*")) if folder.is_dir()]


def vector_files(simulation: Path, name: str, file: str = EMBEDDINGS) -> Iterator[str]:
    """Yield the files with vectors of a persona, of the form of EMBEDDINGS or VECTORS: that in use, then those kept."""
    yield f"{PeopleFiles(simulation).folder(name)}/{file}"
    found = (simulation / KEPT).glob(f"*/*{PurePosixPath(file).suffix}")
    yield from sorted(kept.relative_to(simulation).as_posix() for kept in found if kept.stem == name)


def listed_if_whole(people: PeopleFiles, file: str) -> Vectors | None:
    """Return the vectors in a JSON file by text; none if it is missing, and None if it is torn or not a JSON object.

    Raises CorruptFile if it cannot be read, or is not a plain file.
    """
    content = people.content(file) if people.has(file) else b"{}"
    with suppress(ValueError, RecursionError):
        store = json.loads(content.decode("utf-8-sig"))
        return store if isinstance(store, dict) else None
    return None


def kept_if_whole(simulation: Path, file: str) -> Vectors | None:
    """Return the vectors of a kept file, and of that beside it, as `listed_if_whole` does."""
    listed, path = listed_if_whole(PeopleFiles(simulation), file), simulation / kept_rows(file)
    if listed is None or not path.exists():
        return listed
    content = read_saved(path)
    with suppress(CorruptFile):
        return {**listed, **decoded(content, path)}
    return None


def stores(simulation: Path, name: str) -> Iterator[Vectors]:
    """Yield the vectors of a persona by text: those in use, then those kept. Raises CorruptFile."""
    people = PeopleFiles(simulation)
    listed, rows = (f"{people.folder(name)}/{file}" for file in (EMBEDDINGS, VECTORS))
    length = read_lengths(simulation / "reverie").get(people.folder(name))
    content = people.content(rows) if length or people.has(rows) else b""
    yield {**(listed_if_whole(people, listed) or {}), **read_rows(content, length, people.path(rows))}
    for embedder in kept_embedders(simulation):
        yield kept_if_whole(simulation, kept_file(embedder, name)) or {}


def remove_kept(simulation: Path, files: Iterable[str]) -> None:
    """Remove kept files, named relative to the simulation, and folders that are empty then. Raises CannotWrite."""
    for path in (simulation / each for file in files for each in dict.fromkeys((file, kept_rows(file)))):
        with writing(path):
            path.unlink(missing_ok=True)
        for folder in (path.parent, path.parent.parent):
            with suppress(OSError):  # others are in it
                folder.rmdir()
