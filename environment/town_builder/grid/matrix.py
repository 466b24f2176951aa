"""The classic matrices: CSV files with a number for every tile, and the names of these numbers.

`maze/*.csv` hold a single line of numbers, row by row; `special_blocks/*.csv` name the numbers. The numbers are tile
ids of the marker tileset.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from town_builder.grid.grids import Grids
from town_builder.grid.ids import WORLD, Ids, Names
from town_builder.plan.shapes import Tile
from town_builder.problems import town_error
from town_builder.user_files import read_user_file

COLLISION = 32125
"""Number of impassable tiles in the collision matrix; older path finders compare with it."""
TILE_SIZE = 32
LABELS = ("sector", "arena", "game_object", "spawning_location")
BLOCKS = ("world", *LABELS)
ANY = "<all>"
"""Replaces the arena in the address of an object: all objects of a name share one number."""
META = (
    """{"world_name": %s, \n "maze_width": %d,\n "maze_height": %d,\n "sq_tile_size": %d,\n "special_constraint": %s}"""
)
"""The classic file has a space after its first comma and no final newline."""

Numbers = tuple[int, ...]
Files = dict[str, str]
"""Path inside `matrix/` → text."""


@dataclass(frozen=True)
class Block:
    """A number and its address: world, sector, arena and so on, down to the kind of block."""

    number: int
    parts: tuple[str, ...]
    """As written in the file; `names` has the surrounding spaces removed."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(part.strip() for part in self.parts)

    def __str__(self) -> str:
        return ", ".join([str(self.number), *self.parts])


@dataclass(frozen=True)
class Matrix:
    """Content of a folder `matrix/`."""

    world_name: str
    width: int
    height: int
    mazes: Mapping[str, Numbers]
    """`collision`, or one of LABELS → a number for each tile, row by row; 0 means none."""
    blocks: Mapping[str, tuple[Block, ...]]
    """One of BLOCKS → its rows."""
    tile_size: int = TILE_SIZE
    special_constraint: str = ""


def _labels(grids: Grids, kind: str) -> dict[Tile, Names]:
    """Return the labelled tiles of a kind, row by row, with the names of their block (without the world)."""
    labels: dict[Tile, Names]
    if kind == "sector":
        labels = {tile: (name,) for tile, name in grids.sectors.items()}
    elif kind == "arena":
        labels = {tile: (grids.sectors[tile], name) for tile, name in grids.arenas.items()}
    elif kind == "game_object":
        labels = {tile: (name,) for tile, name in grids.objects.items()}
    else:
        labels = {tile: (grids.sectors[tile], grids.arenas[tile], name) for tile, name in grids.spawns.items()}
    return {tile: labels[tile] for tile in grids.tiles if tile in labels}


def block_keys(grids: Grids) -> list[tuple[str, Names]]:
    """Return every block that a town needs besides its world, by kind and by first tile."""
    return list(dict.fromkeys((kind, names) for kind in LABELS for names in _labels(grids, kind).values()))


def matrix_from_grids(grids: Grids, ids: Ids) -> Matrix:
    """Return the matrices of a town. Every block must have a number in `ids`."""
    mazes = {"collision": tuple(COLLISION if tile in grids.solid else 0 for tile in grids.tiles)}
    blocks: dict[str, tuple[Block, ...]] = {"world": (Block(WORLD, (grids.world,)),)}
    for kind in LABELS:
        numbers = {tile: ids.numbers[kind, names] for tile, names in _labels(grids, kind).items()}
        mazes[kind] = tuple(numbers.get(tile, 0) for tile in grids.tiles)
        scope = (grids.world, ANY) if kind == "game_object" else (grids.world,)
        named = sorted({(ids.numbers[kind, names], names) for names in _labels(grids, kind).values()})
        blocks[kind] = tuple(Block(number, (*scope, *names)) for number, names in named)
    return Matrix(grids.world.lower(), grids.width, grids.height, mazes, blocks)


def grids_from_matrix(matrix: Matrix, maze_name: str) -> Grids:
    """Return the labels that the numbers stand for. Numbers without a block are ignored."""
    names = {kind: {block.number: block.names[-1] for block in rows} for kind, rows in matrix.blocks.items()}
    tiles = [(x, y) for y in range(matrix.height) for x in range(matrix.width)]

    def labels(kind: str) -> dict[Tile, str]:
        numbers = zip(tiles, matrix.mazes[kind], strict=True)
        return {tile: names[kind][number] for tile, number in numbers if number in names[kind]}

    return Grids(
        maze_name=maze_name,
        world=matrix.blocks["world"][0].names[-1],
        width=matrix.width,
        height=matrix.height,
        solid=frozenset(tile for tile, number in zip(tiles, matrix.mazes["collision"], strict=True) if number),
        sectors=labels("sector"),
        arenas=labels("arena"),
        objects=labels("game_object"),
        spawns=labels("spawning_location"),
        source=maze_name,
    )


def matrix_files(matrix: Matrix) -> Files:
    """Return the files of a folder `matrix/`, byte for byte in the classic layout."""
    texts = (json.dumps(matrix.world_name, ensure_ascii=False), json.dumps(matrix.special_constraint))
    files = {"maze_meta_info.json": META % (texts[0], matrix.width, matrix.height, matrix.tile_size, texts[1])}
    for name, numbers in matrix.mazes.items():
        files[f"maze/{name}_maze.csv"] = ", ".join(map(str, numbers))
    for name, rows in matrix.blocks.items():
        files[f"special_blocks/{name}_blocks.csv"] = "\n".join(map(str, rows))
    return files


def read_blocks(folder: Path) -> dict[str, tuple[Block, ...]]:
    """Read a folder `special_blocks/`. Raises TownError for missing files and rows without number or name."""
    return {name: tuple(_read_block_rows(folder / f"{name}_blocks.csv")) for name in BLOCKS}


def _read(path: Path) -> str:
    try:
        return read_user_file(path).decode("utf-8")
    except OSError as error:
        fix = "give a folder in the layout of matrix/"
        raise town_error(str(path), f"cannot be read ({error.strerror})", fix) from error


def _read_block_rows(path: Path) -> Iterator[Block]:
    for line, row in enumerate(_read(path).splitlines(), 1):
        number, *parts = (part.removeprefix(" ") for part in row.split(","))
        if not number.strip().isdecimal() or not parts:
            raise town_error(f"{path}:{line}", f"{row!r} is not `number, world, ...`", "fix the row")
        yield Block(int(number), tuple(parts))
