"""Parses typed text into commands."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from ville.errors import BadArgument, UnknownCommand
from ville.prompt.syntax import COMMANDS, ArgumentKind, CommandSyntax, Verb
from ville.simulation.clock import Span
from ville.simulation.persona_names import find_persona
from ville.simulation.run_control import Speed
from ville.simulation.spans import read_span, read_speed
from ville.world.address import Tile


@dataclass(frozen=True)
class Meeting:
    """A persona, and whom the user speaks as; empty if the command does not say."""

    name: str
    role: str = ""


@dataclass(frozen=True)
class NewBranch:
    """A simulation to begin, and until when it runs in the background; empty if it does not."""

    name: str
    until: str = ""


Argument = None | NewBranch | str | Tile | Span | Speed | Meeting
MOMENT = re.compile(r"\s*@(.*?)(?=\s+until\s|$)", re.IGNORECASE)
"""A moment after a command, or after a name in it. The end of a branch may follow it."""


@dataclass(frozen=True)
class PromptCommand:
    """A command with its parsed argument."""

    verb: Verb
    argument: Argument = None
    at: str | None = None
    """An earlier moment that it is about, as after `@` in the name of a simulation; None: now."""


def parse(text: str, names: Sequence[str]) -> PromptCommand:
    """Return the command in a line of text; `names` are the personas of the simulation. Raises CommandError."""
    if not text.split():
        return PromptCommand(Verb.NOTHING)
    command, at = _syntax(text.split()), None
    if command.shows_past and (match := MOMENT.search(text)):
        text, at = text[: match.start()] + text[match.end() :], match[1].strip()
    words = text.split()
    rest = " ".join(words[len(command.words.split()) :])
    if command.argument is ArgumentKind.NOTHING and rest:
        raise BadArgument(f"'{command.words}' takes no argument. Leave out '{rest}'.")
    if command.argument is not ArgumentKind.NOTHING and not rest:
        raise BadArgument(f"'{command.words}' needs an argument: {command.words} {command.argument.value}")
    if command.argument is ArgumentKind.INTERVENTION:  # blanks inside matter
        rest = text.split(maxsplit=len(command.words.split()))[-1].strip()
    return PromptCommand(command.verb, _READERS[command.argument](rest, names), at)


def _syntax(words: list[str]) -> CommandSyntax:
    """Return the longest command that the words begin with, ignoring case."""
    typed = [word.lower() for word in words]
    for command in sorted(COMMANDS, key=lambda command: -len(command.words.split())):
        if typed[: len(command.words.split())] == command.words.split():
            return command
    near = get_close_matches(" ".join(typed), [command.words for command in COMMANDS], n=1)
    hint = f"Did you mean '{near[0]}'?" if near else "Type 'help' for a list."
    raise UnknownCommand(f"'{' '.join(words)}' is not a command. {hint}")


def _nothing(_text: str, _names: Sequence[str]) -> None:
    return None


def _meeting(text: str, names: Sequence[str]) -> Meeting:
    name, _, role = re.sub(r"\s+as\s+", "\n", f"{text} ", count=1, flags=re.IGNORECASE).partition("\n")
    return Meeting(find_persona(name.strip(), names), role.strip())


def _branch(text: str, _names: Sequence[str]) -> NewBranch:
    name, _, until = re.sub(r"\s+until\s+", "\n", text, count=1, flags=re.IGNORECASE).partition("\n")
    return NewBranch(name, until)


def _text(text: str, _names: Sequence[str]) -> str:
    return text


def _tile(text: str, _names: Sequence[str]) -> Tile:
    match = re.fullmatch(r"\(?\s*(\d+)\s*[, ]\s*(\d+)\s*\)?", text)
    if not match:
        raise BadArgument(f"'{text}' is not a tile. Give column and row, for example: print tile event 50, 30")
    return Tile(int(match[1]), int(match[2]))


def _span(text: str, _names: Sequence[str]) -> Span:
    return read_span(text)


def _speed(text: str, _names: Sequence[str]) -> Speed:
    return read_speed(text)


_READERS: dict[ArgumentKind, Callable[[str, Sequence[str]], Argument]] = {
    ArgumentKind.NOTHING: _nothing,
    ArgumentKind.PERSONA: find_persona,
    ArgumentKind.MEETING: _meeting,
    ArgumentKind.SPAN: _span,
    ArgumentKind.SPEED: _speed,
    ArgumentKind.TILE: _tile,
    ArgumentKind.FILE: _text,
    ArgumentKind.INTERVENTION: _text,
    ArgumentKind.BRANCH: _branch,
    ArgumentKind.RULE: _text,
}
