"""What the prompt completes."""

from ville.simulation.commands.completion import completions
from ville.simulation.commands.parse import parse
from ville.simulation.commands.syntax import COMMANDS, ArgumentKind

NAMES = ["Ada Stone", "Ben Reed"]


def test_every_form_is_offered_and_can_be_given():
    """From an empty line; what needs something more ends in a blank, what does not is a command."""
    lines = list(completions("", NAMES))
    assert [line.strip() for line in lines] == [form.words for form in COMMANDS]
    assert all(parse(line, NAMES) for line in lines if not line.endswith(" "))


def test_who_is_meant_is_offered_after_the_words():
    """Everybody, then those whose name begins as it was typed, capitals or not."""
    for form in COMMANDS:
        if form.argument is ArgumentKind.PERSONA:
            assert list(completions(f"{form.words} ", NAMES)) == [f"{form.words} {name}" for name in NAMES]
            assert list(completions(f"{form.words.upper()} b", NAMES)) == [f"{form.words} Ben Reed"]


def test_nothing_is_offered_for_what_is_no_command():
    """Nor for a person who is not there."""
    assert not list(completions("dance", NAMES))
    assert not list(completions("print persona schedule Z", NAMES))
