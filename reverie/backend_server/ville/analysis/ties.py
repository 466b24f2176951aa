"""The social graph of a run: who knows, has talked with, likes and dislikes whom, from when on and by which evidence.

A persona *knows* another once it has talked with it or had a thought that names it; two who know each other are the
acquaintances of the paper (Park et al. 2023, section 7.1.2), and density is that of `measures`. *Talked* begins with
the first conversation that is remembered. *Likes* and *dislikes* are no more than words of the impression of the other
that a persona noted around a talk (`impressions`): what was never put into words is not there, and no one was asked.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta

import networkx as nx

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.comparison.memory_streams import OwnTalk, talks_of
from ville.analysis.impressions import DISLIKES, LIKES, KeptImpression, impressions
from ville.analysis.measures import namings
from ville.json_types import JsonObject

KNOWS, TALKED = "knows", "talked"
KINDS = (KNOWS, TALKED, LIKES, DISLIKES)
HOUR = timedelta(hours=1)
SEED = 0
"""Of the layout, and of the people from whom paths are counted."""
SPREAD = 1.2
"""Distance of people in the layout that the springs aim at, so that their portraits do not overlap."""
MOST_SOURCES = 100
"""People from whom shortest paths are counted for betweenness, if there are more."""
DIGITS = 4
Tally = Mapping[tuple[int, int], float]
"""Weight of each tie, by the numbers of its two people."""


@dataclass(frozen=True)
class SocialTie:
    """A directed tie while it lasts."""

    kind: str
    who: str
    other: str
    since: int
    """Step."""
    until: int | None = None
    """The first step without it; None if it lasts. Only feelings end."""

    def is_there_in(self, step: int) -> bool:
        return self.since <= step and (self.until is None or self.until > step)


@dataclass(frozen=True)
class FirstNaming:
    """The memory by which a persona knows another."""

    who: str
    other: str
    step: int
    node: str
    """For example `node_12`."""
    talk: bool
    """Whether it is a conversation, not a thought."""
    text: str


@dataclass(frozen=True)
class KindMeasures:
    """Ties of one kind at a moment. People are numbers in the order of `SocialGraph.people`."""

    kind: str
    ties: int
    density: float | None
    """Pairs with a tie in both directions, of all pairs; None for a single persona."""
    reciprocity: float | None
    """Share of ties that are returned; None without ties."""
    communities: tuple[tuple[int, ...], ...]
    """Groups of two or more by greedy modularity (Clauset et al. 2004), the largest first."""
    degree: tuple[float, ...]
    """Degree centrality of each persona by its ties with others, in any direction."""
    betweenness: tuple[float, ...]
    """Share of shortest paths between others that lead through each persona (Brandes 2008)."""


@dataclass(frozen=True)
class GraphMoment:
    """The graph in a step."""

    step: int
    measures: tuple[KindMeasures, ...]


@dataclass(frozen=True)
class SocialGraph:
    """All ties of a run with their evidence, and what was measured of them by the hour."""

    name: str
    people: tuple[str, ...]
    first: int
    """The first step with a record: earlier evidence is from before the run."""
    steps: int
    ties: tuple[SocialTie, ...]
    """In order of time."""
    places: tuple[tuple[float, float], ...]
    """Where each persona is drawn, from -1 to 1: the same at all times."""
    moments: tuple[GraphMoment, ...]
    namings: tuple[FirstNaming, ...]
    talks: tuple[OwnTalk, ...]
    impressions: tuple[KeptImpression, ...]

    def as_json(self) -> JsonObject:
        """Return all of it as JSON."""
        return asdict(self)


def social_graph(run: ComparedRun) -> SocialGraph:
    """Return the social graph of a run at all times."""
    named = sorted(_first_namings(run), key=lambda each: (each.step, each.who, each.other))
    talks = [talk for talk in talks_of(run) if all(name in run.people for name in talk.names)]
    noted = impressions(run)
    ties = _in_order([*map(_known, named), *_talked(talks), *_felt(noted)])
    found = _Counted(run.people, ties, tuple(talks))
    moments = tuple(found.moments(_hours(run)))
    return SocialGraph(
        run.name, run.people, run.first, run.steps, ties, found.places(run.steps), moments,
        tuple(named), tuple(talks), tuple(noted),
    )  # fmt: skip


def known_and_felt(run: ComparedRun, noted: Iterable[KeptImpression]) -> tuple[SocialTie, ...]:
    """Return who knows, likes and dislikes whom, in order of time; impressions are those that were `noted`."""
    return _in_order([*map(_known, _first_namings(run)), *_felt(noted)])


def _in_order(ties: Iterable[SocialTie]) -> tuple[SocialTie, ...]:
    return tuple(sorted(ties, key=lambda tie: (tie.since, KINDS.index(tie.kind), tie.who, tie.other)))


def _first_namings(run: ComparedRun) -> Iterator[FirstNaming]:
    for (who, other), node in namings(run).items():
        named = f"node_{node['node_count']}"
        yield FirstNaming(who, other, run.step_of(node), named, node["type"] == "chat", str(node["description"]))


def _known(naming: FirstNaming) -> SocialTie:
    return SocialTie(KNOWS, naming.who, naming.other, naming.step)


def _talked(talks: Iterable[OwnTalk]) -> Iterator[SocialTie]:
    """Yield a tie in both directions since the first talk of two."""
    begun: dict[tuple[str, ...], int] = {}
    for talk in talks:
        begun.setdefault(talk.names, talk.step)
    for (one, other), step in begun.items():
        yield from (SocialTie(TALKED, *pair, step) for pair in ((one, other), (other, one)))


def _felt(noted: Iterable[KeptImpression]) -> Iterator[SocialTie]:
    """Yield a tie for each time in which a feeling for another is liking, or dislike."""
    by_pair: dict[tuple[str, str], list[KeptImpression]] = defaultdict(list)
    for each in noted:
        pair = by_pair[each.who, each.other]
        if not pair or pair[-1].liking != each.liking:
            pair.append(each)
    for (who, other), changes in by_pair.items():
        ends = [*(each.step for each in changes[1:]), None]
        for each, end in zip(changes, ends, strict=True):
            if each.liking:
                yield SocialTie(each.liking, who, other, each.step, end)


def _hours(run: ComparedRun) -> list[int]:
    """Return the steps at which the graph is measured: the first one, each full hour, and the end of the run."""
    time = run.meta.time_of(run.first).replace(minute=0, second=0) + HOUR
    found = [run.first]
    while time < run.ends:
        found.append(run.step_at(time))
        time += HOUR
    return [*dict.fromkeys([*found, run.steps])]


@dataclass(frozen=True)
class _Counted:
    """Ties as graphs of networkx, whose nodes are numbers: sets of them have the same order in every process."""

    people: tuple[str, ...]
    ties: tuple[SocialTie, ...]
    talks: tuple[OwnTalk, ...]

    def moments(self, steps: Sequence[int]) -> Iterator[GraphMoment]:
        """Yield the measures in each of some steps. What has not changed is not measured again."""
        known: dict[str, tuple[Tally, KindMeasures]] = {}
        for step in steps:
            for kind in KINDS:
                tally = self.tally(kind, step)
                if kind not in known or known[kind][0] != tally:
                    known[kind] = (tally, _measured(kind, self._graph(tally)))
            yield GraphMoment(step, tuple(known[kind][1] for kind in KINDS))

    def tally(self, kind: str, step: int) -> Tally:
        """Return the ties of a kind in a step; those who talked weigh as much as they talked."""
        number = {name: place for place, name in enumerate(self.people)}
        lasting = (tie for tie in self.ties if tie.kind == kind and tie.is_there_in(step))
        found = {(number[tie.who], number[tie.other]): 0 if kind == TALKED else 1 for tie in lasting}
        for talk in self.talks if kind == TALKED else ():
            if talk.step <= step:
                one, other = (number[name] for name in talk.names)
                found[one, other] += 1
                found[other, one] += 1
        return found

    def _graph(self, tally: Tally) -> nx.DiGraph:
        graph = nx.DiGraph()
        graph.add_nodes_from(range(len(self.people)))
        graph.add_weighted_edges_from((one, other, weight) for (one, other), weight in tally.items())
        return graph

    def places(self, steps: int) -> tuple[tuple[float, float], ...]:
        """Return where each persona is drawn, by all that there is between two at the end of the run."""
        between: dict[tuple[int, int], float] = defaultdict(float)
        for kind in KINDS:
            for (one, other), weight in self.tally(kind, steps).items():
                between[min(one, other), max(one, other)] += weight
        graph = nx.Graph()
        graph.add_nodes_from(range(len(self.people)))
        graph.add_weighted_edges_from((one, other, weight) for (one, other), weight in between.items())
        found = nx.spring_layout(graph, k=SPREAD, seed=SEED, iterations=300)
        return tuple((round(float(found[node][0]), DIGITS), round(float(found[node][1]), DIGITS)) for node in graph)


def _measured(kind: str, graph: nx.DiGraph) -> KindMeasures:
    both, either = graph.to_undirected(reciprocal=True), graph.to_undirected()
    ties = graph.number_of_edges()
    sources = min(len(graph), MOST_SOURCES)
    between = nx.betweenness_centrality(graph, k=sources, seed=SEED) if ties else dict.fromkeys(graph, 0.0)
    groups = nx.community.greedy_modularity_communities(either, weight="weight") if ties else []
    degree = nx.degree_centrality(either)
    return KindMeasures(
        kind,
        ties,
        nx.density(both) if len(graph) > 1 else None,
        nx.overall_reciprocity(graph) if ties else None,
        tuple(
            sorted((tuple(sorted(group)) for group in groups if len(group) > 1), key=lambda each: (-len(each), each))
        ),
        tuple(round(degree[node], DIGITS) for node in graph),
        tuple(round(between[node], DIGITS) for node in graph),
    )
