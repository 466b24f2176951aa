"""Who knows whom in a city: households, workplaces and classes, neighbours, and a few friends far away.

Neighbours know each other as in a graph of Holme and Kim (2002, Physical Review E 65, 026107), whose degrees are
heavy-tailed and whose friends are friends of each other; workmates and classmates as in one of Watts and Strogatz
(1998, Nature 393, 440-442). The bounds: people keep about 12 to 15 close ties (sympathy group: Hill and Dunbar 2003,
Human Nature 14, 53-72), and of two friends of a person about a third know each other (0.31 in a prison: MacRae 1960,
Sociometry 23, 360-371).
"""

from collections.abc import Iterable, Sequence
from random import Random

import networkx as nx

from town_builder.city.household import Citizen, Household
from town_builder.city.work import Workplace

NEIGHBOURS = 3
"""Ties with which each neighbour joins the district; half of their mean degree."""
TRIANGLES = 0.9
"""Chance that a tie between neighbours closes a triangle."""
MATES = 4
"""Workmates or classmates whom each knows, before some are exchanged."""
EXCHANGED = 0.2
FAR = 0.3
"""Friends in another district, for each person, in the mean."""


def household_graph(households: Sequence[Household]) -> nx.Graph:
    """Return everybody, tied to those they live with."""
    graph = nx.Graph()
    for household in households:
        people = household.people
        graph.add_nodes_from(people)
        graph.add_edges_from((one, two, {"tie": "home"}) for at, one in enumerate(people) for two in people[:at])
    return graph


def add_district(graph: nx.Graph, households: Sequence[Household], places: Sequence[Workplace], chance: Random) -> None:
    """Add the ties between workmates, classmates and neighbours of a district."""
    for place in places:
        _add_mates(graph, [one for one, _ in place.staff], ("workmate", place.name), chance)
        _add_mates(graph, sorted(place.pupils, key=lambda one: one.age), ("classmate", place.name), chance)
    people = [one for household in households for one in household.people]
    if len(people) > NEIGHBOURS:
        chance.shuffle(people)
        near = nx.powerlaw_cluster_graph(len(people), NEIGHBOURS, TRIANGLES, seed=chance.randrange(2**32))
        _add(graph, ((people[one], people[two]) for one, two in near.edges), ("neighbour", ""))


def add_far_friends(graph: nx.Graph, districts: Sequence[Sequence[Household]], chance: Random) -> None:
    """Add friendships between people of different districts."""
    parts = [[one for household in district for one in household.people] for district in districts]
    for at, part in enumerate(parts):
        others = [one for other, people in enumerate(parts) if other != at for one in people]
        friends = [one for one in part if others and chance.random() < FAR]
        _add(graph, ((one, chance.choice(others)) for one in friends), ("friend", ""))


def _add_mates(graph: nx.Graph, people: list[Citizen], tie: tuple[str, str], chance: Random) -> None:
    close = nx.watts_strogatz_graph(len(people), min(MATES, len(people)), EXCHANGED, seed=chance.randrange(2**32))
    _add(graph, ((people[one], people[two]) for one, two in close.edges), tie)


def _add(graph: nx.Graph, pairs: Iterable[tuple[Citizen, Citizen]], tie: tuple[str, str]) -> None:
    for one, two in pairs:
        if one is not two and not graph.has_edge(one, two):
            graph.add_edge(one, two, tie=tie[0], place=tie[1])
