"""Doors and streets. See also "a door far from the street" in test_wrong_towns.py."""

from town_builder.check.roads import street_problems
from town_builder.plan.town_file import load_plan


def test_a_back_door_needs_no_street(town):
    """One door on a street is enough for a building."""
    town.change("      #AAAAA+BBB#", "      +AAAAA+BBB#")
    assert not list(street_problems(load_plan(town.path), town.compiled().grids))
