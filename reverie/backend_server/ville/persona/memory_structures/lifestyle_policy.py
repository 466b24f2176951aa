"""The lifestyle policy of a persona: answers that are used again in like situations, so that no model is asked.

From AGA (contract §8.2). An entry is used again a few times in a row, then the model is asked anew, so that days
differ. Texts are compared by the vectors in embeddings.json,
which are all of one embedder.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from ville.errors import CorruptFile
from ville.json_types import Json, JsonObject
from ville.persona.memory_structures.action import ActionPlace

AnswerT = TypeVar("AnswerT")


class PlannedStep(NamedTuple):
    """A subtask of an activity, with its place as far as that is known."""

    what: str
    minutes: int
    place: ActionPlace


@dataclass
class Entry(Generic[AnswerT]):
    """An answer that can be used again."""

    answer: AnswerT
    uses: int = 0
    """How often in a row it has been used again."""


class Entries(Generic[AnswerT]):
    """The entries of one kind by the text of their situation."""

    def __init__(self, entries: Mapping[str, Entry[AnswerT]] | None = None) -> None:
        self._entries = dict(entries or {})

    def __bool__(self) -> bool:
        return bool(self._entries)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __getitem__(self, text: str) -> Entry[AnswerT]:
        return self._entries[text]

    def again(self, text: str, repeats: int) -> AnswerT | None:
        """Return the answer of an entry that may be used again, if there is one."""
        entry = self._entries.get(text)
        return entry.answer if entry and entry.uses < repeats else None

    def count_use(self, text: str) -> None:
        self._entries[text].uses += 1

    def note(self, text: str, answer: AnswerT) -> None:
        """Add an entry, or replace its answer."""
        self._entries[text] = Entry(answer)

    def as_json(self, written: Callable[[AnswerT], Json]) -> JsonObject:
        return {text: {"answer": written(each.answer), "uses": each.uses} for text, each in self._entries.items()}

    @classmethod
    def read(cls, values: Mapping[str, Any], answer: Callable[[Any], AnswerT]) -> "Entries[AnswerT]":
        return cls({text: Entry(answer(each["answer"]), int(each["uses"])) for text, each in values.items()})


@dataclass
class LifestylePolicy:
    """Answers that one persona uses again."""

    subtasks: Entries[tuple[PlannedStep, ...]] = field(default_factory=Entries)
    """Of long activities, by activity."""
    places: Entries[ActionPlace] = field(default_factory=Entries)
    """Place and display of actions that are not subtasks, by action."""
    ratings: Entries[int] = field(default_factory=Entries)
    """Importance of what happens, by activity or state. Compared as texts: vectors of all that is seen would take more
    room than is saved."""
    encounters: Entries[int] = field(default_factory=Entries)
    """Encounters in which the persona carried on, by situation: number of its last memory at that time."""

    def as_json(self) -> JsonObject:
        """Return what is saved; nothing of what is empty."""
        kinds = {
            "subtasks": self.subtasks.as_json(_written_steps),
            "places": self.places.as_json(astuple),
            "ratings": self.ratings.as_json(int),
            "encounters": self.encounters.as_json(int),
        }
        return {kind: entries for kind, entries in kinds.items() if entries}

    @classmethod
    def read(cls, owner: str, values: Mapping[str, Any]) -> "LifestylePolicy":
        """Return what was saved. Raise CorruptFile, naming the persona."""
        try:
            return cls(
                subtasks=Entries.read(values.get("subtasks", {}), _steps),
                places=Entries.read(values.get("places", {}), _place),
                ratings=Entries.read(values.get("ratings", {}), int),
                encounters=Entries.read(values.get("encounters", {}), int),
            )
        except (TypeError, ValueError, KeyError, AttributeError) as fault:
            raise CorruptFile(f"{owner}: lifestyle_policy.json is invalid ({fault}). Restore or remove it.") from None


def _written_steps(steps: tuple[PlannedStep, ...]) -> list[list[Json]]:
    return [[step.what, step.minutes, *astuple(step.place)] for step in steps]


def _steps(rows: Iterable[tuple[str, int, *tuple[str, ...]]]) -> tuple[PlannedStep, ...]:
    return tuple(PlannedStep(str(what), int(minutes), _place(place)) for what, minutes, *place in rows)


def _place(parts: Iterable[str]) -> ActionPlace:
    return ActionPlace(*map(str, parts))
