"""Emoji are cut between signs as a reader sees them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.cognitive_modules.emoji import MOST, NEUTRAL, shown

WHOLE = ["👨‍👩‍👧‍👦", "🏳️‍🌈", "🧑🏽‍🍳", "🇩🇪", "1️⃣", "☕️", "😴", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"]


@given(st.lists(st.sampled_from(WHOLE), min_size=1, max_size=6))
def test_no_emoji_is_cut_in_two(signs):
    """Of any row of emoji, families and flags among them, the first three are shown whole (MIGRATION.md, fault 45)."""
    assert shown("".join(signs)) == "".join(signs[:MOST])


@pytest.mark.parametrize("text", ["", "reading", "a (b) @ 12"])
def test_words_are_no_emoji(text):
    """A text without emoji shows a neutral face."""
    assert shown(text) == NEUTRAL


def test_words_round_emoji_are_left_out():
    """What a model writes besides is not shown."""
    assert shown("sleep: 😴, then coffee ☕️!") == "😴☕️"


def test_a_joiner_that_joins_nothing_is_dropped():
    """No text ends in a bare joiner."""
    assert shown("🍳\u200d") == "🍳"
