"""A city by rules: so many people and a seed in, a town file and a people file out."""

from dataclasses import dataclass
from math import ceil, sqrt
from random import Random

import networkx as nx

from town_builder.city.acquaintance import add_district, add_far_friends, household_graph
from town_builder.city.data_file import read_data
from town_builder.city.district import HEIGHT, District, deal_lots, lay_out, width_of
from town_builder.city.ground_plan import GroundPlan
from town_builder.city.household import Household, make_households
from town_builder.city.lives import cast_content
from town_builder.city.naming import Namer
from town_builder.city.surroundings import BORDER, RIVER, corners, lay_surroundings
from town_builder.city.town_text import yaml_text
from town_builder.city.work import employ

PER_DISTRICT = 95
"""People of a district, about."""
FEWEST, MOST = 20, 2000


@dataclass(frozen=True)
class CityFiles:
    """A generated city."""

    town: str
    """Text of the town file."""
    people: str
    """Text of the people file."""
    size: tuple[int, int]
    districts: int
    households: int
    workplaces: int
    graph: nx.Graph
    """Who knows whom."""

    @property
    def summary(self) -> str:
        """Return the size of the city and of its circles of acquaintances, in a line."""
        ties = 2 * self.graph.number_of_edges() / len(self.graph)
        return (
            f"{self.size[0]} x {self.size[1]} tiles; {len(self.graph)} people in {self.households} households and "
            f"{self.districts} districts, {self.workplaces} workplaces; each knows {ties:.1f} others, "
            f"clustering {nx.average_clustering(self.graph):.2f}"
        )


def make_city(name: str, people: int, seed: int) -> CityFiles:
    """Return the files of a city, the same for the same arguments."""
    chance = Random(f"city {seed}")
    households = make_households(people, Namer(chance), chance)
    districts = _districts(households, chance)
    graph = household_graph(households)
    for district in districts:
        add_district(graph, district.households, district.places, chance)
        deal_lots(district, chance)
    add_far_friends(graph, [one.households for one in districts], chance)
    plan, size = _lay(districts, chance)
    world = name.replace("_", " ").title()
    head = {"maze_name": name, "world": world, "size": list(size)}
    town = {"format": "town/1", **head, **vars(plan)}
    cast = {"format": "cast/1", **head, **cast_content(name, districts, graph, chance)}
    title = f"{world}: {people} people in {len(districts)} districts, made by `build_town.py city` from seed {seed}."
    return CityFiles(
        town=yaml_text(title, {key: part for key, part in town.items() if part}),
        people=yaml_text(f"The people of {title}", cast),
        size=size,
        districts=len(districts),
        households=len(households),
        workplaces=sum(len(one.places) for one in districts),
        graph=graph,
    )


def _districts(households: list[Household], chance: Random) -> list[District]:
    data = read_data("districts")
    people = sum(len(one.people) for one in households)
    count = max(1, round(people / PER_DISTRICT))
    names = chance.sample(data["names"], count)
    kinds = [data["kinds"][at % len(data["kinds"])] for at in range(count)]
    chance.shuffle(kinds)
    parts = [households[at::count] for at in range(count)]
    return [
        District(name, kind, part, employ(name, part, chance), f"{name} {chance.choice(data['parks'])}")
        for name, kind, part in zip(names, kinds, parts, strict=True)
    ]


def _lay(districts: list[District], chance: Random) -> tuple[GroundPlan, tuple[int, int]]:
    """Lay the districts out side by side, with rivers between their rows and woods all round."""
    plan = GroundPlan()
    width = max(width_of(one.rows) for one in districts)
    columns = max(1, min(len(districts), ceil(sqrt(len(districts) * HEIGHT / width))))
    lines = ceil(len(districts) / columns)
    size = 2 * BORDER + columns * width + 6, 2 * BORDER + lines * HEIGHT + (lines - 1) * RIVER
    grid = columns, lines, width
    lay_surroundings(plan, size, grid, len(districts), chance=chance)
    for district, corner in zip(districts, corners(grid), strict=False):
        lay_out(district, plan, corner, width, chance=chance)
    return plan, size
