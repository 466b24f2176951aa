"""Facts that one persona has told to others or heard from them, each once, with the persons and times."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ville.json_types import JsonObject
from ville.persona.memory_structures.facts.fact_words import are_alike
from ville.storage.dates import node_time_text, parse_node_time

MOST_HEARD = 100
"""Facts that one only heard, the latest; what one has told is kept for ever."""
Times = dict[str, datetime]
"""Person to the last time."""


@dataclass
class SharedFact:
    """A fact that was told to others, or heard from them."""

    text: str
    node: str = ""
    """Id of the memory that says it, if one does."""
    told: Times = field(default_factory=dict)
    """To whom it was told."""
    heard: Times = field(default_factory=dict)
    """From whom it was heard."""

    def is_known_to(self, person: str) -> bool:
        return person in self.told or person in self.heard

    def as_json(self) -> JsonObject:
        values: JsonObject = {
            "text": self.text,
            "node": self.node,
            "told": _texts(self.told),
            "heard": _texts(self.heard),
        }
        return {key: value for key, value in values.items() if value}

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "SharedFact":
        """Return what was saved. Raise TypeError, ValueError, KeyError or CorruptFile."""
        told, heard = _times(values.get("told", {})), _times(values.get("heard", {}))
        return cls(str(values["text"]), str(values.get("node", "")), told, heard)


class ToldFacts:
    """Facts that one persona has told to others or heard from them, in the order in which it first did."""

    def __init__(self, facts: Iterable[SharedFact] = ()) -> None:
        self._facts = list(facts)

    def __bool__(self) -> bool:
        return bool(self._facts)

    def knows(self, fact: str, person: str) -> bool:
        """Return whether a fact, however it is put, was told to a person, or heard from that person."""
        return any(each.is_known_to(person) and are_alike(each.text, fact) for each in self._facts)

    def told_to(self, person: str) -> list[SharedFact]:
        """Return what was told to a person, the latest last."""
        return sorted((each for each in self._facts if person in each.told), key=lambda each: each.told[person])

    def heard_from(self, person: str) -> list[SharedFact]:
        """Return what was heard from a person, the latest last."""
        return sorted((each for each in self._facts if person in each.heard), key=lambda each: each.heard[person])

    def note_told(self, fact: str, person: str, when: datetime, *, node: str = "") -> None:
        """Note that a fact was told to a person."""
        self._fact(fact, node).told[person] = when

    def note_heard(self, fact: str, person: str, when: datetime) -> None:
        """Note that a fact was heard from a person."""
        self._fact(fact, "").heard[person] = when
        only_heard = [each for each in self._facts if not each.told]
        if len(only_heard) > MOST_HEARD:
            self._facts.remove(min(only_heard, key=lambda each: max(each.heard.values())))

    def _fact(self, text: str, node: str) -> SharedFact:
        """Return the fact that a text says; it is added if it is new."""
        for each in self._facts:
            if (node and each.node == node) or are_alike(each.text, text):
                return each
        self._facts.append(SharedFact(text, node))
        return self._facts[-1]

    def as_json(self) -> list[JsonObject]:
        return [each.as_json() for each in self._facts]

    @classmethod
    def read(cls, values: Sequence[Mapping[str, Any]]) -> "ToldFacts":
        """Return what was saved. Raise TypeError, ValueError, KeyError or CorruptFile."""
        return cls(map(SharedFact.read, values))


def _texts(times: Times) -> JsonObject:
    return {person: node_time_text(when) for person, when in times.items()}


def _times(values: Mapping[str, str]) -> Times:
    return {str(person): parse_node_time(when) for person, when in values.items()}
