"""Answers in one style: nothing that judges like for its form is left, and what is said stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.believability.plain_style import LONGEST, SILENCE, flourished, plain_answer

NAME = "Isabella Rodriguez"


@pytest.mark.parametrize(
    ("given_answer", "plain"),
    [
        ("**Hello!** I'm *Isa*.\n\n- I run the cafe\n- I love it!!!", "Hello. I'm Isa. I run the cafe. I love it."),
        ("Isabella: Isabella Rodriguez runs a bar, and Isabella is at Isabella's…", "I run a bar, and I am at my."),
        ("Tea — or coffee", "Tea, or coffee."),
        ("\u201cGreat!\u201d 🎉 Really??", '"Great." Really?'),
        ("## Plan\n1. Sweep\n2. `Bake`", "Plan. Sweep. Bake."),
        ("I have 3.5 pounds of a_b_c, see [here](http://x.y).", "I have 3.5 pounds of a_b_c, see here."),
        (" \n", SILENCE),
    ],
)  # fmt: skip
def test_form_goes_and_words_stay(given_answer, plain):
    """Markdown, flourish, and the third person."""
    assert plain_answer(given_answer, NAME) == plain


@given(st.text(max_size=900))
def test_every_answer_has_the_same_form(text):
    """A line of limited length that ends as a sentence; a plain answer is not changed again."""
    plain = plain_answer(text, NAME)
    assert 0 < len(plain) <= LONGEST + 1
    assert "\n" not in plain
    assert plain == SILENCE or plain[-1] in ".?"
    assert "!" not in plain


def test_a_flourished_copy_says_the_same_in_another_style():
    """It is longer and marked up, and all sentences are in it."""
    plain = plain_answer("I run the cafe. Would you like some tea?", NAME)
    copy = flourished(plain)
    assert "- **" in copy
    assert len(copy) > len(plain)
    assert all(sentence in copy for sentence in ("I run the cafe.", "Would you like some tea?"))
