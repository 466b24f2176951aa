"""Validation of grids alone, as for imported maps. Wrong town files: test_wrong_towns.py."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from town_builder.check.validate import LEGACY_PATH_LIMIT, _steps, validate_grids

MASKS = st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=5, max_size=5).map(np.array)


def messages(grids):
    return [problem.message for problem in validate_grids(grids).problems]


@pytest.fixture
def grids(town):
    """Return the cottage as a map without a file."""
    return replace(town.compiled().grids, lines={})


def test_the_counts_are_correct(grids):
    """Sectors, arenas, objects, object types, spawns and walkable tiles equal those counted by hand."""
    counts = validate_grids(grids).counts
    assert (counts.sectors, counts.arenas, counts.objects, counts.object_types, counts.spawns) == (2, 3, 5, 5, 2)
    assert counts.walkable == 20 * 16 - len(grids.solid)
    assert counts.components == (counts.walkable,)


def test_arenas_lie_in_sectors(grids):
    """An arena on a tile without a sector is an error that names the tile."""
    wrong = replace(grids, arenas=grids.arenas | {(1, 3): "attic"})
    problem = next(one for one in validate_grids(wrong).problems if "attic" in one.message)
    assert problem.where.endswith("cottage.yaml at 1,3")
    assert not problem.warning


def test_objects_lie_in_arenas(grids):
    """An object on a tile without an arena is an error, in the street and in a doorway."""
    wrong = replace(grids, objects=grids.objects | {(1, 3): "lost glove", (5, 9): "doormat"})
    assert "object 'lost glove' lies outside every arena" in messages(wrong)
    assert "object 'doormat' lies outside every arena" in messages(wrong)


def test_use_tiles_are_walkable(grids):
    """A use tile in a wall is an error."""
    assert "the use tile of 'toilet' is solid" in messages(replace(grids, solid=grids.solid | {(10, 4)}))


def test_spawns_are_on_free_tiles(grids):
    """A spawn that is solid or outside every arena is an error."""
    wrong = replace(grids, spawns={(3, 2): "sp-A", (1, 3): "sp-B"})
    assert sum("is solid or outside every arena" in words for words in messages(wrong)) == 2


def test_names_stay_apart_in_lists(grids):
    """A separator in a name is an error for worlds, sectors, arenas and objects."""
    wrong = replace(grids, world="a:b", objects={(10, 4): "toilet, blue"})
    assert "the name 'a:b' contains ':'" in messages(wrong)
    assert "the name 'toilet, blue' contains ','" in messages(wrong)


def test_a_town_has_walls(grids):
    """A map without any impassable tile is an error."""
    assert "the town has no impassable tile" in messages(replace(grids, solid=frozenset()))


def walked(open_tiles, start):
    """Return the distances by breadth-first search with a queue, as an oracle."""
    steps, queue = np.full(open_tiles.shape, -1), [start] if open_tiles[start[1], start[0]] else []
    for x, y in queue:
        steps[y, x] = max(steps[y, x], 0)
        for i, j in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            inside = 0 <= j < open_tiles.shape[0] and 0 <= i < open_tiles.shape[1]
            if inside and open_tiles[j, i] and steps[j, i] < 0:
                steps[j, i] = steps[y, x] + 1
                queue.append((i, j))
    return steps


@given(MASKS, st.integers(0, 5), st.integers(0, 4))
def test_distances_are_those_of_walking(open_tiles, x, y):
    """Distances computed for the whole map equal those of the breadth-first search."""
    assert np.array_equal(_steps([(x, y)], open_tiles), walked(open_tiles, (x, y)))


def test_long_ways_are_reported(grids):
    """Two objects too far apart for older engines give a warning with both names; nearer ones do not."""
    length = LEGACY_PATH_LIMIT + 2
    for width, reported in ((length, True), (length - 1, False)):
        row = dict.fromkeys(((x, 0) for x in range(width)), "hall")
        corridor = replace(
            grids, width=width, height=2, solid=frozenset((x, 1) for x in range(width)), spawns={},
            sectors=row, arenas=row, objects={(0, 0): "start", (width - 1, 0): "goal"},
        )  # fmt: skip
        assert any("older engines give up" in words for words in messages(corridor)) == reported


def test_a_town_without_walkable_tiles_is_still_counted(grids):
    """If no tile is walkable, every object is an error, and validation terminates."""
    found = validate_grids(replace(grids, solid=frozenset(grids.tiles)))
    assert found.counts.walkable == 0
    assert sum("is solid" in problem.message for problem in found.problems) == len(grids.objects) + len(grids.spawns)
