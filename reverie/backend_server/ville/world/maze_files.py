"""Load a map from its CSV files: `maze_meta_info.json`, `maze/*.csv` and `special_blocks/*.csv`."""

import csv
import json
from functools import lru_cache
from pathlib import Path

from ville.errors import BadMap, CorruptFile, MapNotFound
from ville.storage.files import Stamp, read_text, stamp_of
from ville.world.maze import Layers, Maze, Place

NOTHING = "0"
NUMBERS = ("maze_width", "maze_height", "sq_tile_size")


def load_maze(matrix: Path, name: str) -> Maze:
    """Return the map in a `matrix` folder. Raise MapNotFound if there is no folder, BadMap for the first bad file."""
    if not matrix.is_dir():
        raise MapNotFound(
            f"Map '{name}' not found: {matrix} does not exist. Build the town first, or correct maze_name."
        )
    files = sorted(path for path in matrix.rglob("*") if path.is_file())
    return Maze(_layers(matrix, name, tuple(map(stamp_of, files))))


@lru_cache(maxsize=4)
def _layers(matrix: Path, name: str, _stamps: tuple[Stamp, ...]) -> Layers:
    """Return the content of the files, which is read again when one of them has changed: many runs have one map."""
    numbers = _numbers(matrix / "maze_meta_info.json")
    size = (numbers["maze_width"], numbers["maze_height"])
    world = _world(matrix / "special_blocks" / "world_blocks.csv")
    sectors, arenas, objects, spawns = (
        _labels(matrix, layer, size) for layer in ("sector", "arena", "game_object", "spawning_location")
    )
    walls = [cell != NOTHING for cell in _cells(matrix / "maze" / "collision_maze.csv", size)]
    known: dict[Place, Place] = {}  # a city has hundreds of thousands of tiles, and few thousand places
    found = (Place(world, *parts) for parts in zip(sectors, arenas, objects, strict=True))
    places = [known.setdefault(place, place) for place in found]
    tile_size = numbers["sq_tile_size"]
    return Layers(name, *size, places=places, walls=walls, spawns=spawns, tile_size=tile_size)


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except FileNotFoundError:
        raise BadMap(f"{path} is missing. Build the town again.") from None
    except (OSError, UnicodeDecodeError, CorruptFile) as fault:
        raise BadMap(f"Cannot read {path} ({fault}). Build the town again.") from None


def _numbers(path: Path) -> dict[str, int]:
    """Return width and height in tiles and the size of a tile in pixels, all at least 1."""
    try:
        meta: object = json.loads(_text(path))
    except json.JSONDecodeError as fault:
        raise BadMap(f"{path}:{fault.lineno} is not valid JSON ({fault.msg}). Fix that line.") from None
    except (ValueError, RecursionError) as fault:
        raise BadMap(f"Cannot read {path} ({fault}). Build the town again.") from None
    numbers: dict[str, int] = {}
    for key in NUMBERS:
        number = meta.get(key) if isinstance(meta, dict) else None
        if not isinstance(number, int) or number < 1:
            raise BadMap(f"{path}: {key} is {number!r}. Make it a whole number of at least 1.")
        numbers[key] = number
    return numbers


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return the non-empty rows of a CSV file with their line numbers and stripped cells."""
    reader = csv.reader(_text(path).splitlines(), skipinitialspace=True)
    try:
        return [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(row)]
    except csv.Error as fault:
        raise BadMap(f"{path}:{reader.line_num} is not CSV ({fault}). Build the town again.") from None


def _world(path: Path) -> str:
    rows = _rows(path)
    if not rows or not rows[0][1][-1]:
        raise BadMap(f"{path} does not name a world. Write one row: id, name.")
    return rows[0][1][-1]


def _cells(path: Path, size: tuple[int, int]) -> list[str]:
    """Return the id of every tile, row by row. Line breaks in the file do not matter."""
    cells = [cell for _, row in _rows(path) for cell in (row if row[-1] else row[:-1])]
    width, height = size
    if len(cells) != width * height:
        want = f"{width} × {height} = {width * height}"
        raise BadMap(f"{path} has {len(cells)} cells, not {want}. Correct it, or the size in maze_meta_info.json.")
    return cells


def _labels(matrix: Path, layer: str, size: tuple[int, int]) -> list[str]:
    """Return the name of every tile on a layer, empty where it has none."""
    names = {NOTHING: "", **_blocks(matrix / "special_blocks" / f"{layer}_blocks.csv")}
    path = matrix / "maze" / f"{layer}_maze.csv"
    cells = _cells(path, size)
    for index, cell in enumerate(cells):
        if cell not in names:
            y, x = divmod(index, size[0])
            raise BadMap(f"{path}: tile {x}, {y} has the unknown id '{cell}'. Add it to {layer}_blocks.csv or write 0.")
    return [names[cell] for cell in cells]


def _blocks(path: Path) -> dict[str, str]:
    """Return names by id: the last column of a block file by its first."""
    blocks: dict[str, str] = {}
    for line, row in _rows(path):
        name = row[-1]
        if len(row) < 2 or not name or ":" in name:  # noqa: PLR2004 - an id and a name
            raise BadMap(f"{path}:{line} is not a block. Write id, world, ..., name, without a colon in the name.")
        blocks[row[0]] = name
    return blocks
