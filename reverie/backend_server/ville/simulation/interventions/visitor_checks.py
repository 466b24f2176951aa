"""Checks and words that the interventions of visitors share."""

from collections.abc import Collection

from ville.errors import BadIntervention
from ville.simulation.town import Town
from ville.simulation.visitors import Visitor
from ville.world.address import Tile


def visitor_of(town: Town, name: str) -> Visitor:
    """Return a visitor who is in the town. Raises BadIntervention."""
    check_is_visitor(name, town.visitors.present)
    return town.visitors.present[name]


def check_is_visitor(name: str, visitors: Collection[str]) -> None:
    """Raise BadIntervention unless a visitor has this name."""
    if name not in visitors:
        there = f"Visitors: {', '.join(sorted(visitors))}." if visitors else "Let one arrive first."
        raise BadIntervention(f"No visitor is called '{name}'. {there}")


def place_text(town: Town, tile: Tile) -> str:
    """Return where a tile is: `Hobbs Cafe (58, 21)`."""
    place = town.maze.place(tile)
    return f"{place.sector or place.world} ({tile.x}, {tile.y})"
