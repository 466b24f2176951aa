"""`reverie/people.<number>.pack`: the files of people of a large town in one; `reverie/people.json` is its index.

The index names the pack, how many bytes of it count, and of each file its pieces: where each begins, how many bytes it
takes, and how many bytes of the file it holds. A piece is compressed by zlib. If it holds one byte more, that is the
first one, which does not count: nodes.json grows behind its brace.

Saves append pieces. They do not count before the index that names them is in its place, so a kill in between loses
nothing. When a pack is shared, or less than half of it counts, a save writes the next one and the index names that.
"""

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Self

from ville.errors import CorruptFile
from ville.storage.files import Stamp, compact, flush, object_in, opened_plain, read_saved, stamp_of, writing
from ville.storage.records.memory_files import EMBEDDINGS, FORMER, NODES, PERSONAS, SCRATCH, SPATIAL, STRENGTH, VECTORS

PEOPLE = "reverie/people.json"
PACK = re.compile(r"people\.(\d{1,9})\.pack")
ACCESSED = "reverie/last_accessed"
OF_PEOPLE = (PERSONAS, FORMER, ACCESSED)
"""Folders whose files are packed."""
OURS = tuple(f"/{file}" for file in (SCRATCH, SPATIAL, NODES, STRENGTH, EMBEDDINGS, VECTORS))
LEVEL = 6
"""Of compression."""
SPARE = 2**20
"""Bytes of a pack that may always be out of date."""
LARGEST_INDEX = 2**28
"""Bytes of an index."""


class Piece(NamedTuple):
    """A piece of a file in a pack."""

    start: int
    length: int
    """Bytes in the pack."""
    size: int
    """Bytes of the file, the last ones that it holds."""

    @property
    def end(self) -> int:
        return self.start + self.length


@dataclass(frozen=True)
class PackIndex:
    """Contents of a pack."""

    pack: str
    """Name of its file below reverie/."""
    length: int
    """Bytes of it that count."""
    files: Mapping[str, tuple[Piece, ...]]
    """Pieces of each file, in order."""
    folders: frozenset[str]
    """Folders of people with files in it."""

    @classmethod
    def of(cls, pack: str, length: int, files: Mapping[str, tuple[Piece, ...]]) -> Self:
        return cls(pack, length, files, frozenset(folder for name in files if (folder := _folder(name))))

    @property
    def live(self) -> int:
        """Bytes of the pack that are in use."""
        return sum(piece.length for pieces in self.files.values() for piece in pieces)

    def text(self) -> str:
        """Return the content of the index file."""
        return compact({"pack": self.pack, "length": self.length, "files": dict(sorted(self.files.items()))})


def is_of_people(name: str) -> bool:
    """Return whether a file, named relative to the simulation, is packed in a large town."""
    return (name.startswith((f"{PERSONAS}/", f"{FORMER}/")) and name.endswith(OURS)) or _is_accessed(name)


def _is_accessed(name: str) -> bool:
    return name.startswith(f"{ACCESSED}/") and name.endswith(".json") and name.count("/") == ACCESSED.count("/") + 1


def _folder(name: str) -> str:
    """Return the folder of the person that a file below PERSONAS or FORMER is of."""
    own = next((file for file in OURS if name.endswith(file)), "")
    return name.removesuffix(own) if own else ""


def index_of(root: Path) -> PackIndex | None:
    """Return the index of a simulation; None if its people are not packed. Raises CorruptFile."""
    path = root / PEOPLE
    stamp = stamp_of(path)
    return _index(path, stamp) if any(stamp) else None


@lru_cache(maxsize=8)
def _index(path: Path, _stamp: Stamp) -> PackIndex:
    values = object_in(read_saved(path, most=LARGEST_INDEX), path)
    pack, length, files = (values.get(key) for key in ("pack", "length", "files"))
    if not (isinstance(pack, str) and PACK.fullmatch(pack) and isinstance(length, int) and isinstance(files, dict)):
        raise _not_index(path)
    found = {name: tuple(_pieces(pieces, length)) for name, pieces in files.items() if _is_plain(name)}
    if len(found) < len(files) or not all(found.values()):
        raise _not_index(path)
    return PackIndex.of(pack, length, found)


def _pieces(rows: object, length: int) -> Iterator[Piece]:
    """Yield the pieces in rows of three numbers; an empty one stops it."""
    for row in rows if isinstance(rows, list) else ():
        numbers = row if isinstance(row, list) and len(row) == len(Piece._fields) else [-1]
        if not all(isinstance(number, int) and number >= 0 for number in numbers) or numbers[0] + numbers[1] > length:
            return
        yield Piece(*numbers)


def _is_plain(name: str) -> bool:
    """Return whether a name leads to a file of people within the simulation."""
    return is_of_people(name) and not {"", ".", ".."} & {*name.split("/")} and "\\" not in name


def _not_index(path: Path) -> CorruptFile:
    return CorruptFile("%(file)s is not an index of the files of people. Restore it from a copy.", file=path)


def read_pieces(root: Path, pack: str, pieces: tuple[Piece, ...], start: int = 0) -> bytes:
    """Return the content of a packed file from a byte on. Raises CorruptFile and OSError."""
    path, found, at = root / "reverie" / pack, list[bytes](), 0
    with opened_plain(path, root) as file:
        for piece in pieces:
            if at + piece.size > start:
                file.seek(piece.start)
                found.append(_unpacked(file.read(piece.length), piece, path)[max(0, start - at) :])
            at += piece.size
    return b"".join(found)


