"""Laws of the map and its events."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import TileOffMap
from ville.world.address import Address, Tile
from ville.world.maze import CELL, Place
from ville.world.tile_event import Event

CAFE = Place("the Town", "Cafe", "cafe")
PIANO = Place("the Town", "Cafe", "cafe", "piano")
PLACES = {"c": CAFE, "p": PIANO, "S": CAFE}
IDLE_PIANO = Event("the Town:Cafe:cafe:piano")
ADA = Event("Ada Stone", "is", "singing", "singing")


@pytest.fixture
def maze(draw):
    return draw("........", ".ccp#...", ".cSp#...", "........", places=PLACES)


def test_addresses_have_their_tiles(maze):
    """Every level of an address lists its tiles row by row; the world alone has none."""
    piano = (Tile(3, 1), Tile(3, 2))
    cafe = (Tile(1, 1), Tile(2, 1), Tile(3, 1), Tile(1, 2), Tile(2, 2), Tile(3, 2))
    assert maze.address_tiles == {
        "the Town:Cafe": cafe,
        "the Town:Cafe:cafe": cafe,
        "the Town:Cafe:cafe:piano": piano,
        "<spawn_loc>sp-A": (Tile(2, 2),),
    }


def test_places_within_a_place(maze):
    """Arenas and objects of a sector, not those of one whose name begins alike."""
    assert maze.places_in(Address("the Town", "Cafe")) == [
        Address("the Town", "Cafe", "cafe"), Address("the Town", "Cafe", "cafe", "piano"),
    ]  # fmt: skip
    assert maze.places_in(Address("the Town", "Caf")) == []


def test_paths_keep_the_colons_of_empty_parts(maze):
    """A path has as many parts as its level, even where a tile belongs to no place."""
    assert maze.tile_path(Tile(0, 0), "arena") == "the Town::"
    assert maze.tile_path(Tile(3, 1), "sector") == "the Town:Cafe"
    assert maze.tile_path(Tile(3, 1), "game_object") == "the Town:Cafe:cafe:piano"


def square(maze, here, radius):
    """Return the tiles of the square around a tile, column by column, within the map."""
    return sorted(tile for tile in maze if abs(tile.x - here.x) <= radius and abs(tile.y - here.y) <= radius)


def test_only_events_in_the_own_arena_are_visible(maze):
    """Within the square, the nearest first, in order of addition."""
    maze.add_event(Tile(1, 2), ADA)
    maze.add_event(Tile(0, 0), Event("Ben Reed"))
    assert maze.events_near(Tile(2, 1), 8) == [
        (Tile(3, 1), IDLE_PIANO),
        (Tile(1, 2), ADA),
        (Tile(3, 2), IDLE_PIANO),
    ]
    assert maze.events_near(Tile(1, 1), 1) == [(Tile(1, 2), ADA)]
    assert maze.events_near(Tile(5, 3), 8) == [(Tile(0, 0), Event("Ben Reed"))]


@pytest.mark.parametrize("radius", [0, 1, 9])
def test_nearby_places_are_distinct_and_in_order(maze, radius):
    """Those of the square around every tile, also at the borders, column by column."""
    for tile in maze:
        expected = dict.fromkeys(maze.place(near) for near in square(maze, tile, radius))
        assert maze.places_near(tile, radius) == tuple(expected)


def test_events_are_added_and_replaced(maze):
    """Each is there once, in order of addition; other tiles do not change."""
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
def test_changes_are_counted_exactly(draw, deeds):
    """The counter of a tile changes if and only if the events do that can be seen from it."""
    maze = draw("........")
    for tile, events in deeds:
        before, count = maze.events_near(tile, 9), maze.changes(tile, 9)
        (maze.replace_events if isinstance(events, list) else maze.add_event)(tile, events)
        assert (maze.changes(tile, 9) != count) == (maze.events_near(tile, 9) != before)


def test_changes_in_other_arenas_are_not_counted(maze):
    """Each arena has its own counters."""
    before = maze.changes(Tile(1, 1), 9)
    maze.add_event(Tile(0, 0), ADA)
    assert maze.changes(Tile(1, 1), 9) == before


WIDE = ["." * 40] * 20
wide = st.builds(Tile, st.integers(0, 39), st.integers(0, 19))


@given(st.lists(st.tuples(wide, st.lists(doings, unique=True))), wide, st.integers(0, 20))
def test_cells_show_what_a_look_at_every_tile_shows(draw, deeds, here, radius):
    """Outdoors too, where the town is cut into cells; no change in sight goes unnoticed, and none far away is seen."""
    maze, seen = draw(*WIDE), []
    for tile, events in deeds:
        before = maze.changes(here, radius)
        maze.replace_events(tile, events)
        tiles = sorted(square(maze, here, radius), key=lambda near: (near.x - here.x) ** 2 + (near.y - here.y) ** 2)
        now = [(near, event) for near in tiles for event in maze.events_at(near)]
        assert maze.events_near(here, radius) == now
        assert now == seen or maze.changes(here, radius) != before
        far = max(abs(tile.x - here.x), abs(tile.y - here.y)) >= radius + CELL
        assert not far or maze.changes(here, radius) == before
        seen = now


@pytest.mark.parametrize("tile", [Tile(-1, 0), Tile(8, 0), Tile(0, 4)])
def test_a_tile_off_the_map_is_refused(maze, tile):
    """It is never taken for another tile."""
    assert tile not in maze
    with pytest.raises(TileOffMap, match=f"no tile {tile.x}, {tile.y}"):
        maze.details(tile)


def test_details_have_the_keys_of_the_released_code(maze):
    """In the same order."""
    assert maze.details(Tile(4, 1)) == {
        "world": "the Town", "sector": "", "arena": "", "game_object": "",
        "spawning_location": "", "collision": True, "events": (),
    }  # fmt: skip


def test_pixels_are_rounded_up_to_tiles(maze):
    """On both axes."""
    assert maze.tile_at_pixel(1600, 384) == Tile(50, 12)
    assert maze.tile_at_pixel(1.5, 33) == Tile(1, 2)
