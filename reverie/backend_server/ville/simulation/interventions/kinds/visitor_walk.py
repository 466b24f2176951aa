"""A visitor who walks."""

from typing import Literal

from ville.errors import BadIntervention
from ville.plain_text import quantity
from ville.simulation.interventions.addresses import find_spot
from ville.simulation.interventions.circumstances import Circumstances, in_field
from ville.simulation.interventions.fields import Name, Spot
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.interventions.visitor_checks import check_is_visitor, place_text, visitor_of


class VisitorWalk(Intervention):
    """A visitor sets out for a tile or a place."""

    kind: Literal["visitor_walk"] = "visitor_walk"
    name: Name
    """Name of the visitor."""
    to: Spot
    """Column and row, or a place."""


async def prepare(target: Target, walk: VisitorWalk) -> Effect:
    """Check that there is a way. Raises BadIntervention."""
    town, step = target.town, target.town.clock.step
    visitor = visitor_of(town, walk.name)
    tile = find_spot(town.maze, walk.to, visitor.tile)
    path = town.paths.path(visitor.tile, tile)
    if path is None:
        raise BadIntervention(f"{walk.name} cannot get to {tile.x}, {tile.y}. Choose another tile.")

    def apply() -> str:
        if walk.name in town.visitors.present:
            town.visitors.set_out(walk.name, path[1:], step)
        return f"{walk.name} sets out for {place_text(town, tile)}: {quantity(len(path) - 1, 'step', 'steps')}."

    return Effect(walk.model_copy(update={"to": (tile.x, tile.y)}), apply)


def check(around: Circumstances, walk: VisitorWalk, _step: int) -> None:
    """Check who walks, and where to."""
    with in_field("name"):
        check_is_visitor(walk.name, around.visitors)
    with in_field("to"):
        find_spot(around.maze, walk.to)


KIND = Kind(VisitorWalk, prepare, effect="a visitor walks to a tile or a place", check=check)
