"""Cities by rules and a seed: every law on a city of fifty people, which the builder reads like any other town."""

from collections import Counter
from random import Random

import networkx as nx
import pytest

from build_town import main
from town_builder.cast.people import load_people
from town_builder.city.city import FEWEST, MOST, make_city
from town_builder.city.ground_plan import GroundPlan
from town_builder.city.household import GROWN, RETIRED, make_households
from town_builder.city.naming import Namer
from town_builder.city.pattern import PlanLook, home_patterns, work_patterns
from town_builder.city.town_text import yaml_text
from town_builder.grid.compile import compile_plan
from town_builder.plan.town_file import load_plan
from town_builder.stamps import load_stamps
from ville.world.privacy import may_use

PEOPLE, SEED = 50, 3


@pytest.fixture(scope="module")
def files():
    return make_city("small", PEOPLE, SEED)


@pytest.fixture(scope="module")
def paths(files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("city")
    town, people = folder / "small.yaml", folder / "small_people.yaml"
    town.write_text(files.town, "utf-8")
    people.write_text(files.people, "utf-8")
    return town, people


@pytest.fixture(scope="module")
def compiled(paths):
    return compile_plan(load_plan(paths[0]), load_stamps())


@pytest.fixture(scope="module")
def cast(paths):
    return load_people(paths[1])


@pytest.fixture(scope="module")
def households():
    chance = Random(5)  # noqa: S311 - not a secret
    return make_households(MOST, Namer(chance), chance)


def test_everybody_wakes_up_in_a_bed_of_their_own_at_home(cast, compiled):
    """The builder finds nothing wrong; no two people share a tile, each tile is a bed of their own home."""
    assert not [one for one in compiled.problems if not one.warning]
    assert len(cast.people) == len({one.start for one in cast.people}) == PEOPLE
    for one in cast.people:
        assert compiled.grids.address(one.start) == (*one.living_area.words.split(":"), "bed")
        assert one.start in compiled.grids.spawns


def test_every_place_can_be_reached_on_foot(compiled):
    """All use tiles of all objects lie in one piece of open ground."""
    grids = compiled.grids
    assert grids.objects.keys() <= grids.components()[0]


def test_a_home_is_open_to_those_who_live_there_and_to_nobody_else(cast):
    """Names of homes name their people; last names of different homes differ."""
    homes = {one.name: one.living_area.words.split(":")[0] for one in cast.people}
    for name, home in homes.items():
        assert {other for other in homes if may_use(home, other)} == {each for each in homes if homes[each] == home}, (
            name
        )


def test_everybody_works_or_learns_where_their_trade_is(cast, compiled, files):
    """Grown people work at home or at a place that they know; children learn at a school; the old do neither."""
    sectors = {path[0] for path in compiled.grids.addresses}
    for one in cast.people:
        day = one.daily_plan_req.words if one.daily_plan_req else ""
        named = [sector for sector in one.knows if sector in day and sector in one.learned.words]
        if one.age < GROWN:
            assert named
            assert "is a student at" in one.learned.words
        elif one.age >= RETIRED:
            assert not day
        else:
            assert named or "who works at home" in one.learned.words
        assert set(named) <= sectors
    assert files.workplaces >= 3


def test_households_are_plausible(households):
    """Families share a last name, parents are grown at the birth of their children, nobody shares a name."""
    people = [one for household in households for one in household.people]
    assert len(people) == len({one.name for one in people}) == MOST
    for household in households:
        last = {one.last_name for one in household.people}
        assert len(last) == (len(household.people) if household.kind == "flat" else 1)
        adults = [one.age for one in household.people if one.role == "adult"]
        children = [one.age for one in household.people if one.role == "child"]
        assert min(adults) >= GROWN
        assert not children or min(adults) - max(children) >= GROWN
        assert all(one.age - max(adults) >= GROWN for one in household.people if one.role == "grandparent")
    counts = Counter(household.kind for household in households)
    assert counts["alone"] / len(households) == pytest.approx(0.29, abs=0.06)
    assert len({one.name.split()[0] for one in people}) > 300


def test_who_knows_whom_is_as_among_people(files, cast):
    """Mean degree, clustering and the longest circle are within the bounds that the module states; ties are mutual."""
    graph = files.graph
    degrees = sorted(degree for _, degree in graph.degree)
    mean = sum(degrees) / PEOPLE
    assert nx.is_connected(graph)
    assert 7 <= mean <= 15
    assert 0.2 <= nx.average_clustering(graph) <= 0.5
    assert degrees[-1] >= 1.7 * mean
    told = {(one.name, other) for one in cast.people for other, _ in one.relations}
    assert told == {(one, other) for other, one in told}
    assert len(told) == sum(degrees)


def test_the_same_seed_makes_the_same_files_and_another_makes_others(files):
    again = make_city("small", FEWEST, SEED)
    assert (again.town, again.people) == _texts(make_city("small", FEWEST, SEED))
    assert _texts(again) != _texts(make_city("small", FEWEST, SEED + 1))
    assert files.town != again.town


def test_every_floor_plan_can_be_walked_through_in_every_look(tmp_path):
    """Mirrored or not, with single beds or double ones: no bed, desk or sink is walled in."""
    plan, x = GroundPlan(), 1
    patterns = [*home_patterns(), *work_patterns().values()]
    looks = [PlanLook(mirrored, scheme, singles) for mirrored, scheme, singles in
             ((False, None, ()), (True, 0, (0, 1, 2)), (False, 1, (1,)), (True, 2, ()))]  # fmt: skip
    for number, pattern in enumerate(patterns):
        for row, look in enumerate(looks[: 1 if number >= len(home_patterns()) else None]):
            building = {"sector": f"house {number} {row}", "at": [x, 1 + 24 * row], "facade": "brick"}
            plan.buildings.append({**building, **pattern.parts(look)})
        x += pattern.width + 1
    head = {"format": "town/1", "maze_name": "all", "world": "All", "size": [x + 1, 98]}
    path = tmp_path / "all.yaml"
    path.write_text(yaml_text("All floor plans.", {**head, "buildings": plan.buildings}), "utf-8")
    compiled = compile_plan(load_plan(path), load_stamps())
    assert not [str(one) for one in compiled.problems if not one.warning]
    closed = compiled.grids.objects.keys() - compiled.grids.components()[0]
    assert not {compiled.grids.address(tile) for tile in closed}


def test_too_few_or_too_many_people_are_refused_in_a_line(capsys):
    assert main(["city", "--people", "3"]) == 1
    assert capsys.readouterr().out.startswith(f"--people: is 3; choose {FEWEST} to {MOST}")


@pytest.mark.slow
def test_the_command_makes_a_city_that_simulations_can_begin_in(tmp_path, capsys):
    """One command writes both files, the map, the base simulation and the history; the builder's own checks pass."""
    folders = ["--towns", str(tmp_path), "--out", str(tmp_path / "assets"), "--storage", str(tmp_path / "storage")]
    assert main(["city", "--people", str(FEWEST), "--seed", "2", *folders]) == 0
    name = f"city_{FEWEST}_2"
    assert (tmp_path / f"assets/{name}/agent_history_{name}.csv").is_file()
    assert main(["validate", str(tmp_path / f"{name}.yaml"), "--for", str(tmp_path / f"storage/base_{name}")]) == 0
    assert "20 of 20 start tiles are right" in capsys.readouterr().out


def _texts(files):
    return files.town, files.people
