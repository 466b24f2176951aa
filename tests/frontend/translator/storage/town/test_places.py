"""The places of a map, as pages show and offer them."""

from itertools import groupby
from pathlib import Path

from translator.storage.town import maps
from translator.storage.town.places import places
from ville.world.address import Tile
from ville.world.maze_files import load_maze

MATRIX = Path(maps.__file__).parents[3] / "static_dirs" / "assets" / "the_ville" / "matrix"


def test_pages_and_engine_know_the_same_places():
    """Every address of the engine's map is on the same tiles, and every home has as many beds."""
    maze, found = load_maze(MATRIX, "the_ville"), places("the_ville").as_json()
    known = {address: {*tiles} for address, tiles in maze.address_tiles.items()}
    objects = {each["address"]: {*each["tiles"]} for each in found["objects"]}
    assert objects == {address: tiles for address, tiles in known.items() if address.count(":") == 3}
    beds = {each["home"]: each["beds"] for each in found["beds"]}
    assert beds == {name.removesuffix(":bed"): len(tiles) for name, tiles in known.items() if name.endswith(":bed")}
    for kind, parts in (("sectors", 1), ("arenas", 2)):
        names = [
            ":".join((found["world"], *[each[key] for key in ("sector", "name") if key in each]))
            for each in found[kind]
        ]
        assert {*names} == {address for address in known if address.count(":") == parts}
        for name, each in zip(names, found[kind], strict=True):
            x, y, width, height = each["box"]
            columns, rows = ([tile[axis] for tile in known[name]] for axis in (0, 1))
            assert (x, y, x + width - 1, y + height - 1) == (min(columns), min(rows), max(columns), max(rows))


def test_pages_know_where_one_can_stand(client):
    """On the tiles on which the engine lets people walk."""
    maze, rows = load_maze(MATRIX, "the_ville"), client.get("/places/the_ville/").json()["walls"]
    assert {len(row) for row in rows} == {maze.width}
    assert [[cell == "1" for cell in row] for row in rows] == [
        [maze.is_wall(Tile(x, y)) for x in range(maze.width)] for y in range(maze.height)
    ]


def test_a_map_without_matrices_has_no_places(client):
    """It can be watched all the same; one that is not there cannot."""
    assert client.get("/places/small/").json()["sectors"] == []
    assert client.get("/places/nowhere/").status_code == 404
    answer = client.get("/places/the_ville/")
    assert "max-age" in answer["Cache-Control"]
    assert client.get("/places/the_ville/", headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_ready_looks_come_first(client):
    """In the order of their numbers, then all that people in town have; each under the name that the engine knows."""
    looks = client.get("/looks/").json()
    groups = [[*group] for _, group in groupby(looks, key=lambda each: each["look"].startswith("visitor "))]
    assert [each["look"] for each in groups[0]] == [f"visitor {number}" for number in range(1, 9)]
    assert len(groups) == 2
    assert {each["sprite"] for each in looks} == {*maps.sheets()}
    assert all(each["look"].replace(" ", "_") == each["sprite"] for each in looks)
