"""Parses typed text into commands."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import time, timedelta
from difflib import get_close_matches

from ville.errors import BadArgument, CorruptFile, UnknownCommand, UnknownPersona
from ville.simulation.clock import Clock, Duration, Span, Steps, UntilMoment, UntilStep, UntilTime
from ville.simulation.commands.syntax import COMMANDS, ArgumentKind, CommandSyntax, Verb
from ville.simulation.run_control import FASTEST, SLOWEST, Speed
from ville.storage.dates import parse_time, time_text
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
MORNING = UntilTime(time(6))
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


def find_persona(text: str, names: Sequence[str]) -> str:
    """Return the name of the persona meant by a full name, or by part of a name if only one fits. Raises
    UnknownPersona.
    """
    lowered = text.lower()
    exact = [name for name in names if name.lower() == lowered]
    part = [name for name in names if f" {lowered} " in f" {name.lower()} "]
    found = [text] if text in names else exact or part
    if len(found) != 1:
        problem = f"'{text}' is ambiguous" if found else f"No persona is called '{text}'"
        raise UnknownPersona(f"{problem}. Choose one of: {', '.join(found or names)}")
    return found[0]


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


_UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}


def read_span(text: str) -> Span:
    """Return the length of a run: `100`, `100 steps`, `steps 100`, `2 hours`, `until 08:00`, `until morning`,
    `until step 2500`, `until February 14, 2023, 18:00:00`.

    Raises BadArgument.
    """
    if text.lower().startswith("until "):
        return _until(text.split(maxsplit=1)[1])
    match = re.fullmatch(r"(?:steps?\s+(?=\d+$))?(\d{1,9})(?:\s*([a-z]+?)s?)?", text.lower())
    if match and match[2] in {None, "step"}:
        return Steps(int(match[1]))
    if match and match[2] in _UNITS:
        return Duration(timedelta(seconds=int(match[1]) * _UNITS[match[2]]))
    raise BadArgument(f"'{text}' is not a length of time. Examples: 100 (steps), 2 hours, until 08:00")


def steps_ahead(clock: Clock, span: Span) -> int:
    """Return the number of steps of a run. Raises BadArgument if its end is in the past."""
    match span:
        case UntilMoment(moment) if moment <= clock.now:
            raise BadArgument(f"{time_text(moment)} is in the past: game time is {time_text(clock.now)}.")
        case UntilStep(step) if step <= clock.step:
            raise BadArgument(f"Step {step:,} is in the past: the next step is {clock.step:,}.")
    return clock.steps_in(span)


def _until(text: str) -> Span:
    if step := re.fullmatch(r"step\s+(\d{1,9})", text.lower()):
        return UntilStep(int(step[1]))
    if text.lower() == "morning":
        return MORNING
    match = re.fullmatch(r"(\d\d?):(\d\d)(?::(\d\d))?", text)
    try:
        if match:
            hour, minute, second = map(int, match.groups("0"))
            return UntilTime(time(hour, minute, second))
        return UntilMoment(parse_time(text))
    except (ValueError, CorruptFile):
        raise BadArgument(f"'{text}' is not a time. Examples: 08:00, or February 14, 2023, 18:00:00") from None


def _span(text: str, _names: Sequence[str]) -> Span:
    return read_span(text)


def read_speed(text: str) -> Speed:
    """Return a speed: `60` (game seconds per second), or `max`. Raises BadArgument."""
    if text.lower() == "max":
        return Speed()
    with suppress(ValueError):
        if SLOWEST <= (factor := float(text)) <= FASTEST:
            return Speed(factor)
    raise BadArgument(
        f"'{text}' is not a speed. Give game seconds per second, from {SLOWEST:g} to {FASTEST:,.0f}, such as 60; or max"
    )


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
