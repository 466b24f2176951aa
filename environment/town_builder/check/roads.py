"""Check that the doors of buildings are connected to streets."""

from collections.abc import Iterator

from town_builder.grid.grids import Grids
from town_builder.plan.shapes import Tile
from town_builder.plan.town_plan import DOORWAY, Plan
from town_builder.problems import Problem

STREETS = frozenset({"path", "cobble", "plaza", "sand", "deck"})
"""Kinds of ground that count as a street."""
NEAR = 3
"""Maximum number of steps from a door to a street."""


def street_problems(plan: Plan, grids: Grids) -> Iterator[Problem]:
    """Yield a warning for every building with outer doors of which none is near a street."""
    streets = {tile for tile, ground in plan.ground.items() if ground.kind in STREETS}
    for building in plan.buildings:
        doors = sorted(tile for tile, mark in building.tiles.items() if mark == DOORWAY and _leads_out(grids, tile))
        if doors and all(streets.isdisjoint(_steps_from(grids, door)) for door in doors):
            x, y = doors[0]
            message = f"no door of {building.sector} has a street within {NEAR} steps, for example the one at {x},{y}"
            yield Problem(
                plan.where(building.rows_line + y - building.at[1]), message, "lead a path to it", warning=True
            )


def _leads_out(grids: Grids, tile: Tile) -> bool:
    return any(step not in grids.sectors for step in grids.neighbours(tile))


def _steps_from(grids: Grids, door: Tile) -> set[Tile]:
    """Return the outdoor tiles within NEAR steps of a door."""
    reached = {door}
    for _ in range(NEAR):
        reached |= {step for tile in reached for step in grids.neighbours(tile) if step not in grids.sectors}
    return reached
