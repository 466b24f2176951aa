"""Whether the doors of a town lie on its streets."""

from collections.abc import Iterator

from town_builder.grid.grids import Grids
from town_builder.plan.shapes import Tile
from town_builder.plan.town_plan import DOORWAY, Plan
from town_builder.problems import Problem

STREETS = frozenset({"path", "cobble", "plaza", "sand", "deck"})
"""The kinds of ground one expects before a door."""
NEAR = 3
"""Steps from a door within which its street begins."""


def street_problems(plan: Plan, grids: Grids) -> Iterator[Problem]:
    """A warning for every building with doors to the open of which none lies on a street; back doors may."""
    streets = {tile for tile, ground in plan.ground.items() if ground.kind in STREETS}
    for building in plan.buildings:
        doors = sorted(tile for tile, mark in building.tiles.items() if mark == DOORWAY and _leads_out(grids, tile))
        if doors and all(streets.isdisjoint(_steps_from(grids, door)) for door in doors):
            x, y = doors[0]
            message = f"no street begins within {NEAR} steps of a door of {building.sector}, not at {x},{y} either"
            yield Problem(
                plan.where(building.rows_line + y - building.at[1]), message, "lead a path to it", warning=True
            )


def _leads_out(grids: Grids, tile: Tile) -> bool:
    return any(step not in grids.sectors for step in grids.neighbours(tile))


def _steps_from(grids: Grids, door: Tile) -> set[Tile]:
    """Where one can be out of doors after NEAR steps."""
    reached = {door}
    for _ in range(NEAR):
        reached |= {step for tile in reached for step in grids.neighbours(tile) if step not in grids.sectors}
    return reached
