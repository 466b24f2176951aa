"""Memories that come to mind by chance."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ville.persona.cognitive_modules.planning.wander import draw

WEIGHTS = st.lists(st.floats(0.001, 1), max_size=20)


@given(WEIGHTS, st.integers(0, 25), st.integers())
def test_a_draw_has_different_items_and_repeats_with_its_seed(weights, count, seed):
    """As many as are wanted, or all."""
    drawn = draw(weights, count, Random(seed))  # noqa: S311 - not for secrets
    assert len(set(drawn)) == len(drawn) == min(count, len(weights))
    assert set(drawn) <= set(range(len(weights)))
    assert drawn == draw(weights, count, Random(seed))  # noqa: S311 - as above
