"""Laws of the emoji of an action."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.cognitive_modules.emoji import MOST, NEUTRAL, shown

WHOLE = ["👨‍👩‍👧‍👦", "🏳️‍🌈", "🧑🏽‍🍳", "🇩🇪", "1️⃣", "☕️", "😴", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"]


@given(st.lists(st.sampled_from(WHOLE), min_size=1, max_size=6))
def test_emoji_are_never_cut_in_two(signs):
    """The first three are displayed whole, including families and flags (docs/migration/faults.md, 45)."""
    assert shown("".join(signs)) == "".join(signs[:MOST])


@pytest.mark.parametrize("text", ["", "reading", "a (b) @ 12"])
def test_a_text_without_emoji_shows_a_neutral_face(text):
    """Whatever its words are."""
    assert shown(text) == NEUTRAL


def test_words_around_emoji_are_dropped():
    """Only emoji of an answer are displayed."""
    assert shown("sleep: 😴, then coffee ☕️!") == "😴☕️"


def test_a_trailing_joiner_is_dropped():
    """No displayed text ends in a bare joiner."""
    assert shown("🍳\u200d") == "🍳"
