"""Digests of `embeddings.json`, a file to which every save appends, without reading it from its beginning each time."""

from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from ville.errors import CorruptFile
from ville.storage.files import read_saved
from ville.storage.past.checkpoints import Growth

BRACE = b"}"


class _Known(NamedTuple):
    """A file as it was when it was last read."""

    size: int
    """Bytes before its closing brace."""
    state: blake2b
    """Of the hash function after these bytes."""


class GrowingFiles:
    """How much there is of each file that only grows."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._new: dict[str, _Known] = {}

    def growth(self, name: str, path: Path) -> Growth:
        """Return how much there is of a file. `path` is where its content is at the moment. Raises CorruptFile."""
        known = self._known.get(name) or _Known(0, _hash())
        with path.open("rb") as file:
            file.seek(known.size)
            rest = file.read().rstrip()
        if not rest.endswith(BRACE):
            template = "%(file)s does not end with a brace. Restore it, or fork the simulation again."
            raise CorruptFile(template, file=path)
        added, state = rest[:-1].rstrip(), known.state.copy()
        state.update(added)
        self._new[name] = _Known(known.size + len(added), state)
        return Growth(size=known.size + len(added) + 1, digest=state.hexdigest())

    def commit(self) -> None:
        """Note that what was looked at since the last call is now in its place."""
        self._known |= self._new
        self._new = {}


def _hash() -> blake2b:
    return blake2b(digest_size=8)


def beginning(path: Path, growth: Growth) -> bytes:
    """Return the content that a file had when it was smaller. Raises CorruptFile if another program has changed it."""
    content = read_saved(path)
    whole = content.rstrip()
    body = whole[: growth.size - 1]
    state = _hash()
    state.update(body)
    if state.hexdigest() != growth.digest or not whole.endswith(BRACE):
        template = "%(file)s has been replaced since. Moments before that cannot be reached any more."
        raise CorruptFile(template, file=path)
    is_unchanged = whole[:-1].rstrip() == body
    return content if is_unchanged else body + BRACE
