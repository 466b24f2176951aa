"""Text is stored and printed without control characters, and otherwise unchanged."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ville.errors import BadArgument
from ville.plain_text import one_line, printable, shortened

TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
"""Bidirectional classes of the characters that turn the direction of the text after them."""
anything = st.text(st.characters(exclude_categories=()))
"""All of Unicode, lone surrogates included."""
awkward = st.text(
    st.sampled_from("a 🏴\U000e0067\U000e0062\U000e007f\u200d\u200b\ufe0f\x00\x1b[2J\r\n\t\x85\u2028\u202e\ud83d")
)


def is_safe(text):
    return not any(
        unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"} or unicodedata.bidirectional(sign) in TURNING
        for sign in text
    )


@given(anything | awkward)
def test_one_line_holds_no_control_character(text):
    """No C0 or C1 character, line break, override, isolate or surrogate; a second call changes nothing."""
    line = one_line(text)
    assert is_safe(line)
    assert one_line(line) == line
    assert len(line) <= len(text)


@given(anything | awkward)
def test_printable_text_keeps_its_lines(text):
    """Of all control characters only line feeds stay."""
    shown = printable(text)
    assert shown.count("\n") == text.count("\n")
    assert is_safe(shown.replace("\n", ""))


@given(st.text(st.characters(exclude_categories=("C", "Zl", "Zp"))))
def test_visible_characters_are_kept(text):
    """Letters, marks, numbers, symbols and blanks of every script."""
    assert one_line(text) == printable(text) == text


@pytest.mark.parametrize(
    "text",
    ["👩‍👩‍👧", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "❤️", "می‌خواهم", "क्‍ष", "א\u200fב"],
)
def test_joiners_are_kept(text):
    """A family, the flag of England, a red heart; joiners of Persian and Hindi, a mark of Hebrew."""
    assert one_line(text) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("tea\r\n\tand cake", "tea and cake"),
        ("one\u2028two\u2029three", "one two three"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\x00b\x9bc", "abc"),
        ("\u202egnp.exe\u202c", "gnp.exe"),
        ("pass\u200bword\ufeff", "password"),
        ("hi\U000e0068\U000e0069", "hi"),
        ("half \ud83d", "half "),
    ],
)
def test_invisible_characters_are_removed(text, plain):
    """Spacing becomes one blank; everything else invisible is removed, including letters hidden in tags."""
    assert one_line(text) == plain


@given(anything, st.integers(1, 30))
@example("", 1)
@example("ab", 1)
@example("ab", 2)
@example("abc", 2)
def test_a_shortened_text_begins_like_the_whole(text, most):
    """At most the given length; a text that fits is unchanged."""
    short = shortened(text, most)
    assert len(short) <= most
    assert text.startswith(short.removesuffix("…"))
    assert short == text or len(text) > most


@given(anything)
def test_no_error_message_controls_the_terminal(text):
    """Whatever it quotes."""
    assert is_safe(str(BadArgument(f"There is no '{text}'.")))
