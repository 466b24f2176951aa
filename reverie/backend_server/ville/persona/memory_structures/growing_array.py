"""A contiguous array that can grow, so that a whole memory stream is scored in one operation."""

from typing import Any

import numpy as np
import numpy.typing as npt

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

    def append(self, row: Any) -> None:
        if self._length == len(self._rows):
            rows = np.zeros((max(FIRST_CAPACITY, 2 * self._length), *self._rows.shape[1:]), dtype=self._rows.dtype)
            rows[: self._length] = self._rows
            self._rows = rows
        self._rows[self._length] = row
        self._length += 1
