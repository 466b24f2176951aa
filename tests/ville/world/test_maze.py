"""Laws of the map and of what happens on it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import TileOffMap
from ville.world.address import Tile
from ville.world.event import Event
from ville.world.maze import Place

CAFE = Place("the Town", "Cafe", "cafe")
PIANO = Place("the Town", "Cafe", "cafe", "piano")
PLACES = {"c": CAFE, "p": PIANO, "S": CAFE}
IDLE_PIANO = Event("the Town:Cafe:cafe:piano")
ADA = Event("Ada Stone", "is", "singing", "singing")


@pytest.fixture
def maze(draw):
    return draw("........", ".ccp#...", ".cSp#...", "........", places=PLACES)


def test_addresses_know_their_tiles(maze):
    """Every level of an address lists its tiles row by row; the world alone has no key."""
    piano = (Tile(3, 1), Tile(3, 2))
    cafe = (Tile(1, 1), Tile(2, 1), Tile(3, 1), Tile(1, 2), Tile(2, 2), Tile(3, 2))
    assert maze.address_tiles == {
        "the Town:Cafe": cafe,
        "the Town:Cafe:cafe": cafe,
        "the Town:Cafe:cafe:piano": piano,
        "<spawn_loc>sp-A": (Tile(2, 2),),
    }


@pytest.mark.parametrize(
    ("place", "private"),
    [
        (Place("the Town", "Ada Stone's house", "kitchen", "sink"), ("Ada Stone's house",)),
        (Place("the Town", "Inn", "Ben Reed's room"), ("Ben Reed's room",)),
        (Place("the Town", "Lin family's house", "Eddy Lin's room"), ("Lin family's house", "Eddy Lin's room")),
        (Place("the Town", "House of cards", "common room"), ()),
        (Place("the Town"), ()),
    ],
)
def test_a_place_is_private_if_its_house_or_its_room_has_an_owner(place, private):
    """The name tells, at the level of the sector and of the arena."""
    assert place.private == private


def test_paths_keep_the_colons_of_empty_parts(maze):
    """A path has as many parts as its level, even where a tile belongs to nothing."""
    assert maze.tile_path(Tile(0, 0), "arena") == "the Town::"
    assert maze.tile_path(Tile(3, 1), "sector") == "the Town:Cafe"
    assert maze.tile_path(Tile(3, 1), "game_object") == "the Town:Cafe:cafe:piano"


@given(st.integers(0, 7), st.integers(0, 3), st.integers(0, 9))
def test_nearby_is_the_clipped_box(draw, x, y, radius):
    """Nearby are exactly the tiles at most `radius` away on both axes, to the last row and column, column by column."""
    maze = draw(*["........"] * 4)
    near = maze.nearby(Tile(x, y), radius)
    assert set(near) == {tile for tile in maze if abs(tile.x - x) <= radius and abs(tile.y - y) <= radius}
    assert near == sorted(near)


def test_one_sees_only_ones_own_arena(maze):
    """Events are seen inside the box and inside the arena, column by column, in the order they came."""
    maze.add_event(Tile(1, 2), ADA)
    maze.add_event(Tile(0, 0), Event("Ben Reed"))
    assert maze.events_near(Tile(2, 1), 8) == [
        (Tile(1, 2), ADA),
        (Tile(3, 1), IDLE_PIANO),
        (Tile(3, 2), IDLE_PIANO),
    ]
    assert maze.events_near(Tile(1, 1), 1) == [(Tile(1, 2), ADA)]
    assert maze.events_near(Tile(5, 3), 8) == [(Tile(0, 0), Event("Ben Reed"))]


def test_places_near_are_different_and_in_order(maze):
    """What the box belongs to is listed once each, in the order of nearby."""
    expected = dict.fromkeys(maze.place(tile) for tile in maze.nearby(Tile(2, 1), 1))
    assert maze.places_near(Tile(2, 1), 1) == tuple(expected)


def test_events_come_and_go(maze):
    """They gather in the order in which they come, each once; others take their place, and no other tile's."""
    here, elsewhere = Tile(3, 1), Tile(3, 2)
    for event in (ADA, IDLE_PIANO, ADA):
        maze.add_event(here, event)
    assert maze.events_at(here) == (IDLE_PIANO, ADA)
    playing = IDLE_PIANO._replace(predicate="be", object="played", description="being played")
    maze.replace_events(here, [ADA, playing])
    assert maze.events_at(here) == (ADA, playing)
    maze.replace_events(here, [])
    assert (maze.events_at(here), maze.events_at(elsewhere)) == ((), (IDLE_PIANO,))


doings = st.sampled_from([ADA, Event("Ada Stone"), Event("Ben Reed", "is", "here", "here")])
deeds = st.lists(st.tuples(st.sampled_from([Tile(0, 0), Tile(5, 0)]), doings | st.lists(doings, unique=True)))


@given(deeds)
def test_a_change_is_counted_exactly_when_something_changed(draw, deeds):
    """The counter of an arena moves if and only if the events in that arena are not what they were."""
    maze = draw("........")
    for tile, events in deeds:
        before, count = maze.events_near(tile, 9), maze.changes(tile)
        (maze.replace_events if isinstance(events, list) else maze.add_event)(tile, events)
        assert (maze.changes(tile) != count) == (maze.events_near(tile, 9) != before)


def test_changes_elsewhere_are_not_counted(maze):
    """What happens in another arena leaves this one's counter alone."""
    before = maze.changes(Tile(1, 1))
    maze.add_event(Tile(0, 0), ADA)
    assert maze.changes(Tile(1, 1)) == before


@pytest.mark.parametrize("tile", [Tile(-1, 0), Tile(8, 0), Tile(0, 4)])
def test_a_tile_off_the_map_is_a_clear_fault(maze, tile):
    """No tile outside the borders is silently taken for another one."""
    assert tile not in maze
    with pytest.raises(TileOffMap, match=f"no tile {tile.x}, {tile.y}"):
        maze.details(tile)


def test_details_are_the_classic_record(maze):
    """A tile's record has the classic keys in the classic order."""
    assert maze.details(Tile(4, 1)) == {
        "world": "the Town", "sector": "", "arena": "", "game_object": "",
        "spawning_location": "", "collision": True, "events": (),
    }  # fmt: skip


def test_pixels_round_up(maze):
    """A pixel position belongs to the tile it has reached, rounding up on both axes."""
    assert maze.tile_at_pixel(1600, 384) == Tile(50, 12)
    assert maze.tile_at_pixel(1.5, 33) == Tile(1, 2)
