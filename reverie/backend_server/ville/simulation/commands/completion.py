"""What can be typed at the prompt, written out: first the words of a command, then whom it is about."""

from collections.abc import Iterable, Iterator

from ville.simulation.commands.syntax import COMMANDS, ArgumentKind


def completions(typed: str, names: Iterable[str]) -> Iterator[str]:
    """Whole lines that begin as what was typed, capitals apart; those that want something more end in a blank."""
    begun = typed.lower()
    for syntax in COMMANDS:
        line = syntax.words if syntax.argument is ArgumentKind.NOTHING else f"{syntax.words} "
        if syntax.argument is ArgumentKind.PERSONA and begun.startswith(line):
            yield from (line + name for name in names if name.lower().startswith(begun.removeprefix(line)))
        elif line.startswith(begun):
            yield line
