"""Embeddings of a persona's memories: one vector per remembered text."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from ville.errors import BadEmbedding
from ville.persona.memory_structures.stream.directions import Directions
from ville.persona.memory_structures.stream.growing_array import Array
from ville.plain_text import shortened
from ville.storage.records.vector_rows import CLASSIC, SHORT, Row

QUOTED = 60
"""Characters of a text that an error quotes."""
DIGITS = 7
"""Significant digits kept of the largest number of a new vector: what differs less from machine to machine is the
same."""
_BYTES = 4
"""Of a number of a row."""
NEAR_ONE = 1e-3
"""How far the square of the length of a stored row may be from 1."""

Vector = Sequence[float] | npt.NDArray[np.float32] | npt.NDArray[np.float64] | Row
"""Numbers, or a row of vectors.f32, which has length 1 already."""


Numbers = npt.NDArray[np.floating[Any]]
"""Those in float32 are of a row, and have length 1 already."""


class Similar(NamedTuple):
    """A text whose vector has been compared with another."""

    text: str
    cosine: float


class Vectors:
    """Vectors by text, in order of addition. Their directions form one float32 array with rows of length 1."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._rows: dict[str, int] = {}
        self._directions: Directions | None = None
        self._saved = 0
        """How many of them are on disk: the first ones."""
        self.mixed = False
        """Whether vectors of two embedders were loaded, whose cosines are meaningless."""

    @classmethod
    def load(cls, owner: str, embeddings: Mapping[str, Vector]) -> "Vectors":
        """Return the vectors in the files. Raise BadEmbedding for the first malformed vector or other size."""
        vectors = cls(owner)
        read = vectors._read_all(embeddings)
        classic = any(len(numbers) == CLASSIC and not _is_short(numbers) for numbers in read.values())
        vectors.mixed = classic and any(_is_short(numbers) and numbers.any() for numbers in read.values())
        resized = _padded if classic else _trimmed
        for text, numbers in read.items():
            vectors._append(text, vectors._fitting(text, resized(numbers)))
        vectors.mark_saved()
        return vectors

    @property
    def unsaved(self) -> Mapping[str, Row]:
        """New vectors, to be written to disk."""
        if self._directions is None:
            return {}
        return _Rows(dict(islice(self._rows.items(), self._saved, None)), self._directions)

    def mark_saved(self) -> None:
        """Note that all vectors are on disk."""
        self._saved = len(self)

    def __contains__(self, text: str) -> bool:
        return text in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def size(self) -> int:
        """Length of each vector; 0 if there is none."""
        return self._directions.size if self._directions else 0

    def add(self, text: str, vector: Vector) -> None:
        """Add a vector unless the text has one. Raise BadEmbedding."""
        if text not in self._rows:
            self._add(text, self._read(text, vector))

    def _add(self, text: str, numbers: Numbers) -> None:
        numbers = self._fitting(text, numbers)
        self._append(text, _rounded(numbers) if numbers.dtype == np.float64 else numbers)

    def adopt(self, text: str, vector: object) -> None:
        """Add a vector as files have it, unless the text has one, or it is malformed or of another size."""
        if text in self._rows:
            return
        with suppress(BadEmbedding):
            numbers = self._read(text, cast("Vector", vector))
            self._add(text, _trimmed(numbers) if self.size in {0, SHORT} else numbers)

    def row(self, text: str) -> int:
        """Return the index of a text in `similarities`. Raise BadEmbedding if it has no vector."""
        if text not in self._rows:
            raise BadEmbedding(
                f"{self._owner}: vectors.f32 and embeddings.json have no vector for '{shortened(text, QUOTED)}'. "
                "Restore them from a copy."
            )
        return self._rows[text]

    def similarities(self, vector: Vector) -> Array:
        """Return the cosine of every vector with this one, by row; 0 if either is all zeros.

        `vecdot` runs on one thread and as fast as a matrix product. Its result for a row does not depend on the number
        of rows, so that runs are reproducible to the bit.
        """
        if self._directions is None:
            return np.zeros(0, dtype=np.float32)
        direction = _direction(self.numbers("(a thought)", vector))
        similarities: Array = np.vecdot(self._directions.rows(), direction)
        return similarities

    def directions(self, texts: Sequence[str]) -> Array:
        """Return the vectors of texts as rows, each of length 1 or of zeros. Raise BadEmbedding if one has none."""
        if self._directions is None or not texts:
            return np.zeros((0, self.size), dtype=np.float32)
        rows: Array = self._directions.rows()[[self.row(text) for text in texts]]
        return rows

    def most_similar(self, vector: Vector, texts: Iterable[str]) -> Similar | None:
        """Return the one of these texts that is closest to a vector, the first of several; None if none has one."""
        known = [text for text in texts if text in self._rows]
        if not known:
            return None
        cosines = self.similarities(vector)[[self._rows[text] for text in known]]
        place = int(cosines.argmax())
        return Similar(known[place], float(cosines[place]))

    def numbers(self, text: str, vector: Vector) -> Numbers:
        """Return a vector as an array. Raise BadEmbedding if it is malformed or has another size than the others."""
        return self._fitting(text, self._read(text, vector))

    def _read_all(self, embeddings: Mapping[str, Vector]) -> Mapping[str, Numbers]:
        """Return vectors as arrays: rows of one size, as nearly all files have them, at once."""
        sizes = {len(vector) if isinstance(vector, Row) else 0 for vector in embeddings.values()}
        if len(sizes) == 1 and (size := sizes.pop()) and not size % _BYTES:
            rows = np.frombuffer(b"".join(cast("Iterable[Row]", embeddings.values())), dtype="<f4")
            numbers = rows.reshape(len(embeddings), -1).astype(np.float32, copy=False)
            with np.errstate(over="ignore", invalid="ignore"):
                near_one = np.abs(np.vecdot(numbers, numbers) - 1) < NEAR_ONE
            if (near_one | ~numbers.any(axis=1)).all():
                return dict(zip(embeddings, numbers, strict=True))
        return {text: self._read(text, vector) for text, vector in embeddings.items()}

    def _read(self, text: str, vector: Vector) -> Numbers:
        try:
            numbers = _row(vector) if isinstance(vector, Row) else np.asarray(vector, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):  # the last for a whole number beyond 1e308
            numbers = np.zeros(0)
        if numbers.ndim != 1 or not len(numbers) or not np.isfinite(numbers).all():
            raise BadEmbedding(
                f"{self._owner}: the vector for '{shortened(text, QUOTED)}' is not a list of numbers. Restore "
                "embeddings.json or vectors.f32."
            )
        return numbers

    def _fitting(self, text: str, numbers: Numbers) -> Numbers:
        if len(numbers) != (self.size or len(numbers)):
            raise BadEmbedding(
                f"{self._owner}: the vector for '{shortened(text, QUOTED)}' has {len(numbers)} numbers, the others "
                f"have {self.size}. Use the embedder with which this simulation was started."
            )
        return numbers

    def _append(self, text: str, numbers: Numbers) -> None:
        if self._directions is None:
            self._directions = Directions(len(numbers))
        self._rows[text] = len(self._directions)
        self._directions.append(_direction(numbers))


