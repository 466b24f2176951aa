"""What a mind is given to think on, and what it gives back; frozen, for nobody touches anybody else while thinking."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ville.world.address import Tile
from ville.world.event import Event
from ville.world.maze import Maze
from ville.world.path_finder import PathFinder


@dataclass(frozen=True)
class PersonaView:
    """What everybody can see of a persona at this moment."""

    name: str
    tile: Tile
    event: Event
    address: str | None
    """Where it acts, as in `act_address`; None before its first action."""
    doing: str | None
    """Description of its action."""
    asleep: bool
    until: datetime | None
    """When its action ends."""
    chatting_with: str | None
    walking: bool
    """Whether it still has tiles to walk."""


@dataclass(frozen=True)
class TownView:
    """The town as it is after everybody has arrived, the same for all who think in this step."""

    maze: Maze
    """Only to be read."""
    paths: PathFinder
    step: int
    now: datetime
    seconds_per_step: int
    people: Mapping[str, PersonaView]
    """Everybody, in the order in which the simulation names them."""


@dataclass(frozen=True)
class Talk:
    """Go up to somebody and start a conversation."""

    to: str


@dataclass(frozen=True)
class WaitUntil:
    """Let somebody finish first."""

    time: datetime


@dataclass(frozen=True)
class CarryOn:
    """Do as before."""


Reaction = Talk | WaitUntil | CarryOn


@dataclass(frozen=True)
class Intent:
    """What a persona means to do in this step; nothing of it has happened yet."""

    name: str
    next_tile: Tile
    emoji: str
    description: str
    """`<what> @ <address>`, as it is shown."""
    reaction: Reaction = CarryOn()
    asleep: bool = False
    """Whether the persona is asleep in this step."""
