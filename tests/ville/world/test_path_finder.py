"""Laws of paths, compared with a plain breadth-first search."""

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from ville.world.address import Tile
from ville.world.maze import Layers, Maze, Place
from ville.world.path_finder import PathFinder

NORTH_WEST_SOUTH_EAST = ((0, -1), (-1, 0), (0, 1), (1, 0))


def maze_of(width: int, walls: list[bool]) -> Maze:
    cells = len(walls)
    return Maze(Layers("random", width, cells // width, places=[Place("w")] * cells, walls=walls, spawns=[""] * cells))


@st.composite
def walks(draw):
    width, height = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    thickness = draw(st.integers(0, 6))
    cells = width * height
    walls = draw(st.lists(st.integers(0, 9).map(lambda n: n < thickness), min_size=cells, max_size=cells))
    tiles = st.builds(Tile, st.integers(0, width - 1), st.integers(0, height - 1))
    return maze_of(width, walls), draw(tiles), draw(tiles)


def neighbours(tile: Tile) -> list[Tile]:
    return [Tile(tile.x + dx, tile.y + dy) for dx, dy in NORTH_WEST_SOUTH_EAST]


def plain_path(maze: Maze, start: Tile, end: Tile) -> list[Tile] | None:
    """Return the path of a breadth-first search, traced back from the end to the first closer tile."""
    steps, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for near in neighbours(here):
            if near in maze and not maze.is_wall(near) and near not in steps:
                steps[near] = steps[here] + 1
                queue.append(near)
    if end not in steps:
        return None
    path = [end]
    while path[-1] != start:
        path.append(next(near for near in neighbours(path[-1]) if steps.get(near) == steps[path[-1]] - 1))
    return path[::-1]


@given(walks())
def test_a_path_equals_that_of_a_plain_search(walk):
    """The same tiles as breadth-first search with the same tie-break, or None for both."""
    maze, start, end = walk
    finder = PathFinder(maze)
    path = plain_path(maze, start, end)
    assert finder.path(start, end) == path
    assert finder.distance(start, end) == (None if path is None else len(path) - 1)


@given(walks(), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=100))
def test_the_cache_changes_no_path(walk, starts):
    """A finder that has answered for many starts answers like a new one."""
    maze, start, end = walk
    used = PathFinder(maze)
    for x, y in starts:
        used.distance(Tile(x, y), end)
    assert used.path(start, end) == PathFinder(maze).path(start, end)


def test_a_start_may_be_a_wall_but_an_end_may_not(draw):
    """Unless both are the same tile."""
    finder = PathFinder(draw("#..", "..#"))
    assert finder.path(Tile(0, 0), Tile(2, 0)) == [Tile(0, 0), Tile(1, 0), Tile(2, 0)]
    assert finder.path(Tile(2, 0), Tile(2, 1)) is None
    assert finder.path(Tile(2, 1), Tile(2, 1)) == [Tile(2, 1)]


def test_paths_do_not_wrap_around_the_borders(draw):
    """Nor do they leave the map."""
    finder = PathFinder(draw("..#..", "..#.."))
    assert finder.path(Tile(4, 0), Tile(0, 1)) is None
    assert finder.path(Tile(0, 0), Tile(0, 2)) is None
    assert finder.distance(Tile(5, 0), Tile(4, 0)) is None


def test_no_path_is_too_long(draw):
    """A path of more than a thousand steps is found."""
    rows = ["." * 40 if y % 2 == 0 else ("." + "#" * 39 if y % 4 == 3 else "#" * 39 + ".") for y in range(61)]
    finder = PathFinder(draw(*rows))
    assert finder.distance(Tile(0, 0), Tile(39, 60)) == 31 * 39 + 60
