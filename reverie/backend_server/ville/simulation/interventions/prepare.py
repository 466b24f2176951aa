"""Prepares interventions: the table of all kinds."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ville.errors import BadIntervention
from ville.simulation.interventions.kinds import Intervention, Rule, VisitorSay
from ville.simulation.interventions.minds import (
    prepare_history,
    prepare_memory_add,
    prepare_memory_drop,
    prepare_trait,
    prepare_whisper,
)
from ville.simulation.interventions.residents import prepare_resident_in, prepare_resident_out
from ville.simulation.interventions.rules import prepare_rule
from ville.simulation.interventions.talks import prepare_talk
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.interventions.things import prepare_event, prepare_object
from ville.simulation.interventions.visitors import (
    prepare_visitor_in,
    prepare_visitor_out,
    prepare_visitor_say,
    prepare_visitor_walk,
)
from ville.simulation.persona_names import find_persona

PREPARATIONS: Mapping[str, Callable[[Target, Any], Awaitable[Effect]]] = {
    "whisper": prepare_whisper,
    "history": prepare_history,
    "memory_add": prepare_memory_add,
    "memory_drop": prepare_memory_drop,
    "trait": prepare_trait,
    "object": prepare_object,
    "event": prepare_event,
    "talk": prepare_talk,
    "rule": prepare_rule,
    "resident_in": prepare_resident_in,
    "resident_out": prepare_resident_out,
    "visitor_in": prepare_visitor_in,
    "visitor_walk": prepare_visitor_walk,
    "visitor_say": prepare_visitor_say,
    "visitor_out": prepare_visitor_out,
}


async def prepare(target: Target, intervention: Intervention) -> Effect:
    """Return the effect of an intervention on the town as it is now, without changing it.

    Raises BadIntervention or UnknownPersona if it does not apply, and ModelError.
    """
    if intervention.kind not in PREPARATIONS:
        raise BadIntervention(f"{intervention.kind}: this kind of intervention is not supported.")
    return await PREPARATIONS[intervention.kind](target, _with_full_name(target, intervention))


def _with_full_name(target: Target, intervention: Intervention) -> Intervention:
    """Return the intervention with the full name of its persona, if part of it was given. Raises UnknownPersona."""
    field = "to" if isinstance(intervention, VisitorSay) else "who"
    name = getattr(intervention, field, None)
    if name is None or isinstance(intervention, Rule):
        return intervention
    return intervention.model_copy(update={field: find_persona(name, list(target.town.personas))})
