"""Text to Command. Pure: knows the forms and who lives in town, changes nothing."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from difflib import get_close_matches

from ville.errors import BadArgument, CorruptFile, UnknownCommand, UnknownPersona
from ville.simulation.clock import Lasting, Span, Steps, UntilMoment, UntilTime
from ville.simulation.commands.forms import FORMS, Blank, Form, Verb
from ville.storage.dates import parse_time
from ville.world.address import Tile

Argument = None | str | Tile | Span


@dataclass(frozen=True)
class Command:
    """What was asked for, with everything that has to be known to do it."""

    verb: Verb
    argument: Argument = None


def parse(text: str, names: Sequence[str]) -> Command:
    """The command that a line means, where `names` live in town. Raises CommandError, which tells the mend."""
    words = text.split()
    if not words:
        return Command(Verb.NOTHING)
    form = _form(words)
    rest = " ".join(words[len(form.words.split()) :])
    if form.blank is Blank.NOTHING and rest:
        raise BadArgument(f"'{form.words}' stands alone: leave out '{rest}'.")
    if form.blank is not Blank.NOTHING and not rest:
        raise BadArgument(f"'{form.words}' needs something after it: write '{form.words} {form.blank.value}'.")
    return Command(form.verb, _READERS[form.blank](rest, names))


def _form(words: list[str]) -> Form:
    """The longest form that the words begin with, in capitals or not."""
    spoken = [word.lower() for word in words]
    for form in sorted(FORMS, key=lambda form: -len(form.words.split())):
        if spoken[: len(form.words.split())] == form.words.split():
            return form
    near = get_close_matches(" ".join(spoken), [form.words for form in FORMS], n=1)
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
        return Lasting(timedelta(seconds=int(match[1]) * _UNITS[match[2]]))
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


_READERS: dict[Blank, Callable[[str, Sequence[str]], Argument]] = {
    Blank.NOTHING: _nothing,
    Blank.PERSONA: find_persona,
    Blank.SPAN: _span,
    Blank.TILE: _tile,
    Blank.FILE: _file,
}
