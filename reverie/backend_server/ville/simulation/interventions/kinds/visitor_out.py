"""A visitor who leaves."""

from typing import Literal

from ville.simulation.interventions.circumstances import Circumstances, in_field
from ville.simulation.interventions.fields import Name
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.interventions.visitor_checks import check_is_visitor, visitor_of


class VisitorOut(Intervention):
    """A visitor leaves the town."""

    kind: Literal["visitor_out"] = "visitor_out"
    name: Name
    """Name of the visitor."""


async def prepare(target: Target, out: VisitorOut) -> Effect:
    """Check that the visitor is there. Raises BadIntervention."""
    town = target.town
    visitor_of(town, out.name)

    def apply() -> str:
        town.visitors.leave(out.name)
        return f"{out.name} leaves the town."

    return Effect(out, apply)


def check(around: Circumstances, out: VisitorOut, _step: int) -> None:
    """Check who leaves."""
    with in_field("name"):
        check_is_visitor(out.name, around.visitors)


KIND = Kind(VisitorOut, prepare, effect="a visitor leaves the town", check=check)
