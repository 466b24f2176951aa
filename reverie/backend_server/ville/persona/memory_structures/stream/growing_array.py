"""Arrays that grow at their end."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
FIRST_CAPACITY = 64


class GrowingArray:
    """Rows of one type and size. `values` is a view that the next row invalidates."""

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
            self._make_room(1)
        self._rows[self._length] = row
        self._length += 1

    def extend(self, rows: Array) -> None:
        """Append several rows."""
        self._make_room(len(rows))
        self._rows[self._length : self._length + len(rows)] = rows
        self._length += len(rows)

    def _make_room(self, more: int) -> None:
        if self._length + more > len(self._rows):
            capacity = max(FIRST_CAPACITY, 2 * self._length, self._length + more)
            rows = np.zeros((capacity, *self._rows.shape[1:]), dtype=self._rows.dtype)
            rows[: self._length] = self.values
            self._rows = rows
