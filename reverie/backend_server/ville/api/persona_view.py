"""Personas of an open simulation as seen from Python."""

from collections.abc import Iterator, Sequence
from typing import Any, overload

from ville.errors import BadArgument
from ville.html_table import html_table
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.persona.persona import Persona
from ville.result_table import pandas
from ville.simulation.persona_names import find_persona
from ville.simulation.simulation import Simulation

SHOWN = 10
"""Memories that a notebook shows."""


class MemoryTable(Sequence[ConceptNode]):
    """The memory stream of a persona: a sequence of `ConceptNode`, oldest first.

    `memories[0]` is the oldest, `memories[-1]` the newest, `memories[:2]` a list of the two oldest, and
    `memories["node_12"]` the one with this id.
    """

    def __init__(self, name: str, stream: AssociativeMemory) -> None:
        self._name, self._stream = name, stream

    def __repr__(self) -> str:
        return f"<{self._name}: {len(self):,} memories>"

    def _repr_html_(self) -> str:
        rows = [(f"{node.created:%b %d, %H:%M}", node.kind, node.poignancy, node.description) for node in self[-SHOWN:]]
        title = f"{self._name}: the last {len(rows):,} of {len(self):,} memories"
        return html_table(title, rows, ("created", "kind", "poignancy", "memory"))

    def __len__(self) -> int:
        return len(self._stream)

    def __iter__(self) -> Iterator[ConceptNode]:
        return iter(self._stream)

    @overload
    def __getitem__(self, place: int | str) -> ConceptNode: ...
    @overload
    def __getitem__(self, place: slice) -> list[ConceptNode]: ...

    def __getitem__(self, place: int | str | slice) -> ConceptNode | list[ConceptNode]:
        """Return memories by their place, or one by its id. Raises IndexError or KeyError."""
        numbers = range(1, len(self._stream) + 1)
        if isinstance(place, slice):
            return [self._stream[number] for number in numbers[place]]
        return self._stream[place if isinstance(place, str) else numbers[place]]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame: one row for each memory, the columns of nodes.json, and the node id as index.

        Raises MissingPackage: pandas is optional.
        """
        return pandas().DataFrame([node.as_json() for node in self], index=[node.node_id for node in self])


class PersonaView:
    """Read-only view of one persona in an open simulation; always up to date."""

    def __init__(self, simulation: Simulation, name: str) -> None:
        self._simulation = simulation
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}: {self.activity or 'no activity yet'}>"

    def _repr_html_(self) -> str:
        plan = ((f"{_clock(start)}-{_clock(end)}", activity) for start, end, activity in self.schedule)
        about = [("now", self.activity or "no activity yet"), ("memories", len(self.memories)), *plan]
        return html_table(self.name, about)

    @property
    def _persona(self) -> Persona:
        return self._simulation.persona(self.name)

    @property
    def memories(self) -> MemoryTable:
        """The memory stream, oldest first."""
        return MemoryTable(self.name, self._persona.mind.stream)

    @property
    def currently(self) -> str:
        """Present concerns of the persona; one paragraph of its identity."""
        return self._persona.scratch.identity.currently

    @property
    def activity(self) -> str:
        """Current activity; empty before the first step."""
        action = self._persona.scratch.action
        return action.description if action else ""

    @property
    def tile(self) -> tuple[int, int]:
        """Column and row on the map."""
        tile = self._simulation.town.tiles[self.name]
        return tile.x, tile.y

    @property
    def schedule(self) -> list[tuple[int, int, str]]:
        """Today's plan: first minute and end minute (counted from midnight), and activity."""
        return [(slot.start, slot.end, slot.activity.text) for slot in self._persona.scratch.schedule.slots()]


class PersonaViews(dict[str, PersonaView]):
    """The personas of a simulation by name; part of a name is enough if only one persona fits."""

    def _repr_html_(self) -> str:
        return self.as_html("")

    def as_html(self, title: str) -> str:
        """Return a table of what everyone does."""
        rows = [(each.name, each.activity or "no activity yet", len(each.memories)) for each in self.values()]
        return html_table(title, rows, ("persona", "now", "memories"))

    def __missing__(self, name: object) -> PersonaView:
        """Raise UnknownPersona unless exactly one persona fits."""
        return self[find_persona(check_text("name", name), list(self))]


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def check_text(argument: str, value: object) -> str:
    """Return the value of an argument. Raises BadArgument unless it is text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise BadArgument(f"{argument}={value!r} is not a text. Give one in quotes.")
    return value
