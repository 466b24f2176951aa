"""Laws of loading maps, and properties of the released map."""

import json
import os
from pathlib import Path

import pytest

from ville.errors import BadMap, MapNotFound
from ville.world.address import Tile
from ville.world.maze import Maze, Place
from ville.world.maze_files import load_maze
from ville.world.path_finder import PathFinder

BLOCKS = {
    "world": "1, the Town\n",
    "sector": "10, the Town, Cafe \n",
    "arena": "20, the Town, Cafe, cafe\n\n",
    "game_object": "30, the Town, <all>, piano\n",
    "spawning_location": "40, the Town, Cafe, cafe, sp-A\n",
}
CELLS = {
    "collision": "32125, 0, 0, 0, 0, 7",
    "sector": "0, 10, 10, 0, 10, 0",
    "arena": "0, 20, 20, 0, 20, 0",
    "game_object": "0, 30, 0, 0, 0, 0",
    "spawning_location": "0, 0, 40, 0, 0, 0",
}


@pytest.fixture
def matrix(tmp_path):
    """A map of 3 × 2 tiles on disk."""
    for folder in ("maze", "special_blocks"):
        (tmp_path / folder).mkdir()
    size = {"world_name": "else", "maze_width": 3, "maze_height": 2, "sq_tile_size": 16}
    (tmp_path / "maze_meta_info.json").write_text(json.dumps(size), "utf-8")
    for layer, text in CELLS.items():
        (tmp_path / "maze" / f"{layer}_maze.csv").write_text(text, "utf-8")
    for layer, text in BLOCKS.items():
        (tmp_path / "special_blocks" / f"{layer}_blocks.csv").write_text(text, "utf-8")
    return tmp_path


def test_layers_become_places(matrix):
    """Names are the last column of a block; every collision id but 0 is a wall."""
    maze = load_maze(matrix, "small")
    assert (maze.name, maze.world, maze.width, maze.height, maze.tile_size) == ("small", "the Town", 3, 2, 16)
    assert maze.place(Tile(1, 0)) == Place("the Town", "Cafe", "cafe", "piano")
    assert [tile for tile in maze if maze.is_wall(tile)] == [Tile(0, 0), Tile(2, 1)]
    assert maze.address_tiles["<spawn_loc>sp-A"] == (Tile(2, 0),)


@pytest.mark.parametrize("separator", [",", ", ", ",\n", ", \r\n"])
def test_line_breaks_in_a_layer_do_not_matter(matrix, separator):
    """Nor do spaces."""
    plain = load_maze(matrix, "small")
    for layer, text in CELLS.items():
        (matrix / "maze" / f"{layer}_maze.csv").write_bytes(text.replace(", ", separator).encode())
    broken = load_maze(matrix, "small")
    assert [broken.details(tile) for tile in broken] == [plain.details(tile) for tile in plain]


FAULTS = {
    "maze_meta_info.json": [("{", r"maze_meta_info.json:1 is not valid JSON"), ("{}", "maze_width is None")],
    "maze/arena_maze.csv": [
        ("0, 0", r"has 2 cells, not 3 × 2 = 6"),
        ("0,0,0,0,99,0", r"tile 1, 1 has the unknown id '99'"),
    ],
    "special_blocks/sector_blocks.csv": [
        ("10", "sector_blocks.csv:1 is not a block"),
        ("10, a, b:c", ":1 is not a block"),
    ],
    "special_blocks/world_blocks.csv": [("\n", "does not name a world")],
}


@pytest.mark.parametrize(("file", "text", "fault"), [(f, *case) for f, cases in FAULTS.items() for case in cases])
def test_a_malformed_file_is_named(matrix, file, text, fault):
    """With what is wrong in it."""
    (matrix / file).write_text(text, "utf-8")
    with pytest.raises(BadMap, match=fault) as caught:
        load_maze(matrix, "small")
    assert Path(file).name in str(caught.value)


def test_a_missing_file_is_named(matrix):
    """Without its folder, the map is not found."""
    with pytest.raises(MapNotFound, match="Map .nowhere. not found"):
        load_maze(matrix / "nowhere", "nowhere")
    (matrix / "maze" / "collision_maze.csv").unlink()
    with pytest.raises(BadMap, match=r"collision_maze.csv is missing"):
        load_maze(matrix, "small")
    (matrix / "maze" / "collision_maze.csv").write_bytes(b"\xff\xfe")
    with pytest.raises(BadMap, match=r"Cannot read .*collision_maze.csv"):
        load_maze(matrix, "small")


@pytest.fixture(scope="module")
def classic() -> Maze:
    if "REFERENCE_DATA" not in os.environ:
        pytest.skip("REFERENCE_DATA names no folder with the classic data")
    return load_maze(Path(os.environ["REFERENCE_DATA"]) / "matrix", "the_ville")


@pytest.mark.reference
def test_the_released_map_has_its_known_properties(classic):
    """Size, walls, addresses, objects and a bed."""
    objects = [tile for tile in classic if classic.place(tile).game_object]
    assert (classic.width, classic.height, classic.world) == (140, 100, "the Ville")
    assert sum(classic.is_wall(tile) for tile in classic) == 2064
    assert len(classic.address_tiles) == 306
    assert len(objects) == 680
    assert not any(classic.is_wall(tile) for tile in objects)
    bed = classic.details(Tile(72, 14))
    assert (bed["arena"], bed["game_object"], bed["spawning_location"]) == ("main room", "bed", "sp-A")


@pytest.mark.reference
def test_the_released_map_has_its_known_connected_parts(classic):
    """The largest ones have the measured sizes."""
    finder, sizes = PathFinder(classic), []
    left = {tile for tile in classic if not classic.is_wall(tile)}
    while left:
        start = min(left)
        part = {tile for tile in left if finder.distance(start, tile) is not None}
        sizes.append(len(part))
        left -= part
    assert sorted(sizes, reverse=True)[:5] == [7519, 4158, 76, 70, 64]


@pytest.mark.reference
def test_paths_on_the_released_map_have_their_known_lengths(classic):
    """One of them was too long for the released code."""
    finder = PathFinder(classic)
    assert len(finder.path(Tile(72, 14), Tile(126, 46))) == 111
    assert len(finder.path(Tile(22, 18), Tile(126, 47))) == 158
