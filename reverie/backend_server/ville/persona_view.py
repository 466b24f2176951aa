"""Personas of an open simulation as seen from Python."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from ville.errors import BadArgument, MissingPackage
from ville.persona.memory_structures.associative_memory import AssociativeMemory
from ville.persona.memory_structures.concept_node import ConceptNode
from ville.persona.persona import Persona
from ville.simulation.commands.parse import find_persona
from ville.simulation.simulation import Simulation


class MemoryTable:
    """The memory stream of a persona: a sequence of `ConceptNode`, oldest first."""

    def __init__(self, stream: AssociativeMemory) -> None:
        self._stream = stream

    def __len__(self) -> int:
        return len(self._stream)

    def __iter__(self) -> Iterator[ConceptNode]:
        return iter(self._stream)

    def __getitem__(self, node: str | int) -> ConceptNode:
        """Return a memory by number (from 1) or id (`node_1`). Raises KeyError."""
        return self._stream[node]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame: one row for each memory, the columns of nodes.json, and the node id as index.

        Raises MissingPackage: pandas is optional.
        """
        try:
            pandas = import_module("pandas")
        except ModuleNotFoundError:
            raise MissingPackage("Tables need pandas. In the project folder, type: pip install .[notebook]") from None
        return pandas.DataFrame([node.as_json() for node in self], index=[node.node_id for node in self])


class PersonaView:
    """Read-only view of one persona in an open simulation; always up to date."""

    def __init__(self, simulation: Simulation, name: str) -> None:
        self._simulation = simulation
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}: {self.activity or 'no activity yet'}>"

    @property
    def _persona(self) -> Persona:
        return self._simulation.persona(self.name)

    @property
    def memories(self) -> MemoryTable:
        """The memory stream, oldest first."""
        return MemoryTable(self._persona.mind.stream)

    @property
    def currently(self) -> str:
        """What the persona is concerned with these days; one paragraph of its identity."""
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

    def __missing__(self, name: object) -> PersonaView:
        """Raise UnknownPersona unless exactly one persona fits."""
        return self[find_persona(check_text("name", name), list(self))]


def check_text(argument: str, value: object) -> str:
    """Return the value of an argument. Raises BadArgument unless it is text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise BadArgument(f"{argument}={value!r} is not a text. Give one in quotes.")
    return value