class _Rows(Mapping[str, Row]):
    """Vectors as they are written to disk, each made when it is asked for."""

    def __init__(self, rows: Mapping[str, int], directions: Directions) -> None:
        self._rows = rows
        self._directions = directions

    def __getitem__(self, text: str) -> Row:
        number = self._rows[text]
        row: Row = self._directions.rows(number, number + 1).astype("<f4", copy=False).tobytes()
        return row

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return repr(dict(self))


def _is_short(numbers: Numbers) -> bool:
    """Return whether a vector is from the hashing embedder, padded or not."""
    return len(numbers) == SHORT or (len(numbers) == CLASSIC and not numbers[SHORT:].any())


def _padded(numbers: Numbers) -> Numbers:
    padded: Numbers = np.pad(numbers, (0, CLASSIC - SHORT)) if len(numbers) == SHORT else numbers
    return padded


def _trimmed(numbers: Numbers) -> Numbers:
    return numbers[:SHORT] if _is_short(numbers) else numbers


def _rounded(numbers: Numbers) -> Numbers:
    """Return a vector rounded as on disk, so that a resumed run has the same vectors as an uninterrupted one."""
    peak = float(np.abs(numbers).max())
    rounded: Numbers = np.round(numbers, DIGITS - 1 - math.floor(math.log10(peak))) if peak else numbers
    return rounded


def _row(row: Row) -> npt.NDArray[np.float32]:
    """Return a row of vectors.f32. Raise ValueError unless it has length 1, or is all zeros."""
    numbers = np.frombuffer(row, dtype="<f4").astype(np.float32, copy=False)
    with np.errstate(over="ignore", invalid="ignore"):
        square = float(np.dot(numbers, numbers))
    if numbers.any() and not abs(square - 1) < NEAR_ONE:
        raise ValueError("its length is not 1")
    return numbers


def _direction(numbers: Numbers) -> npt.NDArray[np.float32]:
    """Return a vector of length 1, or of zeros."""
    if numbers.dtype == np.float32:
        return numbers.astype(np.float32, copy=False)
    length = math.sqrt(np.dot(numbers, numbers))
    return (numbers / length if length else numbers).astype(np.float32)
