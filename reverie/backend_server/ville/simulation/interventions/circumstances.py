"""The town before a step, as interventions meet with it: they are checked against it before anything runs.

What depends on the hour, such as whether a persona is asleep, shows only then.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from ville.errors import BadArgument, BadIntervention, UnknownPersona
from ville.simulation.interventions.target import Target
from ville.simulation.persona_names import find_persona
from ville.simulation.town import Town
from ville.world.maze import Maze


def _accept(_model: str) -> None:
    """Accept any model: which ones there are is not known."""


@dataclass(frozen=True)
class Circumstances:
    """State of a town before a step."""

    maze: Maze
    homes: Mapping[str, str]
    """Residents, and where they live."""
    looks: tuple[str, ...] = ()
    visitors: frozenset[str] = frozenset()
    """Those who are in town, or have been: they may leave by themselves."""
    former: frozenset[str] = frozenset()
    """Residents who have moved away."""
    storage: Path | None = None
    """Where recordings are."""
    name: str = ""
    """Name of the simulation, which cannot repeat itself."""
    check_model: Callable[[str], None] = _accept
    """Raises SetupError if a persona cannot have a model."""

    @classmethod
    def of(cls, target: Target) -> Self:
        """Return what there is in an open simulation."""
        town = target.town
        return cls(
            maze=town.maze,
            homes=living_areas(town),
            looks=target.services.looks,
            visitors=frozenset(town.visitors.present),
            former=frozenset({*target.folder.former, *town.departed}),
            storage=target.services.storage,
            name=target.folder.name,
            check_model=target.services.check_model,
        )

    def person(self, name: str) -> str:
        """Return the full name of a resident. Raises UnknownPersona, and BadIntervention for who has moved away."""
        if name in self.former and name not in self.homes:
            raise BadIntervention(f"{name} has moved away. Choose one of: {', '.join(self.homes)}.")
        return find_persona(name, list(self.homes))

    def with_home(self, name: str, home: str) -> "Circumstances":
        """Return what there is when somebody lives somewhere."""
        return replace(self, homes={**self.homes, name: home})


def living_areas(town: Town) -> dict[str, str]:
    """Return where everyone lives."""
    return {name: str(persona.scratch.identity.living_area) for name, persona in town.personas.items()}


def check_end(until: int | None, step: int) -> None:
    """Raise BadIntervention if what begins before a step would end before it."""
    if until is not None and until <= step:
        raise BadIntervention(f"until: step {until:,} is over. Choose one after step {step:,}.")


@contextmanager
def in_field(name: str) -> Iterator[None]:
    """Name the field in the message of an error."""
    try:
        yield
    except (BadArgument, UnknownPersona) as fault:
        raise BadIntervention(f"{name}: {str(fault).removeprefix(f'{name}: ')}") from None
