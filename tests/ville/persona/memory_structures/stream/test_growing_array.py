"""Laws of growing arrays."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.memory_structures.stream.growing_array import GrowingArray


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=200))
def test_all_appended_rows_are_there(rows):
    """In order and contiguous, however often the array has grown."""
    growing_array = GrowingArray(np.int64, 2)
    for row in rows:
        growing_array.append(row)
    assert growing_array.values.tolist() == [list(row) for row in rows]
    assert growing_array.values.flags.c_contiguous
    assert len(growing_array) == len(rows)
