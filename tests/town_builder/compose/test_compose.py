"""A composed town: grass everywhere, every wall visible, people between background and foreground."""

from dataclasses import replace

import pytest

from town_builder.art.canvas import OPAQUE, TILE
from town_builder.art.catalogue import picture_of, stamps
from town_builder.art.outdoors.shrubs import SIDES
from town_builder.compose import compose
from town_builder.compose.canvases import pieces
from town_builder.compose.things import VARIETY, variant
from town_builder.grid.compile import is_wall
from town_builder.plan.placement import PlacedStamp, Placement
from town_builder.plan.shapes import rectangle
from town_builder.plan.town_plan import FACADE, OUTSIDE, Plan, TerrainPatch
from town_builder.stamps import OVER as RISES
from town_builder.tiled.layers import (
    FLOOR,
    FURNITURE,
    GROUND,
    HIGH,
    ITEMS,
    LOW,
    OVER,
    OVER_ALL,
    PICTURE_LAYERS,
    TERRAIN,
    WALL,
)

ROWS = ["##########", "#AAAA#BBB#", "#AAAA#BBB#", "#AAAA+BBB#", "#AAAA#BBB#", "###++#####", "___++_____"]
NOTHING = Placement((), frozenset())


def same(one, other):
    return one.keys() == other.keys() and all((one[tile].pixels == other[tile].pixels).all() for tile in one)


def test_grass_is_everywhere(plan, pictures):
    """Every cell of the lowest layer is opaque."""
    ground = pictures[GROUND]
    assert ground.keys() == rectangle((0, 0, plan.width, plan.height))
    assert all((cell.pixels[..., 3] == OPAQUE).all() for cell in ground.values())


def test_every_cell_is_one_tile_of_the_map(plan, pictures):
    """All ten layers are in order; pictures are 32 × 32, not empty and inside the map."""
    assert tuple(pictures) == PICTURE_LAYERS
    for cells in pictures.values():
        assert all(plan.inside(tile) for tile in cells)
        assert all(cell.pixels.shape == (TILE, TILE, 4) and cell.drawn.any() for cell in cells.values())


def test_every_wall_is_visible(plan, pictures):
    """Every wall, wall face and facade tile has a picture in the wall layer."""
    for building in plan.buildings:
        walls = {tile for tile in building.tiles if is_wall(building, tile)}
        assert walls <= pictures[WALL].keys()


def test_every_room_has_a_floor(plan, pictures):
    """Every room and doorway tile has a complete floor, and open ground has none."""
    inside = {tile: mark for building in plan.buildings for tile, mark in building.tiles.items() if mark != FACADE}
    for tile, mark in inside.items():
        if mark != "#":
            assert tile in pictures[FLOOR]
        if mark not in {"#", "+"}:
            assert (pictures[FLOOR][tile].pixels[..., 3] == OPAQUE).all()
    assert pictures[FLOOR].keys() <= inside.keys()


def alone(name, tiles=12):
    """Return the place of a single stamp in a meadow, and the resulting layers."""
    one = PlacedStamp(stamps()[name], (4, 4), None, 1)
    size = {"width": tiles, "height": tiles}
    nothing = {"terrain": (), "scatter": (), "buildings": (), "areas": (), "things": ()}
    plan = Plan("meadow.yaml", "", "meadow", "here", **size, **nothing)
    return one, compose(plan, Placement((one,), frozenset()))


def test_what_rises_is_drawn_before_people():
    """A tile marked ^ has no picture under people; every other tile has."""
    for name in stamps():
        one, pictures = alone(name)
        rising = one.tiles(one.stamp.tiles(RISES))
        under = {tile for layer in (LOW, HIGH, FURNITURE, ITEMS) for tile in pictures[layer]}
        assert not rising & under, name
        assert one.solid <= under, name
        assert pictures[OVER].keys() | under <= one.footprint | {(x, y - 1) for x, y in one.footprint}, name


def test_covers_are_drawn_before_people():
    """Every opaque pixel of a cover is visible in the foreground."""
    for name in [name for name in stamps() if picture_of(name).cover]:
        one, pictures = alone(name)
        cover = picture_of(name, variant=one.variant % VARIETY).cover
        for tile, part in pieces(cover, (one.at[0] * TILE, one.at[1] * TILE)):
            shown = (pictures[OVER_ALL] if tile in pictures[OVER_ALL] else pictures[OVER])[tile]
            solid = part.pixels[..., 3] == OPAQUE
            assert (shown.pixels[solid] == part.pixels[solid]).all(), name


def test_flat_things_lie_under_all_others(plan):
    """A rug is under a table even if it extends further south."""
    rug, table = PlacedStamp(stamps()["rug"], (3, 3), None, 1), PlacedStamp(stamps()["coffee table"], (3, 3), None, 1)
    both = compose(replace(plan, buildings=()), Placement((table, rug), frozenset()))
    one = compose(replace(plan, buildings=()), Placement((rug,), frozenset()))
    assert (both[LOW][3, 3].pixels == one[LOW][3, 3].pixels).all()
    assert both[HIGH].keys() >= {(3, 3), (4, 3)}


