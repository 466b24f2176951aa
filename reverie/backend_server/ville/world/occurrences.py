"""Happenings in the town besides the actions of personas: states of objects, and events at places."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Self, TypeVar

from ville.errors import CorruptFile
from ville.json_types import Json
from ville.world.tile_event import Event

IS_NOW, IS_SCENE_OF = "is now", "is the scene of"
"""Predicates of the events that follow from occurrences; other events have other ones."""
EventKey = tuple[str, str | None, str | None]
"""Subject, predicate and object of an event."""


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """Something that lasts, at an address."""

    where: str
    """Address of an object, an arena, a sector or the world."""
    words: str
    since: int
    """First step in which it can be perceived."""
    until: int | None = None
    """Step at which it ends; None if it lasts until it is ended."""

    @property
    def event(self) -> Event:
        raise NotImplementedError

    @property
    def text(self) -> str:
        """Return the text to perceive."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class LastingState(Occurrence):
    """A state of an object, such as `burning`, which lasts until it is ended."""

    @property
    def name(self) -> str:
        """Name of the object."""
        return self.where.rpartition(":")[2]

    @property
    def text(self) -> str:
        return f"{self.name} is {self.words}"

    @property
    def event(self) -> Event:
        return Event(self.where, IS_NOW, self.words, self.words)


@dataclass(frozen=True)
class EndedState:
    """The state of an object that has ended."""

    state: LastingState
    step: int
    by: tuple[str, ...]
    """The personas who have put the object right; empty if the state ended by itself."""

    def as_json(self) -> dict[str, Json]:
        """Return a row of ended.jsonl."""
        state = self.state
        return {
            "step": self.step,
            "where": state.where,
            "words": state.words,
            "since": state.since,
            "by": [*self.by],
        }


@dataclass(frozen=True, kw_only=True)
class PlaceEvent(Occurrence):
    """An event in an arena, in all arenas of a sector, or everywhere, in words such as `the fire alarm rings`."""

    @property
    def text(self) -> str:
        return self.words

    @property
    def event(self) -> Event:
        return Event(self.where, IS_SCENE_OF, self.words, self.words)


OccurrenceT = TypeVar("OccurrenceT", bound=Occurrence)


@dataclass(frozen=True)
class Occurrences:
    """Everything that happens now. Methods that change it return a new value."""

    objects: tuple[LastingState, ...] = ()
    """At most one state of each object."""
    events: tuple[PlaceEvent, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.objects or self.events)

    @cached_property
    def _by_key(self) -> Mapping[EventKey, Occurrence]:
        return {each.event[:3]: each for each in (*self.objects, *self.events)}

    def behind(self, key: EventKey) -> Occurrence | None:
        """Return what an event, or the memory of one, shows, if it still lasts."""
        return self._by_key.get(key)

    def state_of(self, address: str) -> LastingState | None:
        return next((state for state in self.objects if state.where == address), None)

    def with_object(self, state: LastingState) -> Self:
        """Replace the state of an object."""
        return replace(self, objects=(*self.without_objects([state.where]).objects, state))

    def without_objects(self, addresses: Collection[str]) -> Self:
        """End the states of objects."""
        return replace(self, objects=_kept(self.objects, lambda each: each.where not in addresses))

    def with_event(self, event: PlaceEvent) -> Self:
        """Add an event; it replaces one with the same words at the same place."""
        rest = _kept(self.events, lambda each: (each.where, each.words) != (event.where, event.words))
        return replace(self, events=(*rest, event))

    def at_step(self, step: int) -> Self:
        """Leave out what ends at a step or has ended before."""

        def lasts(each: Occurrence) -> bool:
            return each.until is None or each.until > step

        return replace(self, objects=_kept(self.objects, lasts), events=_kept(self.events, lasts))

    def as_json(self) -> dict[str, Json]:
        """Return what is saved; nothing of what is empty."""
        kinds = {"objects": self.objects, "events": self.events}
        return {name: [asdict(each) for each in kind] for name, kind in kinds.items() if kind}

    @classmethod
    def read(cls, values: Mapping[str, object]) -> Self:
        """Return what was saved. Raise CorruptFile."""
        return cls(
            tuple(_read(LastingState, row) for row in _rows(values, "objects")),
            tuple(_read(PlaceEvent, row) for row in _rows(values, "events")),
        )


def _kept(found: Iterable[OccurrenceT], condition: Callable[[OccurrenceT], bool]) -> tuple[OccurrenceT, ...]:
    return tuple(each for each in found if condition(each))


def _rows(values: Mapping[str, object], name: str) -> list[object]:
    rows = values.get(name, [])
    if not isinstance(rows, list):
        raise CorruptFile(f"{name} is {rows!r:.60}, but should be a list. Correct it or restore the file.")
    return rows


def _read(kind: type[OccurrenceT], row: object) -> OccurrenceT:
    names = [field.name for field in fields(kind)]
    if not isinstance(row, dict) or not set(names[:3]) <= set(row) <= set(names):
        raise CorruptFile(f"{row!r:.80} does not have the keys {', '.join(names)}. Correct it or restore the file.")
    numbers = [row["since"], row.get("until")]
    whole = all(type(number) is int or number is None for number in numbers) and numbers[0] is not None
    if not (isinstance(row["where"], str) and isinstance(row["words"], str) and whole):
        raise CorruptFile(f"{row!r:.80} has a value of a wrong type. Correct it or restore the file.")
    return kind(**row)
