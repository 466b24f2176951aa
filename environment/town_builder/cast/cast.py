"""The content of a people file: who the people are, what they know, and what only some of them know."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from town_builder.plan.shapes import Tile

Places = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Sector → arena → its objects."""


@dataclass(frozen=True)
class SourceText:
    """A text and its position in the file."""

    words: str
    where: str
    """`file:line`."""


@dataclass(frozen=True)
class CastMember:
    """One person at the start of a simulation."""

    name: str
    where: str
    age: int
    living_area: SourceText
    """`sector:arena`, without the world."""
    start: Tile
    innate: SourceText
    """Traits, separated by commas."""
    learned: SourceText
    currently: SourceText
    lifestyle: SourceText
    """Includes the hours at which this person goes to bed, wakes up and eats dinner."""
    daily_plan_req: SourceText | None
    """Requirement for every daily plan, if any."""
    knows: Places
    thoughts: tuple[SourceText, ...]
    """Statements for the history file, in the second person, except those about other people."""
    relations: tuple[tuple[str, SourceText], ...]
    """(name of another person, statement about them), in file order and in the second person."""
    recency_decay: float
    importance_trigger: int
    """Sum of importance that triggers a reflection."""

    @property
    def statements(self) -> tuple[SourceText, ...]:
        """All statements for the history file, one thought each."""
        return *self.thoughts, *(statement for _, statement in self.relations)

    @property
    def texts(self) -> Iterator[SourceText]:
        """Every text that this person knows at the start."""
        yield from (self.innate, self.learned, self.currently, self.lifestyle)
        if self.daily_plan_req:
            yield self.daily_plan_req
        yield from self.statements


@dataclass(frozen=True)
class CastSecret:
    """A fact that only its holders may know at the start."""

    name: str
    where: str
    holders: tuple[str, ...]
    signs: tuple[tuple[str, ...], ...]
    """Each sign is a set of word beginnings in lower case; a text that contains all of them reveals the secret."""


@dataclass(frozen=True)
class BaseSimulation:
    """A base simulation: some of the people, in the order of their turns."""

    name: str
    where: str
    people: tuple[CastMember, ...]
    history: str | None
    """Name of the file to be read with `call -- load history`."""

    def statements(self, person: CastMember, everyone: tuple[CastMember, ...]) -> tuple[str, ...]:
        """Return the history statements of a person, without those about people who are not in this base."""
        absent = {one.name for one in everyone} - {one.name for one in self.people}
        heard = (statement.words for statement in person.statements)
        return tuple(words for words in heard if not any(name in words for name in absent))


@dataclass(frozen=True)
class Cast:
    """The content of a people file."""

    file: str
    world: str
    maze_name: str
    width: int
    height: int
    """Width and height of the map, in tiles."""
    start: date
    people: tuple[CastMember, ...]
    places: tuple[tuple[str, str], ...]
    """(`sector`, `sector:arena` or `sector:arena:object`, `file:line`)."""
    bases: tuple[BaseSimulation, ...]
    secrets: tuple[CastSecret, ...]
