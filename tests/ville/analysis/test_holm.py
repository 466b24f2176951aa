"""The adjustment of several p: as published, and never too easy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.analysis.holm import holm

SHARES = st.lists(st.floats(0, 1), max_size=8)


def test_the_example_of_textbooks():
    """Of 0.01, 0.04, 0.03 and 0.005, only the two smallest stay below 0.05 (Wikipedia, Holm-Bonferroni method)."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == ()
    assert holm([0.2]) == (0.2,)


@given(SHARES, st.floats(0.01, 1))
def test_it_rejects_what_the_steps_of_holm_reject(ps, level):
    """One after the other, the smallest first, at the level by the number of those that are left, until one stays."""
    rejected = 0
    for left, p in zip(range(len(ps), 0, -1), sorted(ps), strict=True):
        if p * left > level:
            break
        rejected += 1
    assert sum(each <= level for each in holm(ps)) == rejected
    for p, adjusted in zip(ps, holm(ps), strict=True):
        assert p <= adjusted <= min(1, p * len(ps)) or adjusted == max(holm(ps))
