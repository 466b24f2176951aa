"""The vectors of everyone in one simulation: read, and appended to by each save without being written anew."""

import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from ville.errors import CorruptFile
from ville.json_types import JsonObject
from ville.storage.files import compact, flush, pretty, read_object, write_bytes, writing
from ville.storage.folder.growing_files import EMPTY, GrowingFiles
from ville.storage.past.checkpoints import Growth
from ville.storage.records.kept_vectors import kept_rows, vectors_if_whole
from ville.storage.records.memory_files import EMBEDDINGS, INDEX, PERSONAS, VECTORS, memory_folder
from ville.storage.records.persona_files import Vectors
from ville.storage.records.staging import Staging
from ville.storage.records.vector_rows import (
    Row,
    content_of,
    header,
    read_lengths,
    read_rows,
    read_size,
    records,
    size_of_rows,
    whole_length,
)

LENGTHS = f"reverie/{INDEX}"
SMALL = 16
"""Bytes of a JSON file without anything in it, at most."""


class VectorFiles:
    """Reads and stages the vectors of one simulation.

    They are in vectors.f32. Those that were there before this file was introduced stay in embeddings.json, which comes
    first and is not changed any more.
    """

    def __init__(self, root: Path, side: Path) -> None:
        self.root = root
        self.side = side
        """Folder of INDEX."""
        self._growing = GrowingFiles()
        self._staged: dict[str, int] = {}
        """Lengths of the save that is being staged."""

    def read(self, name: str) -> Vectors:
        """Return the vectors of a persona by text; none if the files are missing. Raises CorruptFile."""
        folder = memory_folder(self.root, name)
        listed = read_object(folder / EMBEDDINGS) if (folder / EMBEDDINGS).exists() else {}
        return listed | read_rows(folder / VECTORS, self._length(folder))

    def read_if_whole(self, name: str) -> Vectors:
        """Return the same without those of a file that is torn: vectors can be made anew.

        Raises CorruptFile if a file cannot be read, or is not a plain one.
        """
        folder = memory_folder(self.root, name)
        found = vectors_if_whole(folder / EMBEDDINGS) or {}
        content = content_of(folder / VECTORS, None)
        with suppress(CorruptFile):
            return found | read_rows(folder / VECTORS, self._length(folder)) if content else found
        return found

    def has_rows(self, name: str) -> bool:
        """Return whether a persona has vectors.f32, by its size."""
        folder = memory_folder(self.root, name)
        path = folder / VECTORS
        least = self._length(folder)
        return path.exists() and least != 0 and path.stat().st_size >= max(least or 0, len(header(1)) + 1)

    def _length(self, folder: Path) -> int | None:
        """Return how much of the file of a persona is of the last save; None: all of it."""
        return read_lengths(self.side).get(folder.relative_to(self.root).as_posix())

    def stage(self, staging: Staging, new: Mapping[str, Mapping[str, Row]], former: Iterable[str]) -> None:
        """Stage new vectors, by folder of the persona relative to the simulation. `former` are further folders that
        stay as they are.

        A file that no other simulation shares grows in place: what is beyond its length does not count before the
        save is committed.
        """
        before = read_lengths(self.side)
        lengths = {folder: length for folder, length in before.items() if folder in {*former, *new}}
        for folder, vectors in new.items():
            source = _at_home(folder)
            if source != folder and (self.root / source / EMBEDDINGS).exists():
                staged = staging.path(f"{folder}/{EMBEDDINGS}")
                with writing(staged):
                    shutil.copyfile(self.root / source / EMBEDDINGS, staged)
            length = self._append(staging, folder, length=before.get(source), vectors=vectors)
            if length:
                lengths[folder] = length
        self._stage_lengths(staging, lengths, before)

    def _append(self, staging: Staging, folder: str, *, length: int | None, vectors: Mapping[str, Row]) -> int:
        """Append vectors to a file, and return its new length."""
        source = _at_home(folder)
        path = self.root / source / VECTORS
        if length is None:
            length = whole_length(content_of(path, None))
        if not vectors and source == folder:
            return length
        size = size_of_rows(vectors.values())
        if length and vectors and read_size(path) != size:
            template = "%(file)s has vectors of another size. Use the embedder with which this simulation was started."
            raise CorruptFile(template, file=path)
        added = (b"" if length or not vectors else header(size)) + records(vectors)
        if source == folder and length and path.stat().st_nlink == 1:
            _grow(path, length, added, fsync=staging.fsync)
        elif length or added:
            staging.write_bytes(f"{folder}/{VECTORS}", content_of(path, length) + added)
        return length + len(added)

    def replace(self, staging: Staging, vectors: Mapping[str, Vectors], kept: Mapping[str, Vectors]) -> None:
        """Stage all vectors of all personas, by name, and vectors to keep beside them, by file."""
        before = read_lengths(self.side)
        lengths = dict(before)
        for name, members in vectors.items():
            folder = f"{PERSONAS}/{name}"
            content = _content(members)
            if content or folder in before or (self.root / folder / VECTORS).exists():
                lengths[folder] = len(content)
                staging.write_bytes(f"{folder}/{VECTORS}", content)
            if (listed := _listed(members)) or (self.root / folder / EMBEDDINGS).exists():
                staging.write(f"{folder}/{EMBEDDINGS}", compact(listed))
        for file, members in kept.items():
            if listed := _listed(members):
                staging.write(file, compact(listed))
            if content := _content(members):
                staging.write_bytes(kept_rows(file), content)
        self._stage_lengths(staging, lengths, before)

    def _stage_lengths(self, staging: Staging, lengths: Mapping[str, int], before: Mapping[str, int]) -> None:
        self._staged = dict(sorted(lengths.items()))
        if self._staged != before:
            staging.write(LENGTHS, pretty(self._staged))

    def growth(self, staging: Staging, name: str) -> tuple[Growth | None, Growth | None]:
        """Return how much there is of embeddings.json and of vectors.f32 of a persona, in the save that is staged."""
        folder = self.root / PERSONAS / name
        file = f"{PERSONAS}/{name}/{VECTORS}"
        length = self._staged.get(f"{PERSONAS}/{name}")
        rows = self._growing.growth(name, staging.staged(file) or self.root / file, length) if length else None
        return self._growing.still(name, folder / EMBEDDINGS), rows

    def commit(self) -> None:
        """Note that what was staged is in its place."""
        self._growing.commit()

    def tidy(self) -> None:
        """Cut what was not saved, and remove each embeddings.json without vectors beside others. Raises CannotWrite."""
        for folder, length in read_lengths(self.side).items():
            path, listed = self.root / folder / VECTORS, self.root / folder / EMBEDDINGS
            if path.exists() and path.stat().st_size > length:
                if path.stat().st_nlink == 1:
                    _grow(path, length, b"", fsync=False)
                else:
                    write_bytes(path, content_of(path, length))
            if length and _is_empty(listed):
                with writing(listed):
                    listed.unlink()


def _at_home(folder: str) -> str:
    return f"{PERSONAS}/{folder.rpartition('/')[2]}"


def _grow(path: Path, length: int, added: bytes, *, fsync: bool) -> None:
    """Append to the first bytes of a file, in the place of what follows."""
    with writing(path), path.open("r+b") as file:
        file.truncate(length)
        file.seek(length)
        file.write(added)
    flush([path] if fsync else [])


def _is_empty(path: Path) -> bool:
    """Return whether there is an embeddings.json with no vectors."""
    with suppress(OSError):
        return path.stat().st_size <= SMALL and b"".join(path.read_bytes().split()) == EMPTY
    return False


def _listed(vectors: Vectors) -> JsonObject:
    """Return those that are not rows, as JSON has them."""
    return {text: vector for text, vector in vectors.items() if not isinstance(vector, Row)}


def _content(vectors: Vectors) -> bytes:
    """Return the content of a file with those that are rows; empty if there are none."""
    rows = {text: vector for text, vector in vectors.items() if isinstance(vector, Row)}
    return header(size_of_rows(rows.values())) + records(rows) if rows else b""
