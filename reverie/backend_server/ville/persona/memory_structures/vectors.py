"""What a persona's memories mean, as numbers: one vector for every text it remembers."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ville.errors import BadEmbedding
from ville.persona.memory_structures.growing_array import Array, GrowingArray

DIGITS = 7
"""Significant digits of a vector's largest number that are kept, in memory as on disk."""

SHORT, CLASSIC = 512, 1536
"""Sizes of vectors: those made by hashing, and those of the released code. Short ones are stored with zeros up to the
classic size, so that the released code can compare its own with them; no cosine changes by that."""

Vector = Sequence[float] | npt.NDArray[np.float32] | npt.NDArray[np.float64]


class Vectors:
    """Text to vector, in the order in which they came. The directions lie in one float32 array, rows of length 1."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._rows: dict[str, int] = {}
        self._directions: GrowingArray | None = None
        self.unsaved: dict[str, list[float]] = {}
        """As they go to disk."""
        self.mixed = False
        """Whether short vectors and classic ones were loaded: two models made them, and their cosines mean nothing."""

    @classmethod
    def load(cls, owner: str, embeddings: Mapping[str, Vector]) -> "Vectors":
        """From embeddings.json. Raises BadEmbedding naming the first text whose vector is none, or of another size."""
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
        """How many numbers each vector has; 0 if there is none."""
        return self._directions.values.shape[1] if self._directions else 0

    def add(self, text: str, vector: Vector) -> None:
        """Nothing happens if the text has a vector already. Raises BadEmbedding."""
        if text in self._rows:
            return
        numbers = _rounded(self.numbers(text, vector))
        self._append(text, numbers)
        self.unsaved[text] = _padded(numbers).tolist()

    def row(self, text: str) -> int:
        """Its place in `similarities`. Raises BadEmbedding if there is no vector for it."""
        if text not in self._rows:
            raise BadEmbedding(
                f"{self._owner}: embeddings.json has no vector for '{text}': restore the file from a copy."
            )
        return self._rows[text]

    def similarities(self, vector: Vector) -> Array:
        """The cosine of every vector there is with this one, by row; 0 where one of the two has no direction.

        Row by row on one thread: as fast as a matrix product, never waiting for a busy core, and a row's cosine is bit
        for bit the same however many other rows there are.
        """
        if self._directions is None:
            return np.zeros(0, dtype=np.float32)
        direction = _direction(self.numbers("(a thought)", vector))
        similarities: Array = np.vecdot(self._directions.values, direction)
        return similarities

    def numbers(self, text: str, vector: Vector) -> npt.NDArray[np.float64]:
        """A vector that may stand among these. Raises BadEmbedding for what is none, or of another size."""
        return self._fitting(text, self._read(text, vector))

    def _read(self, text: str, vector: Vector) -> npt.NDArray[np.float64]:
        try:
            numbers = np.asarray(vector, dtype=np.float64)
        except (TypeError, ValueError):
            numbers = np.zeros(0)
        if numbers.ndim != 1 or not len(numbers) or not np.isfinite(numbers).all():
            raise BadEmbedding(
                f"{self._owner}: the vector for '{text}' is no list of numbers: restore embeddings.json."
            )
        return numbers

    def _fitting(self, text: str, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        if len(numbers) != (self.size or len(numbers)):
            raise BadEmbedding(
                f"{self._owner}: the vector for '{text}' has {len(numbers)} numbers, its neighbours have {self.size}: "
                "go on with the embedder this simulation was begun with."
            )
        return numbers

    def _append(self, text: str, numbers: npt.NDArray[np.float64]) -> None:
        if self._directions is None:
            self._directions = GrowingArray(np.float32, len(numbers))
        self._rows[text] = len(self._directions)
        self._directions.append(_direction(numbers))


def _is_short(numbers: npt.NDArray[np.float64]) -> bool:
    """Whether a vector is a short one, padded or not."""
    return len(numbers) == SHORT or (len(numbers) == CLASSIC and not numbers[SHORT:].any())


def _padded(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.pad(numbers, (0, CLASSIC - SHORT)) if len(numbers) == SHORT else numbers


def _trimmed(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return numbers[:SHORT] if _is_short(numbers) else numbers


def _rounded(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """What survives the text on disk, so that a resumed run remembers exactly what an uninterrupted one does."""
    peak = float(np.abs(numbers).max())
    return np.round(numbers, DIGITS - 1 - math.floor(math.log10(peak))) if peak else numbers


def _direction(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Length 1, or all zeros where there is no direction."""
    length = math.sqrt(np.dot(numbers, numbers))
    return (numbers / length if length else numbers).astype(np.float32)
