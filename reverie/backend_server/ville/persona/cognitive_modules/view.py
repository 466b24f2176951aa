"""Input and output of a step of one mind. All frozen: personas think in parallel and share no mutable state."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TypeVar

from ville.persona.memory_structures.common_sense import CommonSense
from ville.persona.memory_structures.person_names import Names, names_of
from ville.storage.steps.step_files import MoveRecord
from ville.world.address import Tile
from ville.world.maze import Maze
from ville.world.occurrences import Occurrences
from ville.world.path_finder import PathFinder
from ville.world.rules import TownRules, pair_of
from ville.world.tile_event import Event

KeyT = TypeVar("KeyT")
VISITING = "visiting the town"


@dataclass(frozen=True)
class VisiblePersona:
    """Public state of a persona or a visitor: the part that others can see."""

    name: str
    tile: Tile
    event: Event
    address: str | None
    """Address of its action, as in `act_address`; None before its first action."""
    doing: str | None
    """Description of its action."""
    asleep: bool
    until: datetime | None
    """When its action ends."""
    chatting_with: str | None
    walking: bool
    """Whether it still has tiles to walk."""
    using: Event | None = None
    """Event of the object that it uses, once it has arrived; shown on its own tile."""


class Everyone(Mapping[str, VisiblePersona]):
    """Everyone in the town by name, in the order of `persona_names`, then the visitors, as they are in one step.

    Where everybody is at a step of their own, what is not certain yet is waited for: methods raise NotYetCertain, and
    are called in `certain`.
    """

    @abstractmethod
    def on(self, tile: Tile) -> Sequence[VisiblePersona]:
        """Return those who stand on a tile, in order."""

    @abstractmethod
    def who_use(self, address: str) -> Sequence[VisiblePersona]:
        """Return those whose action is at an address, such as that of an object, in order; they may be on the way."""

    @abstractmethod
    def uses(self, address: str) -> bool:
        """Return whether there is anybody whose action is at an address."""


class People(dict[str, VisiblePersona], Everyone):
    """Everyone in a step that all have reached. Never changed."""

    @cached_property
    def _by_tile(self) -> Mapping[Tile, Sequence[VisiblePersona]]:
        return _grouped((each.tile, each) for each in self.values())

    @cached_property
    def _by_address(self) -> Mapping[str | None, Sequence[VisiblePersona]]:
        return _grouped((each.address, each) for each in self.values())

    def on(self, tile: Tile) -> Sequence[VisiblePersona]:
        return self._by_tile.get(tile, ())

    def who_use(self, address: str) -> Sequence[VisiblePersona]:
        return self._by_address.get(address, ())

    def uses(self, address: str) -> bool:
        return address in self._by_address


def _grouped(pairs: Iterable[tuple[KeyT, VisiblePersona]]) -> Mapping[KeyT, Sequence[VisiblePersona]]:
    groups: dict[KeyT, list[VisiblePersona]] = {}
    for key, each in pairs:
        groups.setdefault(key, []).append(each)
    return groups


@dataclass(frozen=True)
class TownView:
    """The town after all personas have arrived; the same for all in a step."""

    maze: Maze
    """Read-only."""
    paths: PathFinder
    step: int
    now: datetime
    seconds_per_step: int
    people: Everyone
    occurrences: Occurrences = Occurrences()  # noqa: RUF009 - it is frozen
    """Lasting states of objects, and events at places."""
    visitors: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of the visitors who are or were in the town, by name."""
    rules: TownRules = TownRules()  # noqa: RUF009 - it is frozen
    """Rules of a counterfactual."""
    common_sense: CommonSense = field(default_factory=dict)
    """Where activities are usually done, as far as it was learned before this step."""

    def may_talk(self, one: str, other: str) -> bool:
        """Return whether no rule keeps two people from talking with each other here and now."""
        if not self.rules:
            return True
        pinned = any(self.rules.pin_of(name, self.step) for name in (one, other))
        places = [self.maze.place(self.people[name].tile) for name in (one, other) if name in self.people]
        silent = any(self.rules.is_silent(place.path("arena")) for place in places)
        return not (pinned or silent or pair_of(one, other) in self.rules.cut)

    @cached_property
    def names(self) -> Names:
        """All who can be spoken of: everyone in the town, and visitors who have left."""
        return names_of(*self.people, *(name for name in self.visitors if name not in self.people))

    @cached_property
    def _by_arena(self) -> Mapping[str, Sequence[VisiblePersona]]:
        return _grouped((self.maze.tile_path(each.tile, "arena"), each) for each in self.people.values())

    def in_arena_of(self, tile: Tile) -> Sequence[VisiblePersona]:
        """Return those who are in the arena of a tile, in order."""
        return self._by_arena.get(self.maze.tile_path(tile, "arena"), ())

    def visitor_text(self, name: str) -> str:
        """Return a sentence about a visitor; empty for residents."""
        return f"{name} is {VISITING}: {self.visitors[name]}." if name in self.visitors else ""


@dataclass(frozen=True)
class Talk:
    """Reaction: start a conversation."""

    to: str


@dataclass(frozen=True)
class WaitUntil:
    """Reaction: wait until a time."""

    time: datetime


@dataclass(frozen=True)
class ChangeActivity:
    """Reaction: do something else now."""

    activity: str


@dataclass(frozen=True)
class CarryOn:
    """Reaction: continue as before."""


Reaction = Talk | WaitUntil | ChangeActivity | CarryOn


@dataclass(frozen=True)
class Intent:
    """Decision of a persona for a step."""

    name: str
    next_tile: Tile
    emoji: str
    description: str
    """`<action> @ <address>`, as displayed."""
    reaction: Reaction = CarryOn()
    asleep: bool = False
    """Whether the action is sleep."""

    @cached_property
    def move(self) -> MoveRecord:
        """Its display in this step, without a conversation."""
        return MoveRecord(self.next_tile, self.emoji, self.description, None)
