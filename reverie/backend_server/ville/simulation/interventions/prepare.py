"""Checks and prepares interventions of all kinds."""

from collections.abc import Iterable, Sequence

from ville.errors import BadArgument, BadIntervention, UnknownPersona
from ville.simulation.interventions.catalogue import kind_of
from ville.simulation.interventions.circumstances import Circumstances, in_field
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.planned import Planned
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.persona_names import find_persona


async def prepare(target: Target, intervention: Intervention) -> Effect:
    """Return the effect of an intervention on the town as it is now, without changing it.

    Raises BadIntervention or UnknownPersona if it does not apply, and ModelError.
    """
    kind = kind_of(intervention)
    if name := getattr(intervention, kind.persona, None):
        full = find_persona(name, list(target.town.personas))
        intervention = intervention.model_copy(update={kind.persona: full})
    return await kind.prepare(target, intervention)


def check_planned(planned: Iterable[Planned], around: Circumstances) -> None:
    """Raise BadIntervention for the first intervention that cannot take place when its step comes."""
    for each in sorted(planned, key=lambda each: each.step):
        around = after(around, each)


def after(around: Circumstances, planned: Planned) -> Circumstances:
    """Return what there is after an intervention. Raises BadIntervention if it cannot take place."""
    intervention = planned.intervention
    kind = kind_of(intervention)
    try:
        if name := getattr(intervention, kind.persona, None):
            with in_field(kind.persona):
                intervention = intervention.model_copy(update={kind.persona: around.person(name)})
        kind.check(around, intervention, planned.step)
    except (BadArgument, UnknownPersona) as fault:
        raise BadIntervention(f"{kind.name}: {str(fault).removeprefix(f'{kind.name}: ')}") from None
    return kind.after(around, intervention)


def check_alone(interventions: Sequence[Intervention]) -> None:
    """Raise BadIntervention if one that others may depend on comes together with others."""
    alone = [each.kind for each in interventions if kind_of(each).alone]
    if alone and len(interventions) > 1:
        raise BadIntervention(f"{alone[0]} has to be a request of its own. Send the others before or after it.")
