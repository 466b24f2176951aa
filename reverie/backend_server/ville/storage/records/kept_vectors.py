"""`reverie/vectors/EMBEDDER/PERSONA.json`: vectors of embedders that a simulation does not use at present.

Each file has the form of embeddings.json, which holds the vectors in use. So a simulation that is opened with another
embedder, and later with the first one again, needs vectors only for what was remembered in between.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from ville.storage.files import read_saved, safe_name, writing
from ville.storage.records.memory_files import EMBEDDINGS, memory_folder
from ville.storage.records.persona_files import Vectors

KEPT = "reverie/vectors"


def kept_file(embedder: str, name: str) -> str:
    """Return the file with the vectors of a persona by an embedder that is not in use, relative to the simulation."""
    return f"{KEPT}/{safe_name(embedder)}/{name}.json"


def kept_embedders(simulation: Path) -> list[str]:
    """Return the embedders whose vectors are kept beside those in use."""
    return [unquote(folder.name) for folder in sorted((simulation / KEPT).glob("[!.]*")) if folder.is_dir()]


def vector_files(simulation: Path, name: str) -> Iterator[Path]:
    """Yield the files with vectors of a persona: those in use, then those that are kept."""
    yield memory_folder(simulation, name) / EMBEDDINGS
    yield from sorted(path for path in (simulation / KEPT).glob("*/*.json") if path.stem == name)


def vectors_if_whole(path: Path) -> Vectors | None:
    """Return the vectors in a file by text; none if it is missing, and None if it is torn or not a JSON object.

    Raises CorruptFile if it cannot be read, or is not a plain file.
    """
    content = read_saved(path) if path.exists() else b"{}"
    with suppress(ValueError, RecursionError):
        store = json.loads(content.decode("utf-8-sig"))
        return store if isinstance(store, dict) else None
    return None


def remove_kept(simulation: Path, files: Iterable[str]) -> None:
    """Remove kept files, named relative to the simulation, and folders that are empty then. Raises CannotWrite."""
    for path in (simulation / file for file in files):
        with writing(path):
            path.unlink(missing_ok=True)
        for folder in (path.parent, path.parent.parent):
            with suppress(OSError):  # others are in it
                folder.rmdir()
