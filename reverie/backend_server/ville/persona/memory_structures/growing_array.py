"""An array that can be appended to: contiguous, so that a whole memory is weighed in one operation."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
FIRST_ROOM = 64


class GrowingArray:
    """Rows of one type and size. `values` is a view of those there are; it is out of date after the next append."""

    def __init__(self, kind: npt.DTypeLike, *row: int) -> None:
        self._room = np.zeros((0, *row), dtype=kind)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def values(self) -> Array:
        return self._room[: self._length]

    def append(self, row: Any) -> None:
        if self._length == len(self._room):
            room = np.zeros((max(FIRST_ROOM, 2 * self._length), *self._room.shape[1:]), dtype=self._room.dtype)
            room[: self._length] = self._room
            self._room = room
        self._room[self._length] = row
        self._length += 1
