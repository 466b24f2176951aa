"""The social graph of towns that can be drawn by hand, and networkx on graphs whose measures are known on paper."""

import pytest
from handmade_runs import ADA, BEN, CLEO, STEPS, sight, talk, thought, write_run, write_save

from ville.analysis.measures import acquaintances, density
from ville.analysis.story import COLDER, story
from ville.analysis.ties import DISLIKES, KINDS, KNOWS, LIKES, TALKED, KindMeasures, SocialGraph, social_graph
from ville.cli.ties_command import graph_lines

HELLO = ((ADA, "Hello."), (BEN, "Hello."))
NOON, EVENING = 720, 1080


@pytest.fixture
def root(small_town):
    return small_town.root / "storage" / "base"


def shown(found: SocialGraph, kind: str, step: int) -> KindMeasures:
    """Return the measures of a kind in the last moment up to a step."""
    moment = [each for each in found.moments if each.step <= step][-1]
    return moment.measures[KINDS.index(kind)]


def test_ties_begin_with_their_evidence(root):
    """A thought or talk makes one know another, a sight does not; a feeling lasts until the impression is another."""
    run = write_run(
        root,
        {
            ADA: [thought(f"Ada knows {CLEO}", 5), sight(f"{BEN} is asleep", 6), talk(BEN, NOON, *HELLO)],
            BEN: [talk(ADA, NOON, *HELLO)],
            CLEO: [sight(f"{ADA} and {BEN} are asleep", 9)],
        },
        relationships={ADA: {BEN: {"relationship": "Ben is my friend", "feeling": "warmth"}}},
    )
    found = social_graph(run)
    ties = {(tie.kind, tie.who, tie.other): (tie.since, tie.until) for tie in found.ties}
    assert ties == {
        (KNOWS, ADA, CLEO): (5, None), (KNOWS, ADA, BEN): (NOON, None), (KNOWS, BEN, ADA): (NOON, None),
        (TALKED, ADA, BEN): (NOON, None), (TALKED, BEN, ADA): (NOON, None), (LIKES, ADA, BEN): (NOON, None),
    }  # fmt: skip
    evidence = {(each.who, each.other): (each.node, each.talk) for each in found.namings}
    assert evidence == {(ADA, CLEO): ("node_1", False), (ADA, BEN): ("node_3", True), (BEN, ADA): ("node_1", True)}


def test_density_is_the_one_of_the_measures(root):
    """At every hour, whoever knows whom by then."""
    run = write_run(
        root,
        {
            ADA: [thought(f"Ada knows {CLEO}", 0), talk(BEN, NOON, *HELLO)],
            BEN: [talk(ADA, NOON, *HELLO), thought(f"{CLEO} is nice", EVENING)],
            CLEO: [thought(f"{ADA} is kind", NOON + 30), thought(f"{BEN} is kind", EVENING + 1)],
        },
    )
    found = social_graph(run)
    for moment in found.moments:
        counted = density(run, acquaintances(run, run.meta.time_of(moment.step)))
        assert moment.measures[KINDS.index(KNOWS)].density == pytest.approx(counted)
    assert [shown(found, KNOWS, step).density for step in (NOON - 1, NOON, STEPS)] == pytest.approx([0, 1 / 3, 1])


def test_measures_of_a_path_are_those_on_paper(root):
    """Of Ada – Ben – Cleo, all paths between the ends lead through Ben, and everyone is in one community."""
    also = ((BEN, "Hello."), (CLEO, "Hello."))
    run = write_run(
        root,
        {
            ADA: [talk(BEN, 60, *HELLO)],
            BEN: [talk(ADA, 60, *HELLO), talk(CLEO, 90, *also)],
            CLEO: [talk(BEN, 90, *also)],
        },
    )
    found = social_graph(run)
    at_end = shown(found, TALKED, STEPS)
    numbers = {name: place for place, name in enumerate(found.people)}
    assert [at_end.betweenness[numbers[name]] for name in (ADA, BEN, CLEO)] == [0, 1, 0]
    assert [at_end.degree[numbers[name]] for name in (ADA, BEN, CLEO)] == [0.5, 1, 0.5]
    assert (at_end.density, at_end.reciprocity, at_end.ties) == (pytest.approx(2 / 3), 1, 4)
    assert at_end.communities == ((0, 1, 2),)
    assert shown(found, LIKES, STEPS).reciprocity is None


def test_half_of_the_feelings_are_returned(root):
    """Reciprocity is the share of ties that are returned: two of three. A dislike is not a liking."""
    kind, cold = {"relationship": "", "feeling": "trust"}, {"relationship": "x", "feeling": "distrust"}
    met = {"relationship": "We met", "feeling": "friendship"}
    run = write_run(
        root, {}, relationships={ADA: {BEN: met, CLEO: met}, BEN: {ADA: met, CLEO: cold}, CLEO: {BEN: kind}}
    )
    found = social_graph(run)
    likes, dislikes = (shown(found, name, STEPS) for name in (LIKES, DISLIKES))
    assert (likes.ties, likes.reciprocity, likes.density) == (3, pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert (dislikes.ties, dislikes.reciprocity) == (1, 0)


def test_the_layout_is_the_same_every_time(root):
    """One place for each persona, at all times, and the same when it is computed again."""
    memories = {ADA: [talk(BEN, 60, *HELLO)], BEN: [talk(ADA, 60, *HELLO)]}
    found = [social_graph(write_run(root, memories)) for _ in range(2)]
    assert found[0].places == found[1].places
    assert len(found[0].places) == len(found[0].people)


def test_a_feeling_ends_when_the_next_impression_is_another(root):
    """An impression is of the last talk since the save before; without one, only the save that has it is known."""
    warm, cold = ({"relationship": "Ben", "feeling": feeling} for feeling in ("trust", "distrust"))
    run = write_run(
        root,
        {ADA: [talk(BEN, NOON, *HELLO)], BEN: [talk(ADA, NOON, *HELLO)]},
        relationships={ADA: {BEN: cold}, BEN: {ADA: warm}},
    )
    write_save(run, 660, {ADA: {BEN: warm}})
    found = social_graph(run)
    noted = {(each.who, each.step, each.liking, each.by_save) for each in found.impressions}
    assert noted == {(ADA, 660, LIKES, True), (ADA, NOON, DISLIKES, False), (BEN, NOON, LIKES, False)}
    felt = {(tie.kind, tie.who, tie.since, tie.until) for tie in found.ties if tie.kind in {LIKES, DISLIKES}}
    assert felt == {(LIKES, ADA, 660, NOON), (DISLIKES, ADA, NOON, None), (LIKES, BEN, NOON, None)}
    assert [shown(found, LIKES, step).ties for step in (659, 660, NOON)] == [0, 1, 1]
    colder = [part.lead for day in story(run).days for part in day.chapters]
    assert [(each.kind, each.step, each.names) for each in colder if each.kind == COLDER] == [
        (COLDER, NOON, (ADA, BEN))
    ]


def test_hours_in_which_nothing_changes_are_not_printed(root):
    """Only the beginning, and the hour of a talk with the kinds that it changed."""
    run = write_run(root, {ADA: [talk(BEN, NOON, *HELLO)], BEN: [talk(ADA, NOON, *HELLO)]})
    _, *lines = graph_lines(run, social_graph(run))
    hours = lines[: lines.index("")]
    assert [line[:13] for line in hours if line[0] != " "] == ["Feb 13, 00:00", "Feb 13, 12:00"]
    assert [line[14:].split()[0] for line in hours[4:]] == [KNOWS, TALKED]
