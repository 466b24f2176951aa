"""Text to Command. Pure: knows the forms and who lives in town, changes nothing."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from difflib import get_close_matches

from ville.errors import BadArgument, CorruptFile, UnknownCommand, UnknownPersona
from ville.simulation.clock import Duration, Span, Steps, UntilMoment, UntilTime
from ville.simulation.commands.syntax import COMMANDS, ArgumentKind, CommandSyntax, Verb
from ville.storage.dates import parse_time
from ville.world.address import Tile

Argument = None | str | Tile | Span


@dataclass(frozen=True)
class PromptCommand:
    """What was asked for, with everything that has to be known to do it."""

    verb: Verb
    argument: Argument = None


def parse(text: str, names: Sequence[str]) -> PromptCommand:
    """The command that a line means, where `names` live in town. Raises CommandError, which tells the mend."""
    words = text.split()
    if not words:
        return PromptCommand(Verb.NOTHING)
    syntax = _syntax(words)
    rest = " ".join(words[len(syntax.words.split()) :])
    if syntax.argument is ArgumentKind.NOTHING and rest:
        raise BadArgument(f"'{syntax.words}' stands alone: leave out '{rest}'.")
    if syntax.argument is not ArgumentKind.NOTHING and not rest:
        raise BadArgument(f"'{syntax.words}' needs something after it: write '{syntax.words} {syntax.argument.value}'.")
    return PromptCommand(syntax.verb, _READERS[syntax.argument](rest, names))


def _syntax(words: list[str]) -> CommandSyntax:
    """The longest form that the words begin with, in capitals or not."""
    spoken = [word.lower() for word in words]
    for syntax in sorted(COMMANDS, key=lambda syntax: -len(syntax.words.split())):
        if spoken[: len(syntax.words.split())] == syntax.words.split():
            return syntax
    near = get_close_matches(" ".join(spoken), [syntax.words for syntax in COMMANDS], n=1)
    hint = f"did you mean '{near[0]}'?" if near else "'help' lists all there are."
    raise UnknownCommand(f"There is no command '{' '.join(words)}': {hint}")


def find_persona(text: str, names: Sequence[str]) -> str:
    """The one who is meant by a whole name, or by a part that only one name has. Raises UnknownPersona."""
    lowered = text.lower()
    exact = [name for name in names if name.lower() == lowered]
    part = [name for name in names if f" {lowered} " in f" {name.lower()} "]
    found = [text] if text in names else exact or part
    if len(found) != 1:
        fault = f"'{text}' may be {' or '.join(found)}" if found else f"Nobody here is called '{text}'"
        raise UnknownPersona(f"{fault}: choose one of {', '.join(found or names)}.")
    return found[0]


def _nothing(_text: str, _names: Sequence[str]) -> None:
    return None


def _file(text: str, _names: Sequence[str]) -> str:
    return text


def _tile(text: str, _names: Sequence[str]) -> Tile:
    match = re.fullmatch(r"\(?\s*(\d+)\s*[, ]\s*(\d+)\s*\)?", text)
    if not match:
        raise BadArgument(f"'{text}' is no tile: write its column and row, as in 'print tile event 50, 30'.")
    return Tile(int(match[1]), int(match[2]))


_UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}


def read_span(text: str) -> Span:
    """How far to run: `100`, `100 steps`, `steps 100`, `2 hours`, `until 08:00`, `until February 14, 2023, 18:00:00`.

    Raises BadArgument.
    """
    if text.lower().startswith("until "):
        return _until(text.split(maxsplit=1)[1])
    match = re.fullmatch(r"(?:steps?\s+(?=\d+$))?(\d{1,9})(?:\s*([a-z]+?)s?)?", text.lower())
    if match and match[2] in {None, "step"}:
        return Steps(int(match[1]))
    if match and match[2] in _UNITS:
        return Duration(timedelta(seconds=int(match[1]) * _UNITS[match[2]]))
    raise BadArgument(f"'{text}' is no length of time: write it as 100 (steps), 2 hours or until 08:00.")


def _until(text: str) -> Span:
    match = re.fullmatch(r"(\d\d?):(\d\d)(?::(\d\d))?", text)
    try:
        if match:
            hour, minute, second = map(int, match.groups("0"))
            return UntilTime(time(hour, minute, second))
        return UntilMoment(parse_time(text))
    except (ValueError, CorruptFile):
        raise BadArgument(f"'{text}' is no time: write it as 08:00 or as February 14, 2023, 18:00:00.") from None


def read_moment(text: str) -> datetime:
    """`February 14, 2023, 18:00:00`. Raises BadArgument."""
    try:
        return parse_time(text)
    except CorruptFile as fault:
        raise BadArgument(str(fault)) from None


def _span(text: str, _names: Sequence[str]) -> Span:
    return read_span(text)


_READERS: dict[ArgumentKind, Callable[[str, Sequence[str]], Argument]] = {
    ArgumentKind.NOTHING: _nothing,
    ArgumentKind.PERSONA: find_persona,
    ArgumentKind.SPAN: _span,
    ArgumentKind.TILE: _tile,
    ArgumentKind.FILE: _file,
}
