"""The vectors of everyone in one simulation: read, and appended to by each save without being written anew."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from ville.errors import CorruptFile
from ville.json_types import JsonObject
from ville.storage.files import compact, pretty, write_bytes, writing
from ville.storage.folder.growing_files import EMPTY, GrowingFiles
from ville.storage.past.checkpoints import Growth
from ville.storage.records.kept_vectors import kept_rows, listed_if_whole
from ville.storage.records.memory_files import EMBEDDINGS, INDEX, PERSONAS, VECTORS
from ville.storage.records.people_files import PeopleFiles
from ville.storage.records.people_staging import PeopleStaging, grow
from ville.storage.records.persona_files import Vectors
from ville.storage.records.vector_rows import (
    Row,
    beginning_of,
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
        self.people = PeopleFiles(root)
        self.side = side
        """Folder of INDEX."""
        self._growing = GrowingFiles()
        self._staged: dict[str, int] = {}
        """Lengths of the save that is being staged."""
        self._sizes: dict[str, int] = {}
        """How many numbers vectors have, by folder, as far as it was looked up."""

    def moved(self, root: Path) -> None:
        """Note that the folder of the simulation has another name now."""
        self.people, self.side = PeopleFiles(root), root / "reverie"

    def read(self, name: str) -> Vectors:
        """Return the vectors of a persona by text; none if the files are missing. Raises CorruptFile."""
        folder = self.people.folder(name)
        listed = f"{folder}/{EMBEDDINGS}"
        return (self.people.object(listed) if self.people.has(listed) else {}) | self._rows(folder)

    def read_if_whole(self, name: str) -> Vectors:
        """Return the same without those of a file that is torn: vectors can be made anew.

        Raises CorruptFile if a file cannot be read, or is not a plain one.
        """
        folder = self.people.folder(name)
        found = listed_if_whole(self.people, f"{folder}/{EMBEDDINGS}") or {}
        self._content(folder, None)
        with suppress(CorruptFile):
            return found | self._rows(folder)
        return found

    def _rows(self, folder: str) -> Vectors:
        length = read_lengths(self.side).get(folder)
        return {**read_rows(self._content(folder, length), length, self.people.path(f"{folder}/{VECTORS}"))}

    def _content(self, folder: str, length: int | None) -> bytes:
        """Return the content of vectors.f32. A missing one is empty, unless it has a length."""
        file = f"{folder}/{VECTORS}"
        return self.people.content(file) if length or (length is None and self.people.has(file)) else b""

    def has_rows(self, name: str) -> bool:
        """Return whether a persona has vectors.f32, by its size."""
        folder = self.people.folder(name)
        least = read_lengths(self.side).get(folder)
        return least != 0 and self.people.size(f"{folder}/{VECTORS}") >= max(least or 0, len(header(1)) + 1)

    def stage(self, staging: PeopleStaging, new: Mapping[str, Mapping[str, Row]], former: Iterable[str]) -> None:
        """Stage new vectors, by folder of the persona relative to the simulation. `former` are further folders that
        stay as they are.
        """
        before = read_lengths(self.side)
        lengths = {folder: length for folder, length in before.items() if folder in {*former, *new}}
        for folder, vectors in new.items():
            source = _at_home(folder)
            if source != folder and self.people.has(f"{source}/{EMBEDDINGS}"):
                staging.write_bytes(f"{folder}/{EMBEDDINGS}", self.people.content(f"{source}/{EMBEDDINGS}"))
            length = self._append(staging, folder, length=before.get(source), vectors=vectors)
            if length:
                lengths[folder] = length
                if self._is_empty(f"{source}/{EMBEDDINGS}"):
                    staging.drop(f"{folder}/{EMBEDDINGS}")
        self._stage_lengths(staging, lengths, before)

    def _append(
        self, staging: PeopleStaging, folder: str, *, length: int | None, vectors: Mapping[str, Row]
    ) -> int:  # fmt: skip
        """Append vectors to a file, and return its new length."""
        source = _at_home(folder)
        file = f"{source}/{VECTORS}"
        if length is None:
            length = whole_length(self._content(source, None))
        if not vectors and source == folder:
            return length
        size = size_of_rows(vectors.values())
        if length and vectors and self._size(source) != size:
            template = "%(file)s has vectors of another size. Use the embedder with which this simulation was started."
            raise CorruptFile(template, file=self.people.path(file))
        added = (b"" if length or not vectors else header(size)) + records(vectors)
        if source == folder:
            staging.append(file, length, added)
        elif length or added:
            there = beginning_of(self._content(source, length), length, self.people.path(file))
            staging.write_bytes(f"{folder}/{VECTORS}", there + added)
        return length + len(added)

    def _size(self, folder: str) -> int:
        """Return how many numbers the vectors of a file have."""
        if folder not in self._sizes:
            file = f"{folder}/{VECTORS}"
            self._sizes[folder] = read_size(self.people.content(file), self.people.path(file))
        return self._sizes[folder]

    def replace(self, staging: PeopleStaging, vectors: Mapping[str, Vectors], kept: Mapping[str, Vectors]) -> None:
        """Stage all vectors of all personas, by name, and vectors to keep beside them, by file."""
        before = read_lengths(self.side)
        lengths = dict(before)
        self._sizes = {}
        for name, members in vectors.items():
            folder = f"{PERSONAS}/{name}"
            content = _content(members)
            if content or folder in before or self.people.has(f"{folder}/{VECTORS}"):
                lengths[folder] = len(content)
                staging.write_bytes(f"{folder}/{VECTORS}", content)
            if (listed := _listed(members)) or self.people.has(f"{folder}/{EMBEDDINGS}"):
                staging.write(f"{folder}/{EMBEDDINGS}", compact(listed))
        for file, members in kept.items():
            if listed := _listed(members):
                staging.write(file, compact(listed))
            if content := _content(members):
                staging.write_bytes(kept_rows(file), content)
        self._stage_lengths(staging, lengths, before)

    def _stage_lengths(self, staging: PeopleStaging, lengths: Mapping[str, int], before: Mapping[str, int]) -> None:
        self._staged = dict(sorted(lengths.items()))
        if self._staged != before:
            staging.write(LENGTHS, pretty(self._staged))

    def growth(self, staging: PeopleStaging, name: str) -> tuple[Growth | None, Growth | None]:
        """Return how much there is of embeddings.json and of vectors.f32 of a persona, in the save that is staged."""
        folder = f"{PERSONAS}/{name}"
        length = self._staged.get(folder)
        rows = self._growing.growth(name, partial(staging.read, f"{folder}/{VECTORS}"), length) if length else None
        return self._growing.still(self.people, f"{folder}/{EMBEDDINGS}"), rows

    def commit(self) -> None:
        """Note that what was staged is in its place."""
        self._growing.commit()

    def tidy(self) -> None:
        """Cut what was not saved, and remove each embeddings.json without vectors beside others. Raises CannotWrite."""
        for folder, length in read_lengths(self.side).items():
            path, listed = (self.people.path(f"{folder}/{file}") for file in (VECTORS, EMBEDDINGS))
            if path.exists() and path.stat().st_size > length:
                if path.stat().st_nlink == 1:
                    grow(path, length, b"", fsync=False)
                else:
                    write_bytes(path, beginning_of(self._content(folder, length), length, path))
            if length and self._is_empty(f"{folder}/{EMBEDDINGS}") and listed.exists():
                with writing(listed):
                    listed.unlink()

    def _is_empty(self, file: str) -> bool:
        """Return whether there is an embeddings.json with no vectors."""
        if not 0 < self.people.size(file) <= SMALL:
            return False
        with suppress(CorruptFile):
            return b"".join(self.people.content(file).split()) == EMPTY
        return False


def _at_home(folder: str) -> str:
    return f"{PERSONAS}/{folder.rpartition('/')[2]}"


def _listed(vectors: Vectors) -> JsonObject:
    """Return those that are not rows, as JSON has them."""
    return {text: vector for text, vector in vectors.items() if not isinstance(vector, Row)}


def _content(vectors: Vectors) -> bytes:
    """Return the content of a file with those that are rows; empty if there are none."""
    rows = {text: vector for text, vector in vectors.items() if isinstance(vector, Row)}
    return header(size_of_rows(rows.values())) + records(rows) if rows else b""
