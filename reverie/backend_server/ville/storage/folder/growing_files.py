"""Digests of the files with vectors: vectors.f32, to which saves append, and embeddings.json, which stays as it is."""

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from ville.errors import CorruptFile
from ville.storage.past.checkpoints import Growth, text_digest
from ville.storage.records.people_files import PeopleFiles, Version
from ville.storage.records.vector_rows import beginning_of

EMPTY, BRACE = b"{}", b"}"


class _Known(NamedTuple):
    """A file as it was when it was last read."""

    size: int
    """Bytes."""
    state: blake2b
    """Of the hash function after these bytes."""


class GrowingFiles:
    """How much there is of each file with vectors."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._new: dict[str, _Known] = {}
        self._still: dict[str, tuple[Version, Growth | None]] = {}

    def growth(self, name: str, read: Callable[[int, int], bytes], length: int) -> Growth:
        """Return the digest of the first bytes of vectors.f32, without reading it from its beginning each time. `read`
        returns a part of it, given where that begins and ends.
        """
        known = self._known.get(name, _Known(0, _hash()))
        known = known if known.size <= length else _Known(0, _hash())
        state = known.state.copy()
        state.update(read(known.size, length))
        self._new[name] = _Known(length, state)
        return Growth(size=length, digest=state.hexdigest())

    def still(self, people: PeopleFiles, file: str) -> Growth | None:
        """Return how much there is of embeddings.json; None if it is missing or empty. Raises CorruptFile."""
        version = people.version(file)
        if file not in self._still or self._still[file][0] != version:
            self._still[file] = version, _of_json(people, file) if version else None
        return self._still[file][1]

    def commit(self) -> None:
        """Note that what was looked at since the last call is now in its place."""
        self._known |= self._new
        self._new = {}


def _hash() -> blake2b:
    return blake2b(digest_size=8)


def _of_json(people: PeopleFiles, file: str) -> Growth | None:
    content = people.content(file).rstrip()
    if not content.endswith(BRACE):
        template = "%(file)s does not end with a brace. Restore it, or fork the simulation again."
        raise CorruptFile(template, file=people.path(file))
    body = content[:-1].rstrip()
    return Growth(size=len(body) + 1, digest=text_digest(body)) if body.strip() != EMPTY[:1] else None


def beginning(people: PeopleFiles, file: str, growth: Growth) -> bytes:
    """Return the content that embeddings.json had when it was smaller. Raises CorruptFile if another program has
    changed it.
    """
    content = people.content(file) if growth.size > len(EMPTY) or people.has(file) else EMPTY
    whole = content.rstrip()
    body = whole[: growth.size - 1]
    if text_digest(body) != growth.digest or not whole.endswith(BRACE):
        raise _replaced(people.path(file))
    is_unchanged = whole[:-1].rstrip() == body
    return content if is_unchanged else body + BRACE


def beginning_of_rows(people: PeopleFiles, file: str, growth: Growth) -> bytes:
    """Return the content that vectors.f32 had when it was smaller. Raises CorruptFile if it has been replaced."""
    content = beginning_of(people.content(file), growth.size, people.path(file))
    if text_digest(content) != growth.digest:
        raise _replaced(people.path(file))
    return content


def _replaced(path: Path) -> CorruptFile:
    template = "%(file)s has been replaced since. Moments before that cannot be reached any more."
    return CorruptFile(template, file=path)
