"""Positions of personas, and the objects they use."""

from datetime import timedelta
from random import Random

import pytest

from ville.errors import CorruptFile
from ville.persona.memory_structures.action import Action
from ville.simulation.stepping.arrive import arrive
from ville.world.occurrences import LastingState, Occurrences
from ville.world.tile_event import Event

BED, SQUARE, CLOSET = (1, 2), (5, 5), (4, 2)
BED_ADDRESS = "the Town:Ada's flat:main room:bed"


@pytest.fixture
def town(opened):
    return opened("new").town


def act(town, name, address=BED_ADDRESS, object_event=("bed", "is", "warm")):
    """Give a persona an action."""
    action = Action(
        address=address, start=town.clock.now - timedelta(hours=1), minutes=90, description="resting", emoji="💤",
        event=(name, "is", "resting"), object_description="warm", object_event=object_event,
    )  # fmt: skip
    town.personas[name].scratch.begin(action)


def stand(town, **places):
    """Place some personas away from home."""
    positions = {name: tuple(tile) for name, tile in town.tiles.items()}
    arrive(town, positions | {next(n for n in positions if n.startswith(first)): at for first, at in places.items()})


def test_an_object_is_in_use_while_a_persona_uses_it(town):
    """The bed is in use while Ada is there, and idle after she leaves."""
    act(town, "Ada Stone")
    stand(town)
    warm = Event(BED_ADDRESS, "is", "warm", "warm")
    assert town.maze.events_at(BED) == (Event("Ada Stone", "is", "resting", "resting"), warm)
    stand(town, Ada=SQUARE)
    town.personas["Ada Stone"].scratch.planned_path = [BED]
    stand(town, Ada=SQUARE)
    assert town.maze.events_at(BED) == (Event(BED_ADDRESS),)
    assert [event.subject for event in town.maze.events_at(SQUARE)] == ["Ada Stone"]


def test_an_object_is_not_in_use_before_arrival(town):
    """Only a persona that has arrived changes an object."""
    act(town, "Ada Stone")
    town.personas["Ada Stone"].scratch.planned_path = [CLOSET]
    stand(town)
    assert Event(BED_ADDRESS) in town.maze.events_at(BED)


def test_of_two_users_one_may_leave(town):
    """The effects of both on the object are kept apart."""
    for name in ("Ada Stone", "Ben Reed"):
        act(town, name, object_event=("bed", "is", f"shared by {name}"))
    stand(town, Ben=BED)
    assert len(town.maze.events_at(BED)) == 4
    stand(town, Ben=SQUARE)
    assert Event(BED_ADDRESS, "is", "shared by Ada Stone", "warm") in town.maze.events_at(BED)
    assert not any("Ben" in str(event) for event in town.maze.events_at(BED))


def test_an_object_used_from_afar_leaves_no_copy(town):
    """Its state shows on the user's tile, and disappears from there at the end, without an idle copy."""
    act(town, "Ada Stone")
    stand(town, Ada=SQUARE)
    assert len(town.maze.events_at(SQUARE)) == 2
    stand(town, Ada=BED)
    assert town.maze.events_at(SQUARE) == ()


def test_without_moves_the_map_does_not_change(town):
    """The map is not touched, so observers can skip the step."""
    act(town, "Ada Stone")
    stand(town)
    before = [town.maze.changes(tile, 0) for tile in town.maze]
    stand(town)
    assert [town.maze.changes(tile, 0) for tile in town.maze] == before


def test_events_depend_on_the_personas_alone(town, opened):
    """A town where personas have walked around equals one that was opened with them at the same places."""
    fresh = opened("fresh").town
    for each in (town, fresh):
        for name in each.personas:
            act(each, name)
    stand(town, Cleo=BED)
    stand(town, Ben=BED, Cleo=BED)
    stand(fresh, Ben=BED, Cleo=BED)
    assert [town.maze.events_at(tile) for tile in town.maze] == [fresh.maze.events_at(tile) for tile in fresh.maze]


def slow_events(town):
    """Return the events of each tile, from a look at everyone and everything."""
    caused = {}
    for name, persona in town.personas.items():
        used = persona.scratch.visible_object_event()
        is_used = used and used.predicate and not persona.scratch.planned_path
        here = caused.setdefault(town.tiles[name], [])
        here += [persona.scratch.visible_event()]
        here += [used] if is_used and not town.occurrences.state_of(used.subject) else []
    for state in town.occurrences.objects:
        for tile in town.maze.address_tiles[state.where]:
            caused.setdefault(tile, []).append(state.event)
    events = {}
    for tile in town.maze:
        thing, here = town.maze.tile_path(tile, "game_object"), dict.fromkeys(caused.get(tile, []))
        rests = town.maze.place(tile).game_object and thing not in {event.subject for event in here}
        events[tile] = (*([Event(thing)] if rests else []), *here)
    return events


def test_the_map_shows_what_a_look_at_everyone_shows(town):
    """However personas walk, act and move away, and objects change; and people are found by tile, arena and use."""
    lot = Random(1)  # noqa: S311 - not for secrets
    objects = [path for path in town.maze.address_tiles if path.count(":") == 3]
    tiles = [tile for tile in town.maze if not town.maze.is_wall(tile)]
    places = {name: tuple(tile) for name, tile in town.tiles.items()}
    for step in range(80):
        for name in lot.sample([*town.personas], 2):
            places[name] = tuple(lot.choice(tiles))
            act(town, name, lot.choice(objects), ("it", "is", lot.choice(["warm", "wet"])))
            town.personas[name].scratch.planned_path = [BED] * lot.randint(0, 1)
        if lot.random() < 0.2:
            state = LastingState(where=lot.choice(objects), words="broken", since=step)
            town.occurrences = lot.choice([town.occurrences.with_object(state), Occurrences()])
        if step == 60:
            town.move_away(next(iter(town.personas)))
        arrive(town, places)
        assert {tile: town.maze.events_at(tile) for tile in town.maze} == slow_events(town)
        view = town.view()
        everyone = list(view.people.values())
        for here in lot.sample(tiles, 5) + [each.tile for each in everyone]:
            arena = town.maze.tile_path(here, "arena")
            assert list(view.people.on(here)) == [each for each in everyone if each.tile == here]
            assert list(view.in_arena_of(here)) == [
                each for each in everyone if town.maze.tile_path(each.tile, "arena") == arena
            ]
        for path in objects:
            assert list(view.people.who_use(path)) == [each for each in everyone if each.address == path]


def test_a_persona_off_the_map_is_a_one_line_error(town):
    """The message names persona and position; nothing has moved."""
    before = dict(town.tiles)
    with pytest.raises(CorruptFile, match=r"Ada Stone stands at \(99, 2\)"):
        stand(town, Ada=(99, 2))
    assert town.tiles == before
