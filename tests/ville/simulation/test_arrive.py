"""Everyone on their tile, and what they do to it."""

from datetime import timedelta

import pytest

from ville.errors import CorruptFile
from ville.persona.memory_structures.action import Action
from ville.simulation.arrive import arrive
from ville.world.event import Event

BED, SQUARE, CLOSET = (1, 2), (5, 5), (4, 2)
BED_ADDRESS = "the Town:Ada's flat:main room:bed"


@pytest.fixture
def town(opened):
    return opened("new").town


def act(town, name, address=BED_ADDRESS, object_event=("bed", "is", "warm")):
    """Let somebody do something, as if they had thought of it."""
    action = Action(
        address=address, start=town.clock.now - timedelta(hours=1), minutes=90, description="resting", emoji="💤",
        event=(name, "is", "resting"), object_description="warm", object_event=object_event,
    )  # fmt: skip
    town.personas[name].scratch.begin(action)


def stand(town, **places):
    """Arrive with some people elsewhere than at home."""
    positions = {name: tuple(tile) for name, tile in town.tiles.items()}
    arrive(town, positions | {next(n for n in positions if n.startswith(first)): at for first, at in places.items()})


def test_an_object_is_in_use_while_somebody_uses_it(town):
    """The bed is warm while Ada is there, instead of idle, and idle again when she has left."""
    act(town, "Ada Stone")
    stand(town)
    warm = Event(BED_ADDRESS, "is", "warm", "warm")
    assert town.maze.events_at(BED) == (Event("Ada Stone", "is", "resting", "resting"), warm)
    stand(town, Ada=SQUARE)
    town.personas["Ada Stone"].scratch.planned_path = [BED]
    stand(town, Ada=SQUARE)
    assert town.maze.events_at(BED) == (Event(BED_ADDRESS),)
    assert [event.subject for event in town.maze.events_at(SQUARE)] == ["Ada Stone"]


def test_nobody_uses_what_they_are_still_walking_to(town):
    """Only whoever has arrived changes an object."""
    act(town, "Ada Stone")
    town.personas["Ada Stone"].scratch.planned_path = [CLOSET]
    stand(town)
    assert Event(BED_ADDRESS) in town.maze.events_at(BED)


def test_of_two_users_one_may_leave(town):
    """What each of them does to the object is kept apart."""
    for name in ("Ada Stone", "Ben Reed"):
        act(town, name, object_event=("bed", "is", f"shared by {name}"))
    stand(town, Ben=BED)
    assert len(town.maze.events_at(BED)) == 4
    stand(town, Ben=SQUARE)
    assert Event(BED_ADDRESS, "is", "shared by Ada Stone", "warm") in town.maze.events_at(BED)
    assert not any("Ben" in str(event) for event in town.maze.events_at(BED))


def test_an_object_used_from_afar_leaves_no_ghost(town):
    """Its state shows on the user's tile, and is gone from there when it ends, without an idle copy."""
    act(town, "Ada Stone")
    stand(town, Ada=SQUARE)
    assert len(town.maze.events_at(SQUARE)) == 2
    stand(town, Ada=BED)
    assert town.maze.events_at(SQUARE) == ()


def test_when_nobody_moves_nothing_changes(town):
    """Those who look on can tell that nothing has happened."""
    act(town, "Ada Stone")
    stand(town)
    before = [town.maze.changes(tile) for tile in town.maze]
    stand(town)
    assert [town.maze.changes(tile) for tile in town.maze] == before


def test_what_is_seen_does_not_depend_on_how_it_came_about(town, opened):
    """A town whose people have walked about looks like one that was opened with them where they are now."""
    fresh = opened("fresh").town
    for each in (town, fresh):
        for name in each.personas:
            act(each, name)
    stand(town, Cleo=BED)
    stand(town, Ben=BED, Cleo=BED)
    stand(fresh, Ben=BED, Cleo=BED)
    assert [town.maze.events_at(tile) for tile in town.maze] == [fresh.maze.events_at(tile) for tile in fresh.maze]


def test_somebody_off_the_map_is_one_clear_line(town):
    """The fault names who and where; nobody has moved."""
    before = dict(town.tiles)
    with pytest.raises(CorruptFile, match=r"Ada Stone stands at \(99, 2\)"):
        stand(town, Ada=(99, 2))
    assert town.tiles == before
