"""The places of a town whose names are written on its picture."""

from collections.abc import Mapping
from pathlib import Path

from ville.errors import BadMap, MapNotFound
from ville.json_types import Json
from ville.world.address import Tile
from ville.world.maze import Maze
from ville.world.maze_files import load_maze

BED = "bed"
"""Object that makes a sector a home."""
Box = tuple[int, int, int, int]
"""First and last column and row: left, top, right, bottom."""


def named_places(assets: Path, maze_name: str) -> list[Json]:
    """Return sectors and arenas with their boxes, in tiles. Of a map that cannot be read there are none."""
    try:
        maze = load_maze(assets / maze_name / "matrix", maze_name)
    except (BadMap, MapNotFound):
        return []
    sectors, homes = _sectors(maze)
    arenas = _boxes(maze, 2)
    named: list[Json] = [
        {"name": name, "kind": "home" if name in homes else "sector", "box": list(box)}
        for (name,), box in sectors.items()
    ]
    rooms: list[Json] = [
        {"name": arena, "sector": sector, "kind": "arena", "box": list(box)} for (sector, arena), box in arenas.items()
    ]
    return [*named, *rooms]


def _sectors(maze: Maze) -> tuple[Mapping[tuple[str, ...], Box], frozenset[str]]:
    """Return the boxes of all sectors, and the names of those in which people live."""
    homes = frozenset(maze.place(tile).sector for tile in maze if maze.place(tile).game_object == BED)
    return _boxes(maze, 1), homes


def _boxes(maze: Maze, depth: int) -> Mapping[tuple[str, ...], Box]:
    """Return the box of each place, by the names of its levels below the world."""
    boxes: dict[tuple[str, ...], Box] = {}
    for tile in maze:
        names = maze.place(tile)[1 : 1 + depth]
        if all(names):
            boxes[names] = _with(boxes.get(names), tile)
    return boxes


def _with(box: Box | None, tile: Tile) -> Box:
    column, row = tile
    if box is None:
        return column, row, column, row
    left, top, right, bottom = box
    return min(left, column), min(top, row), max(right, column), max(bottom, row)
