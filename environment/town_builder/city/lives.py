"""The people file of a city: what its people are like, what they do, whom they know and where they go."""

from functools import cache
from random import Random
from typing import Any

import networkx as nx

from town_builder.city.data_file import read_data
from town_builder.city.district import District
from town_builder.city.ground_plan import Paragraph
from town_builder.city.household import GROWN, RETIRED, Citizen
from town_builder.city.lot import Dwelling
from town_builder.city.pattern import Pattern, Rooms, work_patterns
from town_builder.city.work import Workplace

START = "February 13, 2023"
GARDEN, PARK = ["house garden"], ["park garden"]


def cast_content(name: str, districts: list[District], graph: nx.Graph, chance: Random) -> dict[str, Any]:
    """Return the content of a people file, without its head."""
    places: dict[str, Any] = {}
    groups: dict[str, Any] = {}
    people: dict[str, Any] = {}
    for district in districts:
        for place in district.places:
            places[place.name] = _known(work_patterns()[place.kind])
        places[district.park] = {"park": PARK}
        groups[district.name] = district.public
        for home in district.homes:
            own = _known(home.pattern)
            places[home.household.home_name] = _known_garden(home.pattern) if home.garden else own
            for one, arena, tile in home.beds():
                people[one.name] = _Life(one, district, home, chance).fields(arena, tile, graph)
    base = f"base_{name}"
    bases = {base: {"people": "all", "history": f"agent_history_{name}.csv"}}
    return {"start": START, "places": places, "groups": groups, "bases": bases, "people": people}


@cache
def _known(pattern: Pattern) -> Rooms:
    """Return the objects of each room, the same for the same floor plan."""
    return Rooms(pattern.objects())


@cache
def _known_garden(pattern: Pattern) -> Rooms:
    return Rooms({**_known(pattern), "garden": GARDEN})


class _Life:
    """One person, put into words."""

    def __init__(self, one: Citizen, district: District, home: Dwelling, chance: Random) -> None:
        self.one, self.district, self.home, self.chance = one, district, home, chance
        self.data = read_data("lives")
        self.work, self.job = _job(one, district.places)
        self.words = {"name": one.name, "district": district.name, "years": str(chance.randint(2, 20))}
        self.words |= {"She": "she" if one.woman else "he", "her": "her" if one.woman else "his"}

    def fields(self, arena: str, tile: tuple[int, int], graph: nx.Graph) -> dict[str, Any]:
        found: dict[str, Any] = {
            "age": self.one.age,
            "living_area": f"{self.home.household.home_name}:{arena}",
            "start": list(tile),
            "innate": ", ".join(self.chance.sample(self.data["traits"], 3)),
            **self._story(),
            "lifestyle": self._hours(),
        }
        if self.job:
            found["daily_plan_req"] = f"{self.one.name} {self.job['day'].format(place=self._place)}."
        elif self.work:
            found["daily_plan_req"] = f"{self.one.name} learns in the classroom of {self._place} from 9am to 2pm."
        found["knows"] = [self.district.name, self.home.household.home_name]
        ties = {other.name: self._tie(other, graph.edges[self.one, other]) for other in graph[self.one]}
        found["relations"] = Paragraph(ties)
        return found

    @property
    def _place(self) -> str:
        return self.work.name if self.work else ""

    def _story(self) -> dict[str, str]:
        name, she = self.one.name, self.words["She"].capitalize()
        past = self.chance.choice(self.data["pasts"]).format(**self.words)
        likes = self.chance.choice(self.data["likes"])
        busy = self.chance.choice(self.data["busy"])
        if self.job:
            is_a = f"is {_a(self.job['trade'])} at {self._place}"
        elif self.one.age < GROWN:
            is_a, busy = f"is a student at {self._place}", self.chance.choice(self.data["pupils"])
        elif self.one.age >= RETIRED:
            is_a = f"is a retired {self.chance.choice(self.data['home trades'])['trade']}"
        else:
            trade = self.chance.choice(self.data["home trades"])
            is_a, busy = f"is {_a(trade['trade'])} who works at home", self.chance.choice(trade["busy"])
        return {
            "learned": f"{name} {is_a}. {she} {past}, and likes {likes}.",
            "currently": f"{name} is {busy}.",
        }

    def _hours(self) -> str:
        """Return when one gets up, eats and goes to bed: before the work and after it."""
        day = self.job["day"] if self.job else ""
        wakes, latest = 7 + self.chance.randint(0, 1), 11
        if " 6am" in day:
            wakes, latest = 5, 9
        elif "10pm" in day:
            wakes, latest = 8, 11
        elif self.work:
            wakes, latest = (6, 10) if self.job else (7, 9)
        bed = latest - self.chance.randint(0, 1)
        return (
            f"{self.one.name} goes to bed around {bed}pm, wakes up around {wakes}am and eats "
            f"dinner around {self.chance.choice((6, 7))}pm."
        )

    def _tie(self, other: Citizen, edge: dict[str, Any]) -> str:
        kind = self._kin(other) if edge["tie"] == "home" else edge["tie"]
        words = {"other": other.name, "them": "her" if other.woman else "him"}
        words |= {"place": edge.get("place", ""), "district": self.district.name}
        return str(self.chance.choice(self.data["ties"][kind]).format(**words))

    def _kin(self, other: Citizen) -> str:
        if self.home.household.kind == "flat":
            return "housemate"
        roles = self.one.role, other.role
        return {
            ("adult", "adult"): "partner",
            ("adult", "child"): "child",
            ("child", "adult"): "parent",
            ("child", "child"): "sibling",
            ("adult", "grandparent"): "parent",
            ("grandparent", "adult"): "child",
            ("grandparent", "child"): "grandchild",
            ("child", "grandparent"): "grandparent",
        }[roles]


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _job(one: Citizen, places: list[Workplace]) -> tuple[Workplace | None, dict[str, Any] | None]:
    """Return where a person works or learns, and the job."""
    for place in places:
        for other, job in place.staff:
            if other is one:
                return place, job
        if one in place.pupils:
            return place, None
    return None, None