def _unpacked(data: bytes, piece: Piece, path: Path) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(data, piece.size + 2)
    except zlib.error:
        raise _damaged(path) from None
    if not unpacking.eof or not piece.size <= len(content) <= piece.size + 1:
        raise _damaged(path)
    return content[len(content) - piece.size :]


def _damaged(path: Path) -> CorruptFile:
    return CorruptFile("%(file)s is damaged: what people remember cannot be read. Restore it from a copy.", file=path)


class Grown(NamedTuple):
    """Knowledge of a file that grows behind its first byte."""

    pieces: tuple[Piece, ...]
    size: int
    rest: int
    """Hash of all but the first byte."""


class PackWriter:
    """Writes the pieces of one save: to the pack that is there, or to the next one."""

    def __init__(self, root: Path, grown: dict[str, Grown] | None = None) -> None:
        self._root = root
        self._before = index_of(root)
        self._grown = {} if grown is None else grown
        """By file, also of earlier saves."""
        self.files: dict[str, tuple[Piece, ...]] = dict(self._before.files) if self._before else {}
        self._goes_on = self._before is not None and _may_grow(root, self._before)
        self.pack = self._before.pack if self._before and self._goes_on else _next_pack(root)
        self.length = self._before.length if self._before and self._goes_on else 0
        self._path = root / "reverie" / self.pack
        with writing(self._path):
            self._path.parent.mkdir(exist_ok=True)
            self._file = self._path.open("r+b" if self._goes_on else "wb")
            self._file.truncate(self.length)
            self._file.seek(self.length)
        self._own = set[str]()
        """Files that are in this pack."""
        if self._goes_on:
            self._own |= {*self.files}

    def write(self, name: str, content: bytes) -> None:
        """Write a file; of one that has grown only what is new."""
        is_growing = name.endswith(NODES)
        new, kept = self._growth(name, content) if is_growing else (content, ())
        self._put(name, new, kept)
        if is_growing:
            self._grown[name] = Grown(self.files[name], len(content), hash(content[1:]))

    def append(self, name: str, added: bytes) -> None:
        """Append to a file, or begin it."""
        if name in self._own or name not in self.files:
            self._put(name, added, before=self.files.get(name, ()))
        else:
            self._put(name, self.content(name) + added)

    def _put(self, name: str, content: bytes, after: tuple[Piece, ...] = (), before: tuple[Piece, ...] = ()) -> None:
        data = zlib.compress(content, LEVEL)
        with writing(self._path):
            self._file.write(data)
        self.files[name] = (*before, Piece(self.length, len(data), len(content)), *after)
        self.length += len(data)
        self._own.add(name)

    def _growth(self, name: str, content: bytes) -> tuple[bytes, tuple[Piece, ...]]:
        """Return what is new at the beginning of a file, and the pieces of the rest."""
        pieces = self.files.get(name, ())
        if name not in self._own or not pieces:
            return content, ()
        known = self._grown.get(name)
        if known is None or known.pieces != pieces:
            there = self.content(name)
            known = Grown(pieces, len(there), hash(there[1:]))
        new = len(content) - (known.size - 1)
        if new < 1 or known.size < len("{}") + 1 or hash(content[new:]) != known.rest:
            return content, ()
        first = pieces[0]
        return content[:new], (first._replace(size=first.size - 1), *pieces[1:])

    def content(self, name: str, start: int = 0) -> bytes:
        """Return the content of a file, as it will be, from a byte on. Raises CorruptFile."""
        if name not in self._own and self._before:
            return read_pieces(self._root, self._before.pack, self.files[name], start)
        with writing(self._path):
            self._file.flush()
        return read_pieces(self._root, self.pack, self.files[name], start)

    def index(self) -> PackIndex:
        """Return the index of what has been written so far, and of what stays."""
        return PackIndex.of(self.pack, self.length, self.files)

    def finish(self, *, fsync: bool) -> str | None:
        """Write what stays, and return the text of the index; None if it is as it was. Raises CannotWrite."""
        for name in [name for name in self.files if name not in self._own]:
            self._put(name, self.content(name))
        with writing(self._path):
            self._file.close()
        flush([self._path, self._path.parent] if fsync else [])
        index = self.index()
        return None if self._before and (index.pack, index.files) == (self.pack, self._before.files) else index.text()

    def close(self) -> None:
        """Close the pack: what was written does not count."""
        self._file.close()


def _may_grow(root: Path, index: PackIndex) -> bool:
    """Return whether a save can append to a pack: no other simulation shares it, and enough of it is in use."""
    path = root / "reverie" / index.pack
    if not path.exists() or path.stat().st_size < index.length:
        raise _damaged(path)
    return path.stat().st_nlink == 1 and index.length <= 2 * index.live + SPARE


def packs(root: Path) -> list[Path]:
    """Return all packs of people, also those that are left over."""
    return sorted(path for path in (root / "reverie").glob("people.*.pack") if PACK.fullmatch(path.name))


def _next_pack(root: Path) -> str:
    numbers = [int(found[1]) for path in packs(root) if (found := PACK.fullmatch(path.name))]
    return f"people.{max(numbers, default=-1) + 1}.pack"
