"""The state of an object."""

import re
from typing import Annotated, Literal

from ville.errors import BadIntervention
from ville.persona.cognitive_modules.mind import clean_phrase
from ville.persona.prompt_template import caps
from ville.simulation.interventions.addresses import find_object, readable
from ville.simulation.interventions.circumstances import Circumstances, check_end, in_field
from ville.simulation.interventions.fields import Step, TextLine, Thing
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind, Told
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.town import Town
from ville.world.address import Address
from ville.world.occurrences import LastingState

IDLE = {"idle", "normal"}
"""States that end another one."""


class ObjectState(Intervention):
    """The state of an object, in words, until a persona, a user or a step ends it."""

    kind: Literal["object"] = "object"
    where: Thing
    """Address of the object, as world:sector:arena:object."""
    state: Annotated[str, TextLine(caps.STATE)]
    """`idle` ends an earlier state."""
    until: Step | None = None
    """Step before which it ends by itself."""


async def prepare(target: Target, change: ObjectState) -> Effect:
    """Find the object. Raises BadIntervention."""
    town = target.town
    address = find_object(town.maze, change.where)
    words = state_words(change.state, address.object)
    check_end(change.until, town.clock.step)
    logged = change.model_copy(update={"where": str(address), "state": words})
    return Effect(logged, lambda: set_object(town, address, words, until=change.until))


def set_object(town: Town, address: Address, words: str, *, until: int | None = None) -> str:
    """Set the lasting state of an object, or end it, and return what was done. What it is already, it remains."""
    where, name = str(address), f"{address.object} in {readable(address.arena_address)}"
    if words in IDLE:
        town.occurrences = town.occurrences.without_objects([where])
        return f"{name} is idle."
    before = town.occurrences.state_of(where)
    since = before.since if before and before.words == words else town.clock.step
    town.occurrences = town.occurrences.with_object(LastingState(where=where, words=words, since=since, until=until))
    return f"{name} is {words}."


def check(around: Circumstances, change: ObjectState, step: int) -> None:
    """Find the object, and check state and end."""
    with in_field("where"):
        address = find_object(around.maze, change.where)
    state_words(change.state, address.object)
    check_end(change.until, step)


def state_words(text: str, name: str) -> str:
    """Return a state without `the stove is` before it. Raises BadIntervention if nothing is left."""
    words = clean_phrase(text)
    words = re.sub(rf"^(?:(?:the )?{re.escape(name)} )?(?:is|are) (?:now )?", "", words, flags=re.IGNORECASE)
    if not words:
        raise BadIntervention("state: write what the object is, for example: burning")
    return words.lower() if words.lower() in IDLE else words


KIND = Kind(
    ObjectState,
    prepare,
    effect="the state of an object in words, until a persona ends it, the step `until`, or the state `idle`",
    check=check,
    told=Told(about="%(thing)s is %(state)s"),
)
