"""The town of the Ville: connected, private homes, usable counters."""

from pathlib import Path

import pytest

from town_builder.check.roads import street_problems
from town_builder.check.validate import validate_grids
from town_builder.grid.compile import compile_plan
from town_builder.plan.town_file import load_plan
from town_builder.plan.town_plan import DOORWAY
from town_builder.stamps import load_stamps

THE_VILLE = Path(__file__).resolve().parents[2] / "environment/town_builder/towns/the_ville.yaml"
LONGEST_WALK = 160
PUBLIC = {
    "Harvey Oak Supply Store",
    "Hobbs Cafe",
    "Johnson Park",
    "Oak Hill College",
    "The Rose and Crown Pub",
    "The Willows Market and Pharmacy",
}
COUNTERS = {
    "behind the grocery counter": "grocery store counter",
    "behind the pharmacy counter": "pharmacy store counter",
    "behind the supply store counter": "supply store counter",
    "behind the bar counter": "bar customer seating",
    "behind the cafe counter": "cafe customer seating",
}
FIRST_BEDS = {
    "Latoya Williams": (16, 18),
    "Rajiv Patel": (26, 18),
    "Abigail Chen": (36, 18),
    "Francisco Lopez": (16, 32),
    "Hailey Johnson": (26, 32),
    "Arthur Burton": (53, 14),
    "Ryan Park": (65, 19),
    "Isabella Rodriguez": (72, 14),
    "Giorgio Rossi": (86, 18),
    "Carlos Gomez": (94, 18),
    "Klaus Mueller": (126, 46),
    "Maria Lopez": (123, 57),
    "Ayesha Khan": (118, 61),
    "Wolfgang Schulz": (107, 62),
    "Mei Lin": (90, 74),
    "John Lin": (91, 74),
    "Eddy Lin": (93, 74),
    "Jane Moreno": (72, 74),
    "Tom Moreno": (73, 74),
    "Tamara Taylor": (54, 74),
    "Carmen Ortiz": (57, 74),
    "Adam Smith": (20, 65),
    "Yuriko Yamamoto": (28, 65),
    "Sam Moore": (36, 65),
    "Jennifer Moore": (37, 65),
}
"""Start tiles of all base simulations, including older ones."""


@pytest.fixture(scope="module")
def plan():
    return load_plan(THE_VILLE)


@pytest.fixture(scope="module")
def compiled(plan):
    return compile_plan(plan, load_stamps())


@pytest.fixture(scope="module")
def ville(compiled):
    assert not [problem for problem in compiled.problems if not problem.warning]
    return compiled.grids


@pytest.fixture(scope="module")
def neighbours(ville):
    """Return tile → tiles one step away, for every walkable tile."""
    return {tile: tuple(ville.neighbours(tile)) for component in ville.components() for tile in component}


def steps_from(neighbours, starts, closed=frozenset()):
    """Return tile → steps from the nearest start, by plain breadth-first search."""
    steps = dict.fromkeys(starts, 0)
    edge = list(steps)
    for tile in edge:
        for step in neighbours[tile]:
            if step not in steps and step not in closed:
                steps[step] = steps[tile] + 1
                edge.append(step)
    return steps


def test_the_ville_has_no_errors(plan, compiled):
    """The only warnings are a hallway without objects and a walk too long for the oldest engines."""
    problems = [*compiled.problems, *street_problems(plan, compiled.grids), *validate_grids(compiled.grids).problems]
    expected = ["hallway has no object", "older engines give up"]
    assert len(problems) == len(expected)
    assert all(problem.warning and words in problem.message for problem, words in zip(problems, expected, strict=True))


def test_the_ville_is_connected_and_closed(ville):
    """Every walkable tile can be reached, and the forest closes the border."""
    (town,) = ville.components()
    edges = {0, ville.width - 1}, {0, ville.height - 1}
    assert not [tile for tile in town if tile[0] in edges[0] or tile[1] in edges[1]]


def test_no_walk_is_long(ville, neighbours):
    """From any tile of an object, every other object is at most 160 steps (27 minutes) away."""
    objects = [tiles for path, tiles in ville.addresses.items() if path[2:]]
    for tiles in objects:
        steps = steps_from(neighbours, tiles)
        assert max(min(steps[tile] for tile in others) for others in objects) <= LONGEST_WALK


def test_everyone_wakes_up_in_bed(ville):
    """The start tile of each person is a bed in their own home."""
    for person, bed in FIRST_BEDS.items():
        sector, arena, thing = ville.address(bed)
        assert ville.walkable(bed), person
        assert thing == "bed", person
        assert person.split()[-1] in sector + arena or sector.startswith("artist"), person
        assert bed in ville.spawns, person


def test_no_shortcut_leads_through_a_home(ville, neighbours):
    """The way to any public place is never shorter through another person's home."""
    homes = {sector for sector, *_ in ville.addresses} - PUBLIC
    public = {tile for path, tiles in ville.addresses.items() if path[0] in PUBLIC and path[2:] for tile in tiles}
    starts = {path: tiles[0] for path, tiles in ville.addresses.items() if path[2:]}
    for path, start in starts.items():
        others = {tile for tile, sector in ville.sectors.items() if sector in homes - {path[0]}}
        free, polite = steps_from(neighbours, [start]), steps_from(neighbours, [start], others)
        assert {tile: polite[tile] for tile in public} == {tile: free[tile] for tile in public}, path


def test_no_doorway_is_blocked(plan, ville):
    """Every doorway can be entered from two sides, and no solid thing is in its way."""
    for building in plan.buildings:
        for (x, y), mark in building.tiles.items():
            if mark == DOORWAY:
                across = ville.walkable((x - 1, y)) and ville.walkable((x + 1, y))
                along = ville.walkable((x, y - 1)) and ville.walkable((x, y + 1))
                assert across or along, (building.sector, x, y)


@pytest.mark.parametrize("keeper", COUNTERS)
def test_a_counter_lies_between_keeper_and_customer(ville, keeper):
    """The customer stands two or three tiles south of the shopkeeper, with the solid counter between."""
    tiles = [tile for tile, name in ville.objects.items() if name == keeper]
    customers = {tile for tile, name in ville.objects.items() if name == COUNTERS[keeper]}
    assert tiles
    assert all((x, y + 1) in ville.solid for x, y in tiles)
    assert customers & {(x, y + 2) for x, y in tiles}
