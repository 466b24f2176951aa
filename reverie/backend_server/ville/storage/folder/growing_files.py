"""Digests of the files with vectors: vectors.f32, to which saves append, and embeddings.json, which stays as it is."""

from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from ville.errors import CorruptFile
from ville.storage.files import Stamp, read_saved, stamp_of
from ville.storage.past.checkpoints import Growth, text_digest
from ville.storage.records.vector_rows import content_of

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
        self._still: dict[str, tuple[Stamp, Growth | None]] = {}

    def growth(self, name: str, path: Path, length: int) -> Growth:
        """Return the digest of the first bytes of vectors.f32, without reading it from its beginning each time. `path`
        is where its content is at the moment.
        """
        known = self._known.get(name, _Known(0, _hash()))
        known = known if known.size <= length else _Known(0, _hash())
        with path.open("rb") as file:
            file.seek(known.size)
            added = file.read(length - known.size)
        state = known.state.copy()
        state.update(added)
        self._new[name] = _Known(length, state)
        return Growth(size=length, digest=state.hexdigest())

    def still(self, name: str, path: Path) -> Growth | None:
        """Return how much there is of embeddings.json; None if it is missing or empty. Raises CorruptFile."""
        stamp = stamp_of(path)
        if name not in self._still or self._still[name][0] != stamp:
            self._still[name] = stamp, _of_json(path) if any(stamp) else None
        return self._still[name][1]

    def commit(self) -> None:
        """Note that what was looked at since the last call is now in its place."""
        self._known |= self._new
        self._new = {}


def _hash() -> blake2b:
    return blake2b(digest_size=8)


def _of_json(path: Path) -> Growth | None:
    content = read_saved(path).rstrip()
    if not content.endswith(BRACE):
        template = "%(file)s does not end with a brace. Restore it, or fork the simulation again."
        raise CorruptFile(template, file=path)
    body = content[:-1].rstrip()
    return Growth(size=len(body) + 1, digest=text_digest(body)) if body.strip() != EMPTY[:1] else None


def beginning(path: Path, growth: Growth) -> bytes:
    """Return the content that embeddings.json had when it was smaller. Raises CorruptFile if another program has
    changed it.
    """
    content = read_saved(path) if growth.size > len(EMPTY) or path.exists() else EMPTY
    whole = content.rstrip()
    body = whole[: growth.size - 1]
    if text_digest(body) != growth.digest or not whole.endswith(BRACE):
        raise _replaced(path)
    is_unchanged = whole[:-1].rstrip() == body
    return content if is_unchanged else body + BRACE


def beginning_of_rows(path: Path, growth: Growth) -> bytes:
    """Return the content that vectors.f32 had when it was smaller. Raises CorruptFile if it has been replaced."""
    content = content_of(path, growth.size)
    if text_digest(content) != growth.digest:
        raise _replaced(path)
    return content


def _replaced(path: Path) -> CorruptFile:
    template = "%(file)s has been replaced since. Moments before that cannot be reached any more."
    return CorruptFile(template, file=path)
