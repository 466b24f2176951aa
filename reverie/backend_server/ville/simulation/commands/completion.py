"""What can be typed at the prompt, written out: first the words of a command, then whom it is about."""

from collections.abc import Iterable, Iterator

from ville.simulation.commands.forms import FORMS, Blank


def completions(typed: str, names: Iterable[str]) -> Iterator[str]:
    """Whole lines that begin as what was typed, capitals apart; those that want something more end in a blank."""
    begun = typed.lower()
    for form in FORMS:
        line = form.words if form.blank is Blank.NOTHING else f"{form.words} "
        if form.blank is Blank.PERSONA and begun.startswith(line):
            yield from (line + name for name in names if name.lower().startswith(begun.removeprefix(line)))
        elif line.startswith(begun):
            yield line
