"""Kinds of arguments of commands at the prompt: how each is written in the help, read, and completed."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ville.errors import BadArgument
from ville.simulation.interventions.catalogue import kinds
from ville.simulation.interventions.kinds.rule import RULE_FIELDS
from ville.simulation.pacing.spans import read_span, read_speed
from ville.simulation.persona_names import find_persona
from ville.world.address import Tile

Names = Iterable[str]
"""Names of the personas of the simulation."""


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


def _meeting(text: str, names: Sequence[str]) -> Meeting:
    name, _, role = re.sub(r"\s+as\s+", "\n", f"{text} ", count=1, flags=re.IGNORECASE).partition("\n")
    return Meeting(find_persona(name.strip(), names), role.strip())


def _branch(text: str, _names: Sequence[str]) -> NewBranch:
    name, _, until = re.sub(r"\s+until\s+", "\n", text, count=1, flags=re.IGNORECASE).partition("\n")
    return NewBranch(name, until)


def _tile(text: str, _names: Sequence[str]) -> Tile:
    match = re.fullmatch(r"\(?\s*(\d+)\s*[, ]\s*(\d+)\s*\)?", text)
    if not match:
        raise BadArgument(f"'{text}' is not a tile. Give column and row, for example: print tile event 50, 30")
    return Tile(int(match[1]), int(match[2]))


def _text(text: str, _names: Sequence[str]) -> str:
    return text


@dataclass(frozen=True)
class Argument:
    """One kind of argument."""

    notation: str
    """In the help."""
    read: Callable[[str, Sequence[str]], object] = _text
    """Returns the value of a text, given the names of the personas. Raises CommandError."""
    offered: Callable[[Names], Names] = lambda _names: ()
    """Returns what it can begin with, given these names."""
    verbatim: bool = False
    """Whether several blanks inside mean more than one."""


PERSONA = Argument("NAME", find_persona, lambda names: names)
MEETING = Argument("NAME [as ROLE]", _meeting, lambda names: names)
SPAN = Argument("100 | 2 hours | until 08:00", lambda text, _names: read_span(text))
SPEED = Argument("60 | max", lambda text, _names: read_speed(text))
TILE = Argument("X, Y", _tile)
FILE = Argument("the_ville/FILE.csv")
INTERVENTION = Argument("KIND | {JSON}", offered=lambda _names: kinds(), verbatim=True)
BRANCH = Argument("NAME [until 20:00] [@18:00]", _branch)
RULE = Argument("freeze NAME | cut NAME, NAME | …", offered=lambda _names: (f"{rule} " for rule in RULE_FIELDS))
