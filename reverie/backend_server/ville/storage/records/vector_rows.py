"""`vectors.f32`: vectors of a persona as float32, each of length 1, in the order in which they were made.

The file begins with a mark, its version and the size of the vectors (two little-endian 32-bit numbers). A record for
each vector follows: the bytes of its text (a 32-bit number), the text in UTF-8, and the numbers. Where most are zero,
as by hashing, the first number of the record has its highest bit set. Then the bytes of the rest (a 32-bit number)
follow instead, and for each other number itself, how many places have it, and these places (16-bit numbers).

Saves only append, so the file does not depend on when they happened. `reverie/vectors.json` says how much of each file
belongs to the last save; what is beyond that was not saved. Without an entry, all whole records count.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from math import hypot
from operator import mul
from pathlib import Path
from typing import NamedTuple

from ville.errors import CorruptFile
from ville.storage.files import read_object
from ville.storage.records.memory_files import INDEX

SHORT, CLASSIC = 512, 1536
"""Sizes of vectors: of the hashing embedder and of the released code. In embeddings.json, short vectors are padded with
zeros, so that the released code can compare them with its own. Padding does not change cosines."""
DIGITS = 9
"""Significant digits of a float32 in JSON: enough to get the same one back."""
LARGEST = 2**16
"""Numbers of a vector, at most."""

ROUNDING = 1e-6
"""By which cosines of equal vectors may differ from 1."""

Row = bytes
"""A vector as little-endian float32."""

_MARK = b"VILLEF32"
_HEAD, _LENGTH, _COUNT = struct.Struct("<8sII"), struct.Struct("<I"), struct.Struct("<H")
_VERSION, _FLOAT, _FEW = 2, 4, 2**31


def header(size: int) -> bytes:
    """Return the beginning of a file whose vectors have so many numbers."""
    return _HEAD.pack(_MARK, _VERSION, size)


def records(vectors: Mapping[str, Row]) -> bytes:
    """Return the records of vectors."""
    return b"".join(part for text, row in vectors.items() for part in _record(text, row))


def _record(text: str, row: Row) -> Iterable[bytes]:
    content = text.encode("utf-8", "surrogatepass")
    few = _few(row)
    return _LENGTH.pack(len(content) | (_FEW if few else 0)), content, few or row


def _few(row: Row) -> bytes:
    """Return the numbers of a vector that are not zero, each with its places; nothing if most are others."""
    places = [place for place, number in enumerate(memoryview(row).cast("I")) if number]
    if 2 * len(places) >= len(row) // _FLOAT:
        return b""
    having = dict[bytes, list[int]]()
    for place in places:
        having.setdefault(row[_FLOAT * place : _FLOAT * (place + 1)], []).append(place)
    found = (number + struct.pack(f"<{len(at) + 1}H", len(at), *at) for number, at in having.items())
    listed = b"".join(found)
    return _LENGTH.pack(len(listed)) + listed


def _all(few: bytes, row: int) -> Row:
    """Return a row of so many bytes with these numbers at their places, zeros elsewhere. Raises ValueError."""
    whole, at = bytearray(row), 0
    while at < len(few):
        number, (count,) = few[at : at + _FLOAT], _COUNT.unpack_from(few, at + _FLOAT)
        begin = at + _FLOAT + _COUNT.size
        for place in struct.unpack_from(f"<{count}H", few, begin):
            if (place + 1) * _FLOAT > row:
                raise ValueError("it has a place that the others do not have")
            whole[_FLOAT * place : _FLOAT * (place + 1)] = number
        at = begin + _COUNT.size * count
    return bytes(whole)


def size_of_rows(rows: Iterable[Row]) -> int:
    """Return how many numbers the first of some rows has; 0 if there are none."""
    return next((len(row) // _FLOAT for row in rows), 0)


def read_size(content: bytes, path: Path) -> int:
    """Return how many numbers the vectors of a content have, which comes from a file. Raises CorruptFile."""
    try:
        mark, version, size = _HEAD.unpack_from(content)
    except struct.error:
        raise _torn(path) from None
    if mark != _MARK or version != _VERSION or not 0 < size <= LARGEST:
        template = "%(file)s is not a file of vectors of this version. Restore it from a copy."
        raise CorruptFile(template, file=path)
    return int(size)


def _torn(path: Path) -> CorruptFile:
    return CorruptFile("%(file)s is incomplete. Restore it from a copy.", file=path)


def whole_length(content: bytes) -> int:
    """Return how many bytes of a file are whole records with their header."""
    if len(content) < _HEAD.size:
        return 0
    row, at = _HEAD.unpack_from(content)[2] * _FLOAT, _HEAD.size
    with suppress(struct.error):
        while (end := _place(content, at, row).end) <= len(content):
            at = end
    return at


class _Place(NamedTuple):
    """Where the parts of a record are."""

    text: slice
    start: int
    """Of the numbers."""
    end: int
    is_few: bool
    """Whether numbers that are zero are left out."""


def _place(content: bytes, at: int, row: int) -> _Place:
    """Return where a record is, given the bytes of a whole row. Raises struct.error at the end of the file."""
    length: int = _LENGTH.unpack_from(content, at)[0]
    is_few, length = bool(length & _FEW), length & ~_FEW
    begin = at + _LENGTH.size
    start = begin + length
    if is_few:
        row = _LENGTH.unpack_from(content, start)[0]
        start += _LENGTH.size
    return _Place(slice(begin, begin + length), start, start + row, is_few)


def read_rows(content: bytes, length: int | None, path: Path) -> dict[str, Row]:
    """Return the vectors in the first `length` bytes of a content by text; None: in all whole records.

    `path` is where it comes from. Raises CorruptFile.
    """
    begun = beginning_of(content, whole_length(content) if length is None else length, path)
    return decoded(begun, path) if begun else {}


def beginning_of(content: bytes, length: int, path: Path) -> bytes:
    """Return so much of the beginning of a content. Raises CorruptFile if it is shorter."""
    if len(content) < length:
        raise _torn(path)
    return content[:length] if length < len(content) else content


def has_direction_of(one: Row | Sequence[float], other: Row | Sequence[float]) -> bool:
    """Return whether two vectors, rows or lists as embeddings.json has them, padded or not, have the same direction, up
    to what float32 rounds.
    """
    first, second = (memoryview(each).cast("f") if isinstance(each, bytes) else each for each in (one, other))
    lengths = hypot(*first) * hypot(*second)
    return sum(map(mul, first, second)) >= (1 - ROUNDING) * lengths if lengths else not (any(first) or any(second))


def decoded(content: bytes, path: Path) -> dict[str, Row]:
    """Return the vectors in a content. Raises CorruptFile."""
    row, found, at = read_size(content, path) * _FLOAT, dict[str, Row](), _HEAD.size
    try:
        while at < len(content):
            place = _place(content, at, row)
            text, numbers = content[place.text].decode("utf-8", "surrogatepass"), content[place.start : place.end]
            found[text] = _all(numbers, row) if place.is_few else numbers
            at = place.end
    except (struct.error, ValueError):
        raise _torn(path) from None
    if at != len(content):
        raise _torn(path)
    return found


def read_lengths(side: Path) -> dict[str, int]:
    """Return how much of each file belongs to the last save, by folder of the persona; `side` is where INDEX is.

    Raises CorruptFile.
    """
    path = side / INDEX
    lengths = read_object(path) if path.exists() else {}
    for folder, length in lengths.items():
        if not isinstance(length, int) or length < 0:
            template = "%(file)s: '%(folder)s' is not a number of bytes. Restore the file from a copy."
            raise CorruptFile(template, file=path, folder=folder)
    return {folder: length for folder, length in lengths.items() if isinstance(length, int)}


def as_listed(vector: Row | list[float]) -> list[float]:
    """Return a vector as the released code has it in JSON."""
    if not isinstance(vector, Row):
        return vector
    numbers = [float(f"{number:.{DIGITS}g}") for number in struct.unpack(f"<{len(vector) // _FLOAT}f", vector)]
    return numbers + [0.0] * (CLASSIC - SHORT) if len(numbers) == SHORT else numbers
