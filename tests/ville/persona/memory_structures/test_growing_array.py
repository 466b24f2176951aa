"""Laws of arrays that grow."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.memory_structures.growing_array import GrowingArray


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=200))
def test_what_was_appended_is_there(rows):
    """The values are all rows in their order, contiguous, however often the room had to grow."""
    growing_array = GrowingArray(np.int64, 2)
    for row in rows:
        growing_array.append(row)
    assert growing_array.values.tolist() == [list(row) for row in rows]
    assert growing_array.values.flags.c_contiguous
    assert len(growing_array) == len(rows)
