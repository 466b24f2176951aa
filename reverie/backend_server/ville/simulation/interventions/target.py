"""Target of an intervention, and the effect that is prepared for it."""

from collections.abc import Callable
from dataclasses import dataclass

from ville.errors import BadIntervention, UnknownPersona
from ville.llm.gateway import Models
from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.prompt_template.ask import Tally
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.services import RunServices
from ville.simulation.stepping.step import moment_of
from ville.simulation.town import Town
from ville.storage.folder.simulation_folder import SimulationFolder


@dataclass(frozen=True)
class Target:
    """A simulation between two steps."""

    town: Town
    models: Models
    services: RunServices
    folder: SimulationFolder

    def mind(self, name: str) -> Mind:
        """Return the mind of a persona. Raises UnknownPersona unless the full name is given."""
        if name not in self.town.personas:
            raise UnknownPersona(f"No persona is called '{name}'. Choose one of: {', '.join(self.town.personas)}")
        return self.town.personas[name].mind

    def check_may_talk(self, name: str, other: str) -> None:
        """Raise BadIntervention if a rule keeps two from talking now."""
        if not self.town.view().may_talk(name, other):
            raise BadIntervention(f"A rule keeps {name} and {other} from talking. End it first.")

    def moment(self, name: str) -> Moment:
        """Return the context of the coming step for a persona; game time does not pass."""
        persona, attempts = self.town.personas[name], self.services.breaker.attempts
        return moment_of(persona, self.town.view(), Tally(), models=self.models, attempts=attempts)


@dataclass(frozen=True)
class Effect:
    """An intervention that has been checked and prepared."""

    intervention: Intervention
    """As it is logged: with everything filled in that was found out while preparing."""
    apply: Callable[[], str]
    """Change the town, without failing, and return in one line what was done."""
