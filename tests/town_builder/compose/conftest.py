"""A hamlet, composed once, and short floor plans."""

from pathlib import Path

import pytest

from town_builder.art.catalogue import stamps
from town_builder.compose import compose
from town_builder.plan.placement import place_stamps
from town_builder.plan.town_file import load_plan
from town_builder.plan.town_plan import Building, Plan, Room

HAMLET = Path(__file__).parent.with_name("hamlet.yaml")


@pytest.fixture(scope="session")
def plan():
    return load_plan(HAMLET)


@pytest.fixture(scope="session")
def placement(plan):
    return place_stamps(plan, stamps())


@pytest.fixture(scope="session")
def pictures(plan, placement):
    return compose(plan, placement)


@pytest.fixture
def house():
    """Return a plan with one house at a place of the map, from the rows of a floor plan with rooms A and B."""

    def build(rows, at=(2, 2), *, windows=True):
        rooms = {"A": Room("A", "hall", "honey", "pub", 1), "B": Room("B", "kitchen", "check", "bath", 1)}
        building = Building("a house", at, "brick", rooms, tuple(rows), 1, (), 1, windows)
        size = {"width": 40, "height": 30}
        nothing = {"terrain": (), "scatter": (), "areas": (), "things": ()}
        return Plan("house.yaml", "", "house", "here", **size, buildings=(building,), **nothing)

    return build
