"""Completion at the prompt."""

from ville.prompt.completion import completions
from ville.prompt.parse import parse
from ville.prompt.syntax import COMMANDS, ArgumentKind

NAMES = ["Ada Stone", "Ben Reed"]


def test_every_command_is_completed():
    """An empty line offers every command; those that need an argument end in a blank."""
    lines = list(completions("", NAMES))
    assert [line.strip() for line in lines] == [form.words for form in COMMANDS]
    assert all(parse(line, NAMES) for line in lines if not line.endswith(" "))


def test_names_are_completed_after_the_words():
    """All names, or those that begin as typed, ignoring case."""
    for form in COMMANDS:
        if form.argument is ArgumentKind.PERSONA:
            assert list(completions(f"{form.words} ", NAMES)) == [f"{form.words} {name}" for name in NAMES]
            assert list(completions(f"{form.words.upper()} b", NAMES)) == [f"{form.words} Ben Reed"]


def test_unknown_commands_are_not_completed():
    """Nor for a name that does not exist."""
    assert not list(completions("dance", NAMES))
    assert not list(completions("print persona schedule Z", NAMES))
