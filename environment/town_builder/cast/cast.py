"""The people of a town as their file describes them: who they are, what they know, and what only some of them know."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from town_builder.plan.shapes import Tile

Places = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Sector → arena → the objects there."""


@dataclass(frozen=True)
class SourceText:
    """Some words and the line they stand on."""

    words: str
    where: str
    """`file:line`."""


@dataclass(frozen=True)
class CastMember:
    """One person at the moment a simulation begins."""

    name: str
    where: str
    age: int
    living_area: SourceText
    """`sector:arena`, without the world."""
    start: Tile
    innate: SourceText
    """Traits, with commas between them."""
    learned: SourceText
    currently: SourceText
    lifestyle: SourceText
    """Says among other things when this person goes to bed, wakes up and eats dinner."""
    daily_plan_req: SourceText | None
    """What every day must contain, for those who have such a duty."""
    knows: Places
    thoughts: tuple[SourceText, ...]
    """What the history file tells this person, but for other people. In the second person."""
    relations: tuple[tuple[str, SourceText], ...]
    """(name of somebody else, a statement about them), in the order of the file. In the second person."""
    recency_decay: float
    importance_trigger: int
    """How much importance piles up before this person reflects."""

    @property
    def statements(self) -> tuple[SourceText, ...]:
        """What the history file tells this person, one thought each."""
        return *self.thoughts, *(statement for _, statement in self.relations)

    @property
    def texts(self) -> Iterator[SourceText]:
        """Every sentence that is in this person's head at the start."""
        yield from (self.innate, self.learned, self.currently, self.lifestyle)
        if self.daily_plan_req:
            yield self.daily_plan_req
        yield from self.statements


@dataclass(frozen=True)
class CastSecret:
    """Something that nobody but its holders may know at the start."""

    name: str
    where: str
    holders: tuple[str, ...]
    signs: tuple[tuple[str, ...], ...]
    """Each is beginnings of words, in small letters; a text with all of them tells the secret."""


@dataclass(frozen=True)
class BaseSimulation:
    """A base simulation: some of the people, in the order of their turns."""

    name: str
    where: str
    people: tuple[CastMember, ...]
    history: str | None
    """File name of what `call -- load history` reads into them."""

    def statements(self, person: CastMember, everyone: tuple[CastMember, ...]) -> tuple[str, ...]:
        """What the history tells this person in this base: nothing about those who are not here."""
        absent = {one.name for one in everyone} - {one.name for one in self.people}
        heard = (statement.words for statement in person.statements)
        return tuple(words for words in heard if not any(name in words for name in absent))


@dataclass(frozen=True)
class Cast:
    """A people file."""

    file: str
    world: str
    maze_name: str
    width: int
    height: int
    """Of the map, in tiles."""
    start: date
    people: tuple[CastMember, ...]
    places: tuple[tuple[str, str], ...]
    """(`sector`, `sector:arena` or `sector:arena:object`, where it is written down)."""
    bases: tuple[BaseSimulation, ...]
    secrets: tuple[CastSecret, ...]
