"""Embeddings of a persona's memories: one vector per remembered text."""

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from ville.errors import BadEmbedding
from ville.plain_text import shortened

Array = npt.NDArray[Any]
FIRST_CAPACITY = 64


class GrowingArray:
    """Rows of one type and size. `values` is a view that the next append invalidates."""

    def __init__(self, kind: npt.DTypeLike, *row: int) -> None:
        self._rows = np.zeros((0, *row), dtype=kind)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def values(self) -> Array:
        return self._rows[: self._length]

    def append(self, row: npt.ArrayLike) -> None:
        if self._length == len(self._rows):
            rows = np.zeros((max(FIRST_CAPACITY, 2 * self._length), *self._rows.shape[1:]), dtype=self._rows.dtype)
            rows[: self._length] = self._rows
            self._rows = rows
        self._rows[self._length] = row
        self._length += 1


QUOTED = 60
"""Characters of a text that an error quotes."""
DIGITS = 7
"""Significant digits kept of the largest number of a vector, in memory and on disk."""

SHORT, CLASSIC = 512, 1536
"""Sizes of vectors: of the hashing embedder and of the released code. Short vectors are padded with zeros on disk, so
that the released code can compare them with its own. Padding does not change cosines."""

Vector = Sequence[float] | npt.NDArray[np.float32] | npt.NDArray[np.float64]


class Similar(NamedTuple):
    """A text whose vector has been compared with another."""

    text: str
    cosine: float


class Vectors:
    """Vectors by text, in order of addition. Their directions form one float32 array with rows of length 1."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._rows: dict[str, int] = {}
        self._directions: GrowingArray | None = None
        self.unsaved: dict[str, list[float]] = {}
        """New vectors as they are written to disk."""
        self.mixed = False
        """Whether vectors of two embedders were loaded, whose cosines are meaningless."""

    @classmethod
    def load(cls, owner: str, embeddings: Mapping[str, Vector]) -> "Vectors":
        """Return the vectors in embeddings.json. Raise BadEmbedding for the first malformed vector or other size."""
        vectors = cls(owner)
        read = {text: vectors._read(text, vector) for text, vector in embeddings.items()}
        classic = any(len(numbers) == CLASSIC and not _is_short(numbers) for numbers in read.values())
        vectors.mixed = classic and any(_is_short(numbers) and numbers.any() for numbers in read.values())
        resized = _padded if classic else _trimmed
        for text, numbers in read.items():
            vectors._append(text, vectors._fitting(text, resized(numbers)))
        return vectors

    def __contains__(self, text: str) -> bool:
        return text in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def size(self) -> int:
        """Length of each vector; 0 if there is none."""
        return self._directions.values.shape[1] if self._directions else 0

    def add(self, text: str, vector: Vector) -> None:
        """Add a vector unless the text has one. Raise BadEmbedding."""
        if text in self._rows:
            return
        numbers = _rounded(self.numbers(text, vector))
        self._append(text, numbers)
        self.unsaved[text] = _padded(numbers).tolist()

    def adopt(self, text: str, vector: object) -> None:
        """Add a vector as files have it, unless it is malformed or of another size than the others."""
        with suppress(BadEmbedding):
            numbers = self._read(text, cast("Vector", vector))
            self.add(text, _trimmed(numbers) if self.size in {0, SHORT} else numbers)

    def row(self, text: str) -> int:
        """Return the index of a text in `similarities`. Raise BadEmbedding if it has no vector."""
        if text not in self._rows:
            raise BadEmbedding(
                f"{self._owner}: embeddings.json has no vector for '{shortened(text, QUOTED)}'. Restore the file "
                "from a copy."
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
        similarities: Array = np.vecdot(self._directions.values, direction)
        return similarities

    def directions(self, texts: Sequence[str]) -> Array:
        """Return the vectors of texts as rows, each of length 1 or of zeros. Raise BadEmbedding if one has none."""
        if self._directions is None or not texts:
            return np.zeros((0, self.size), dtype=np.float32)
        rows: Array = self._directions.values[[self.row(text) for text in texts]]
        return rows

    def most_similar(self, vector: Vector, texts: Iterable[str]) -> Similar | None:
        """Return the one of these texts that is closest to a vector, the first of several; None if none has one."""
        known = [text for text in texts if text in self._rows]
        if not known:
            return None
        cosines = self.similarities(vector)[[self._rows[text] for text in known]]
        place = int(cosines.argmax())
        return Similar(known[place], float(cosines[place]))

    def numbers(self, text: str, vector: Vector) -> npt.NDArray[np.float64]:
        """Return a vector as an array. Raise BadEmbedding if it is malformed or has another size than the others."""
        return self._fitting(text, self._read(text, vector))

    def _read(self, text: str, vector: Vector) -> npt.NDArray[np.float64]:
        try:
            numbers = np.asarray(vector, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):  # the last for a whole number beyond 1e308
            numbers = np.zeros(0)
        if numbers.ndim != 1 or not len(numbers) or not np.isfinite(numbers).all():
            raise BadEmbedding(
                f"{self._owner}: the vector for '{shortened(text, QUOTED)}' is not a list of numbers. Restore "
                "embeddings.json."
            )
        return numbers

    def _fitting(self, text: str, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        if len(numbers) != (self.size or len(numbers)):
            raise BadEmbedding(
                f"{self._owner}: the vector for '{shortened(text, QUOTED)}' has {len(numbers)} numbers, the others "
                f"have {self.size}. Use the embedder with which this simulation was started."
            )
        return numbers

    def _append(self, text: str, numbers: npt.NDArray[np.float64]) -> None:
        if self._directions is None:
            self._directions = GrowingArray(np.float32, len(numbers))
        self._rows[text] = len(self._directions)
        self._directions.append(_direction(numbers))


def _is_short(numbers: npt.NDArray[np.float64]) -> bool:
    """Return whether a vector is from the hashing embedder, padded or not."""
    return len(numbers) == SHORT or (len(numbers) == CLASSIC and not numbers[SHORT:].any())


def _padded(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.pad(numbers, (0, CLASSIC - SHORT)) if len(numbers) == SHORT else numbers


def _trimmed(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return numbers[:SHORT] if _is_short(numbers) else numbers


def _rounded(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a vector rounded as on disk, so that a resumed run has the same vectors as an uninterrupted one."""
    peak = float(np.abs(numbers).max())
    return np.round(numbers, DIGITS - 1 - math.floor(math.log10(peak))) if peak else numbers


def _direction(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Return a vector of length 1, or of zeros."""
    length = math.sqrt(np.dot(numbers, numbers))
    return (numbers / length if length else numbers).astype(np.float32)
