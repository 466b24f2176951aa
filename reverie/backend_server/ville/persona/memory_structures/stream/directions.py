"""Directions of vectors in memory, in less room where most of their numbers are zero, as by hashing."""

import numpy as np
import numpy.typing as npt

from ville.persona.memory_structures.stream.growing_array import Array, GrowingArray

Direction = npt.NDArray[np.float32]


class Directions:
    """Vectors of one size. Each number is kept until less than half of a vector are zeros; before, only the others
    are, with their places, and rows are made when they are asked for.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._ends = GrowingArray(np.int64)
        """How many numbers are kept of all vectors up to each."""
        self._places = GrowingArray(np.int32)
        """Of each of these numbers in its vector."""
        self._numbers = GrowingArray(np.float32)
        self._whole: GrowingArray | None = None

    def __len__(self) -> int:
        return len(self._ends if self._whole is None else self._whole)

    def append(self, direction: Direction) -> None:
        """Add a vector."""
        places = np.flatnonzero(direction.view(np.uint32)).astype(np.int32)
        if self._whole is None and 2 * len(places) >= self.size:
            self._keep_all()
        if self._whole is not None:
            self._whole.append(direction)
            return
        self._places.extend(places)
        self._numbers.extend(direction[places])
        self._ends.append(len(self._numbers))

    def _keep_all(self) -> None:
        whole = GrowingArray(np.float32, self.size)
        whole.extend(self.rows())
        self._whole = whole
        self._ends = self._places = self._numbers = GrowingArray(np.int32)

    def rows(self, first: int = 0, end: int | None = None) -> Array:
        """Return the vectors from one on, up to another. The next one that is added invalidates them."""
        if self._whole is not None:
            return self._whole.values[first:end]
        ends = self._ends.values[:end]
        begin = int(ends[first - 1]) if first else 0
        counts = np.diff(ends[first:], prepend=begin)
        kept = slice(begin, begin + int(counts.sum()))
        rows = np.zeros((len(counts), self.size), dtype=np.float32)
        rows[np.repeat(np.arange(len(counts)), counts), self._places.values[kept]] = self._numbers.values[kept]
        return rows
