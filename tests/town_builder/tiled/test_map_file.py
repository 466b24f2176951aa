"""The map file as editors and frontends expect it."""

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from town_builder.tiled.layers import LAYERS
from town_builder.tiled.map_file import FIRST_BLOCK, TiledMap, Tileset, fingerprint

CLASSIC = [
    ("Bottom Ground", 1),
    ("Exterior Ground", 4),
    ("Exterior Decoration L1", 6),
    ("Exterior Decoration L2", 9),
    ("Interior Ground", 5),
    ("Wall", 3),
    ("Interior Furniture L1", 10),
    ("Interior Furniture L2 ", 11),
    ("Foreground L1", 19),
    ("Foreground L2", 20),
    ("Collisions", 12),
    ("Object Interaction Blocks", 14),
    ("Arena Blocks", 13),
    ("Sector Blocks", 16),
    ("World Blocks", 17),
    ("Spawning Blocks", 15),
    ("Special Blocks Registry", 18),
]
"""Names and ids, bottom to top, as every frontend of the classic town expects them."""


@pytest.fixture(scope="module")
def tiled(built):
    return json.loads((built / "visuals/cottage.json").read_text(encoding="utf-8"))


def test_the_head_is_what_the_editor_opens(tiled):
    """A finite orthogonal map of 32-pixel tiles in format 1.10, with ids left for new layers."""
    head = {key: value for key, value in tiled.items() if key not in {"layers", "tilesets", "properties"}}
    assert head == {
        "type": "map", "version": "1.10", "tiledversion": "1.10.2", "orientation": "orthogonal", "infinite": False,
        "renderorder": "right-down", "width": 20, "height": 16, "tilewidth": 32, "tileheight": 32,
        "compressionlevel": -1, "nextlayerid": 21, "nextobjectid": 1,
    }  # fmt: skip


def test_all_classic_layers_are_there(tiled):
    """Seventeen layers with the classic names, ids and order, each of the size of the map."""
    assert [(layer["name"], layer["id"]) for layer in tiled["layers"]] == CLASSIC
    assert all(layer["type"] == "tilelayer" and len(layer["data"]) == 20 * 16 for layer in tiled["layers"])


def test_markers_do_not_cover_the_picture(tiled):
    """Marker layers are hidden or translucent."""
    for layer, ours in zip(tiled["layers"], LAYERS, strict=True):
        assert bool(ours.marker) == (layer["opacity"] < 1 or not layer["visible"])


def test_every_number_is_in_a_tileset(tiled):
    """Tilesets do not overlap, markers begin at 32125, and every tile is in a tileset."""
    ranges = [(one["firstgid"], one["firstgid"] + one["tilecount"]) for one in tiled["tilesets"]]
    assert all(end <= start for (_, end), (start, _) in pairwise(ranges))
    assert (tiled["tilesets"][-1]["name"], tiled["tilesets"][-1]["firstgid"]) == ("blocks", FIRST_BLOCK)
    used = {number for layer in tiled["layers"] for number in layer["data"]} - {0}
    assert all(any(start <= number < end for start, end in ranges) for number in used)


def test_marker_tiles_say_what_they_mean(tiled):
    """Tile 0 is collision; every other marker has its kind and address."""
    labels = {
        tile["id"] + FIRST_BLOCK: {one["name"]: one["value"] for one in tile["properties"]}
        for tile in tiled["tilesets"][-1]["tiles"]
    }
    assert labels[FIRST_BLOCK] == {"kind": "collision"}
    assert labels[32134] == {"kind": "world", "address": "the Valley"}
    by_name = {layer["name"]: set(layer["data"]) - {0} for layer in tiled["layers"]}
    addresses = {labels[number]["address"] for number in by_name["Object Interaction Blocks"]}
    assert addresses == {
        f"the Valley:<all>:{name}" for name in ("bed", "closet", "toilet", "bathroom sink", "flower bed")
    }
    assert {labels[number]["kind"] for number in by_name["Arena Blocks"]} == {"arena"}
    assert by_name["World Blocks"] == {32134}
    assert by_name["Special Blocks Registry"] == set(labels)


def test_terrains_can_be_painted(tiled):
    """Each ground has a mixed Wang set: 47 neighbourhoods with the same number of variants."""
    sets = {one["name"]: one["wangsets"][0] for one in tiled["tilesets"] if "wangsets" in one}
    assert {"path", "water", "meadow", "soil", "cobble"} <= sets.keys()
    for terrain_brush in sets.values():
        counts = Counter(tuple(tile["wangid"]) for tile in terrain_brush["wangtiles"])
        assert terrain_brush["type"] == "mixed"
        assert len(counts) == 47
        assert len(set(counts.values())) == 1
        assert all(len(wang_id) == 8 and set(wang_id) <= {0, 1} for wang_id in counts)


def test_the_fingerprint_sees_what_is_painted_and_named():
    """The fingerprint depends on tiles and marker addresses, not on layer order or spaces in names."""
    blocks = Tileset("blocks", 5, 1, 1, "blocks.png", {0: {"kind": "world", "address": "Inn"}})
    tiled = TiledMap(2, 1, {"Wall": (1, 2), "Furniture ": (0, 3)}, (blocks,))
    assert fingerprint(tiled) == fingerprint(replace(tiled, layers={"Furniture": (0, 3), "Wall": (1, 2)}))
    assert fingerprint(tiled) != fingerprint(replace(tiled, width=1))
    assert fingerprint(tiled) != fingerprint(replace(tiled, layers={"Wall": (1, 3), "Furniture ": (0, 3)}))
    renamed = replace(blocks, labels={0: {"kind": "world", "address": "Pub"}})
    assert fingerprint(tiled) != fingerprint(replace(tiled, tilesets=(renamed,)))