def test_fences_know_their_neighbours():
    """The low bits of a fence's variant are the sides with another fence."""
    posts = [PlacedStamp(stamps()["fence"], at, None, 1) for at in ((5, 5), (6, 5), (5, 6), (8, 5))]
    neighbours = {"fence": frozenset(post.at for post in posts)}
    assert [variant(post, neighbours) % SIDES for post in posts] == [2 + 4, 8, 1, 0]


def test_the_same_town_every_time(plan, placement, pictures):
    """Composing again gives the same bytes in every layer."""
    again = compose(plan, placement)
    assert all(same(pictures[name], again[name]) for name in PICTURE_LAYERS)


@pytest.mark.parametrize("step", [(1, 0), (0, 3), (11, 8)])
def test_a_house_moves_with_all_its_walls(house, step):
    """At another place a house has the same walls, floors, doors and windows."""
    here, there = (compose(house(ROWS, at=at), NOTHING) for at in ((2, 2), (2 + step[0], 2 + step[1])))
    for name in (WALL, FLOOR, OVER):
        moved = {(x + step[0], y + step[1]): cell for (x, y), cell in here[name].items()}
        assert same(moved, there[name])


def test_a_house_without_windows(house):
    """`windows: false` leaves the facade plain; otherwise there is a window beside the door."""
    blank, glazed = (compose(house(ROWS, windows=windows), NOTHING)[WALL] for windows in (False, True))
    assert blank.keys() == glazed.keys()
    assert any((blank[tile].pixels != glazed[tile].pixels).any() for tile in blank)


def test_a_thing_on_a_facade_replaces_the_window(house):
    """There is no window behind a sign."""
    plan = house(ROWS)
    blank, glazed = (compose(house(ROWS, windows=windows), NOTHING)[WALL] for windows in (False, True))
    signs = tuple(PlacedStamp(stamps()["clock"], (x, 8), None, 1) for x in range(2, 12))
    signed = compose(plan, Placement(signs, frozenset()))[WALL]
    assert same(signed, blank)
    assert not same(signed, glazed)


def test_doorways_stay_open(house):
    """In a doorway only the frame at its sides is drawn under people."""
    walls = compose(house(ROWS), NOTHING)[WALL]
    for tile in ((5, 7), (6, 7), (5, 8), (6, 8)):
        assert tile not in walls or not walls[tile].drawn[:, 2:-2].any()


def test_the_sun_falls_through_windows(house):
    """A window lightens the floor below it and changes no other floor."""
    window = PlacedStamp(stamps()["window"], (4, 3), None, 1)
    dark = compose(house(ROWS), NOTHING)[FLOOR]
    light = compose(house(ROWS), Placement((window,), frozenset()))[FLOOR]
    lit = {tile for tile in dark if (dark[tile].pixels != light[tile].pixels).any()}
    assert (4, 4) in lit
    assert all((light[tile].pixels.astype(int)[..., :2] >= dark[tile].pixels[..., :2]).all() for tile in lit)
    assert lit <= {(x, y) for x in (4, 5) for y in (4, 5)}


def test_streets_run_on_at_the_edge_of_the_map(pictures):
    """A street that leaves the map has no rounded end at the border."""
    middle = [(x, 18) for x in (0, 39)]
    assert all((pictures[TERRAIN][tile].pixels[..., 3] == OPAQUE).all() for tile in middle)
    assert (pictures[TERRAIN][0, 17].drawn == pictures[TERRAIN][1, 17].drawn).all()


def test_streets_run_up_to_the_doors(house):
    """Paving in front of a building has no edge there, and continues up to walls and doors."""
    plan = house(ROWS)
    paved = replace(plan, terrain=(TerrainPatch("cobble", rectangle((1, 9, 14, 3)), solid=False, line=1),))
    ground = compose(paved, NOTHING)[TERRAIN]
    assert all((ground[x, 9].pixels[0, :, 3] == OPAQUE).all() for x in range(3, 11))
    assert not (ground[13, 9].pixels[0, :, 3] == OPAQUE).any()


def test_floors_meet_under_a_strip(house):
    """Where two floors meet without a wall there is a strip of wood."""
    apart = compose(house(["#####", "#A#B#", "#A#B#", "#####"]), NOTHING)[FLOOR]
    open_plan = compose(house(["####", "#AB#", "#AB#", "####"]), NOTHING)[FLOOR]
    column = open_plan[3, 4].pixels[8:, -1]
    assert (column == column[0]).all()
    assert not (apart[3, 4].pixels[8:, -1] == column[0]).all()


def test_shadows_lie_outside(plan, pictures):
    """In front of every facade on open ground, the decoration starts with the building's shadow."""
    for building in plan.buildings:
        for (x, y), mark in building.tiles.items():
            if mark == FACADE and all(one.character(x, y + 1) == OUTSIDE for one in plan.buildings):
                assert (x, y + 1) in pictures[LOW]
