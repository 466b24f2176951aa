"""Addresses and walking on grids."""

from hypothesis import given
from hypothesis import strategies as st

from town_builder.grid.grids import FOUR_WAYS, Grids

WIDTH, HEIGHT = 7, 5
TILES = st.tuples(st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1))


def grids(solid=(), **labels):
    empty = {"sectors": {}, "arenas": {}, "objects": {}, "spawns": {}}
    return Grids("maze", "the World", WIDTH, HEIGHT, frozenset(solid), **(empty | labels))


def reached(town, start):
    """Return the tiles reached by walking step by step, as an oracle."""
    seen, todo = set(), [start]
    while todo:
        x, y = todo.pop()
        if (x, y) not in seen and 0 <= x < WIDTH and 0 <= y < HEIGHT and (x, y) not in town.solid:
            seen.add((x, y))
            todo += [(x + i, y + j) for i, j in FOUR_WAYS]
    return seen


@given(st.sets(TILES), TILES)
def test_reachable_tiles_equal_those_of_walking(solid, start):
    """Reachable tiles equal those of walking step by step; from a solid tile there are none."""
    town = grids(solid)
    assert town.reachable_from([start]) == reached(town, start)


@given(st.sets(TILES))
def test_components_share_out_the_town(solid):
    """Every walkable tile is in exactly one component, the largest is first, and none are connected."""
    town = grids(solid)
    components = town.components()
    assert sum(map(len, components)) == WIDTH * HEIGHT - len(solid)
    assert set().union(*components) == {tile for tile in town.tiles if tile not in solid}
    assert components == sorted(components, key=len, reverse=True)
    assert all(reached(town, min(component)) == component for component in components)


def test_an_address_ends_where_a_label_is_missing():
    """An object without an arena has no address and is not counted."""
    town = grids(sectors={(0, 0): "Pub", (1, 0): "Pub"}, arenas={(0, 0): "bar"}, objects={(0, 0): "tap", (1, 0): "mop"})
    assert town.address((1, 0)) == ("Pub",)
    assert town.addresses == {
        ("Pub",): [(0, 0), (1, 0)],
        ("Pub", "bar"): [(0, 0)],
        ("Pub", "bar", "tap"): [(0, 0)],
    }
