"""Reads typed text by the table of commands: as a command, or as the beginning of one."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from ville.errors import BadArgument, UnknownCommand
from ville.prompt.commands import COMMANDS, Phrase

MOMENT = re.compile(r"\s*@(.*?)(?=\s+until\s|$)", re.IGNORECASE)
"""A moment after a command, or after a name in it. The end of a branch may follow it."""


@dataclass(frozen=True)
class TypedCommand:
    """A command with its argument."""

    command: Phrase
    argument: Any = None
    """Value that its kind of argument reads; None if it has none."""
    at: str | None = None
    """An earlier moment that it is about, as after `@` in the name of a simulation; None: now."""


def parse(text: str, names: Sequence[str]) -> TypedCommand:
    """Return the command in a line of text; `names` are the personas of the simulation. Raises CommandError."""
    command, at = _command(text.split()), None
    if command.does.past and (match := MOMENT.search(text)):
        text, at = text[: match.start()] + text[match.end() :], match[1].strip()
    count = len(command.words.split())
    rest = " ".join(text.split()[count:])
    if command.argument is None:
        if rest:
            raise BadArgument(f"'{command.words}' takes no argument. Leave out '{rest}'.")
        return TypedCommand(command, at=at)
    if not rest:
        raise BadArgument(f"'{command.words}' needs an argument: {command.usage}")
    if command.argument.verbatim:
        rest = text.split(maxsplit=count)[-1].strip()
    return TypedCommand(command, command.argument.read(rest, names), at)


def _command(words: list[str]) -> Phrase:
    """Return the longest command that the words begin with, ignoring case."""
    typed = [word.lower() for word in words]
    for command in sorted(COMMANDS, key=lambda command: -len(command.words.split())):
        if typed[: len(command.words.split())] == command.words.split():
            return command
    near = get_close_matches(" ".join(typed), [command.words for command in COMMANDS], n=1)
    hint = f"Did you mean '{near[0]}'?" if near else "Type 'help' for a list."
    raise UnknownCommand(f"'{' '.join(words)}' is not a command. {hint}")


def completions(typed: str, names: Iterable[str]) -> Iterator[str]:
    """Yield whole lines that begin with what was typed, ignoring case; lines that need an argument end in a blank."""
    begun = typed.lower()
    for command in COMMANDS:
        line = f"{command.words} " if command.argument else command.words
        if command.argument and begun.startswith(line):
            rest = begun.removeprefix(line)
            yield from (line + each for each in command.argument.offered(names) if each.lower().startswith(rest))
        elif line.startswith(begun):
            yield line
