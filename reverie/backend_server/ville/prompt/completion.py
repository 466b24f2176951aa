"""Completion at the prompt: first the words of a command, then the name of a persona."""

from collections.abc import Iterable, Iterator

from ville.prompt.syntax import COMMANDS, ArgumentKind
from ville.simulation.interventions.catalogue import kinds
from ville.simulation.interventions.kinds.rule import RULE_FIELDS

NAMING = (ArgumentKind.PERSONA, ArgumentKind.MEETING)


def completions(typed: str, names: Iterable[str]) -> Iterator[str]:
    """Yield whole lines that begin with what was typed, ignoring case; lines that need an argument end in a blank."""
    begun = typed.lower()
    for command in COMMANDS:
        line = command.words if command.argument is ArgumentKind.NOTHING else f"{command.words} "
        if command.argument in NAMING and begun.startswith(line):
            yield from (line + name for name in names if name.lower().startswith(begun.removeprefix(line)))
        elif command.argument is ArgumentKind.INTERVENTION and begun.startswith(line):
            yield from (line + kind for kind in kinds() if kind.startswith(begun.removeprefix(line)))
        elif command.argument is ArgumentKind.RULE and begun.startswith(line):
            yield from (f"{line}{rule} " for rule in RULE_FIELDS if rule.startswith(begun.removeprefix(line)))
        elif line.startswith(begun):
            yield line
