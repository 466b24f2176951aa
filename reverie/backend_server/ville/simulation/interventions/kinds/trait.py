"""A line of the identity of a persona."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from ville.errors import BadIntervention
from ville.persona.prompt_template import caps
from ville.simulation.interventions.circumstances import Circumstances
from ville.simulation.interventions.fields import PersonaName, TextLine
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind, Told
from ville.simulation.interventions.target import Effect, Target
from ville.world.maze import Maze

TraitField = Literal["age", "innate", "learned", "currently", "lifestyle", "living_area", "daily_plan_req"]


class Trait(Intervention):
    """A line of the identity, changed."""

    kind: Literal["trait"] = "trait"
    who: PersonaName
    """Full name of the persona."""
    field: TraitField
    """Name of the line: age, innate, learned, currently, lifestyle, living_area or daily_plan_req."""
    now: Annotated[str, TextLine(caps.CURRENTLY)]
    """Its new text."""
    was: Annotated[str | None, Field(json_schema_extra={"readOnly": True})] = None
    """Its text before; filled in when it is applied."""


async def prepare(target: Target, trait: Trait) -> Effect:
    """Check the new value. Raises UnknownPersona or BadIntervention."""
    mind = target.mind(trait.who)
    scratch = mind.scratch
    before = getattr(scratch.identity, trait.field)
    _check_text(target.town.maze, trait)
    changed: dict[str, Any] = {trait.field: int(trait.now) if trait.field == "age" else trait.now}
    identity = replace(scratch.identity, **changed)

    def apply() -> str:
        scratch.identity = identity
        mind.facts.own = ()  # they are noted anew
        return f"{trait.who}: {trait.field} is now '{trait.now}'."

    return Effect(trait.model_copy(update={"was": None if before is None else str(before)}), apply)


def check(around: Circumstances, trait: Trait, _step: int) -> None:
    """Check the new value."""
    _check_text(around.maze, trait)


def after(around: Circumstances, trait: Trait) -> Circumstances:
    """Return where people live."""
    return around.with_home(around.person(trait.who), trait.now) if trait.field == "living_area" else around


def _check_text(maze: Maze, trait: Trait) -> None:
    """Raise BadIntervention unless a line of the identity can have the new text."""
    if trait.field == "living_area" and trait.now not in maze.address_tiles:
        raise BadIntervention(f"living_area: {maze.name} has no '{trait.now}'. Write it as world:sector:arena.")
    is_number = trait.now.isdecimal() and trait.now.isascii() and len(trait.now) <= len("999")
    if trait.field == "age" and not is_number:
        raise BadIntervention(f"age: '{trait.now}' is not a number of years, for example 34.")


KIND = Kind(
    Trait,
    prepare,
    effect="a line of the character: `age`, `innate`, `learned`, `currently`, `lifestyle`, `living_area`, "
    "`daily_plan_req`; the log also has what it `was`",
    check=check,
    after=after,
    told=Told(
        "The character of %(names)s is edited.", "The character of %(names)s is edited: “%(words)s”", words="now"
    ),
)
