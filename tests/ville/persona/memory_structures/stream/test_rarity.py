"""How rare memories are, by clusters that can be counted by hand or in another way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.memory_structures.stream.rarity import EPS, rarity_weights


def directions(angles):
    """Vectors of length 1 in the plane."""
    return np.array([[np.cos(angle), np.sin(angle)] for angle in angles], dtype=np.float32).reshape(-1, 2)


def test_a_memory_weighs_one_by_the_size_of_its_cluster():
    """Three alike, two alike, one alone: 1/3 each, 1/2 each, 1, as parts of their sum, which is 3."""
    assert rarity_weights(directions([0, 0.01, 0.02, 1, 1.01, 2])) == pytest.approx([1 / 9] * 3 + [1 / 6] * 2 + [1 / 3])


@given(st.lists(st.floats(0, 6.28), max_size=12))
def test_weights_are_those_of_groups_of_neighbours(angles):
    """With two to a cluster, clusters are what is connected by steps of at most `EPS`; the weights add up to 1."""
    vectors = directions(angles)
    weights = rarity_weights(vectors)
    assert sum(weights) == pytest.approx(1 if angles else 0)
    near = np.linalg.norm(vectors[:, None] - vectors[None], axis=2) <= EPS
    for _ in angles:
        near = near @ near
    expected = 1 / near.sum(axis=1)
    assert weights == pytest.approx(list(expected / expected.sum()) if angles else [])


@given(st.integers(2, 9), st.integers(1, 5))
def test_what_is_alone_is_more_likely_than_what_is_common(common, alone):
    """As many times as its cluster has members."""
    weights = rarity_weights(np.vstack([np.eye(20, dtype=np.float32)[[0] * common], np.eye(20)[1 : 1 + alone]]))
    assert weights[-1] == pytest.approx(common * weights[0])
