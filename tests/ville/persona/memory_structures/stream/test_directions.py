"""Laws of directions: they come back bit for bit, and take little room where most numbers are zero."""

import tracemalloc

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ville.persona.memory_structures.stream.directions import Directions

SIZE = 512
few = st.dictionaries(st.integers(0, 7), st.floats(width=32, allow_nan=False), max_size=3)
many = arrays(np.float32, 8, elements=st.floats(-1, 1, width=32))


def row(numbers):
    made = np.zeros(8, dtype=np.float32)
    made[list(numbers)] = list(numbers.values())
    return made


@given(
    st.lists(few.map(row) | many | st.just(np.full(8, -0.0, dtype=np.float32)), max_size=20),
    st.integers(0, 20),
    st.integers(0, 20),
)
def test_rows_are_bit_for_bit_what_was_added(rows, first, end):
    """From any row to any other, with few or many numbers, zeros with a sign included, in whatever order."""
    directions = Directions(8)
    for each in rows:
        directions.append(each)
    first, end = sorted((min(first, len(rows)), min(end, len(rows))))
    assert len(directions) == len(rows)
    assert [each.tobytes() for each in directions.rows(first)] == [each.tobytes() for each in rows[first:]]
    assert [each.tobytes() for each in directions.rows(first, end)] == [each.tobytes() for each in rows[first:end]]


def test_hashed_texts_take_a_tenth_of_the_room():
    """Of 512 numbers, about twelve are not zero."""
    rows = np.zeros((2000, SIZE), dtype=np.float32)
    rows[:, ::43] = 0.3
    tracemalloc.start()
    directions = Directions(SIZE)
    for each in rows:
        directions.append(each)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < rows.nbytes / 10
