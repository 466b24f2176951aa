"""Lengths of runs as users type them, and as requests and files have them."""

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ville.errors import BadArgument
from ville.simulation.clock import Steps, UntilStep
from ville.simulation.pacing.spans import MORNING, read_span

PARTS = st.sampled_from(
    ["until", "Until", " ", "\t", "100", "step", "steps", "hours", "08:00", "25:61", "morning", ":", "é"]
)


@given(st.lists(PARTS, max_size=5).map("".join) | st.text(max_size=12))
@example("until ")
@example("until \t ")
@example("until")
@example("")
def test_every_text_is_a_length_or_is_refused(text):
    """Also one that ends where its time should begin."""
    with suppress(BadArgument):
        assert read_span(text)


@pytest.mark.parametrize(
    ("text", "span"),
    [("until step 5", UntilStep(5)), ("UNTIL  morning", MORNING), ("100", Steps(100)), ("steps 7", Steps(7))],
)
def test_words_may_be_capital_and_far_apart(text, span):
    assert read_span(text) == span
