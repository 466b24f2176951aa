"""A town as it was at an earlier moment, to be looked at."""

from dataclasses import dataclass

from ville.errors import UnknownPersona
from ville.persona.persona import Persona
from ville.simulation.clock import Clock
from ville.simulation.town import Town


@dataclass(frozen=True)
class PastTown:
    """The part of a simulation that commands look at. Nothing in it goes on."""

    town: Town
    seed: int
    """Random seed at that moment."""

    @property
    def clock(self) -> Clock:
        return self.town.clock

    def persona(self, name: str) -> Persona:
        """Return a persona. Raises UnknownPersona if it was not in town."""
        if name not in self.town.personas:
            raise UnknownPersona(f"{name} was not in town then. Choose one of: {', '.join(self.town.personas)}")
        return self.town.personas[name]
