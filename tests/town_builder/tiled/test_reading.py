"""Laws of reading maps: whatever the editor was told to do, the tiles are the same."""

import base64
import gzip
import json
import struct
import zlib

import pytest

from town_builder.problems import TownError
from town_builder.tiled.reading import read_map

TILES = (1, 0, 32125, 7)
BYTES = struct.pack("<4I", *TILES)


def layer(**changes):
    return {"type": "tilelayer", "name": "Wall", "data": list(TILES), **changes}


@pytest.fixture
def read(tmp_path):
    """Read a map of 2 × 2 tiles with these layers."""

    def read(*layers, **changes):
        path = tmp_path / "map.json"
        found = {"width": 2, "height": 2, "layers": list(layers), "tilesets": [], **changes}
        path.write_text(json.dumps(found), encoding="utf-8")
        return read_map(path)

    return read


@pytest.mark.parametrize(
    ("compression", "packed"),
    [("", BYTES), ("zlib", zlib.compress(BYTES)), ("gzip", gzip.compress(BYTES))],
    ids=["plain", "zlib", "gzip"],
)
def test_packed_layers_are_unpacked(read, compression, packed):
    """Base64, bare or compressed, holds the same numbers as a list."""
    data = base64.b64encode(packed).decode()
    reading = read(layer(data=data, encoding="base64", compression=compression))
    assert reading.map.layers == {"Wall": TILES}


def test_flips_are_taken_off(read):
    """A tile turned or mirrored in any of the seven ways is still the same tile."""
    for flips in range(1, 8):
        assert read(layer(data=[tile | flips << 29 if tile else 0 for tile in TILES])).map.layers["Wall"] == TILES


def test_groups_are_opened(read):
    """Layers inside groups inside groups are found, and their names lose blanks at the ends."""
    inner = {"type": "group", "name": "inner", "layers": [layer(name=" Wall ")]}
    assert read({"type": "group", "name": "outer", "layers": [inner]}).map.layers == {"Wall": TILES}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"data": "AAAA", "compression": "zstd"}, "packed with zstd; choose Map"),
        ({"data": [1, 2]}, "has 2 tiles, the map has 4"),
        ({"data": "AAAA"}, "cannot be unpacked"),
        ({"data": "!", "compression": "zlib"}, "cannot be unpacked"),
        ({"data": base64.b64encode(b"no gzip at all").decode(), "compression": "gzip"}, "cannot be unpacked"),
        ({"data": [1, 2, "three", 4]}, "is not a Tiled map"),
    ],
    ids=["zstd", "too few", "cut off", "no base64", "no gzip", "a word"],
)
def test_layers_that_cannot_be_read_are_refused(read, changes, says):
    """One line says which layer or map, and what to choose in the editor."""
    with pytest.raises(TownError, match=says):
        read(layer(**changes))


def test_infinite_maps_are_refused(read):
    """A map without edges has no width to cut its rows at."""
    with pytest.raises(TownError, match="switch off"):
        read(infinite=True)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"orientation": "isometric"}, "is isometric; make an orthogonal map"),
        ({"tilewidth": 16, "tileheight": 16}, "has tiles of 16 by 16 pixels; make a map with tiles of 32"),
        ({"width": -2, "height": -2}, "has the width -2; give it one of"),
        ({"height": "2"}, "has the height '2'; give it one of"),
    ],
    ids=["isometric", "small tiles", "negative", "a word"],
)
def test_maps_of_another_kind_are_refused(read, changes, says):
    """What engine and browser could not show is refused with what to change in the editor."""
    with pytest.raises(TownError, match=says):
        read(layer(), **changes)


def test_a_mark_at_the_start_of_the_file_is_no_hindrance(tmp_path):
    """Some editors put a byte order mark before the text."""
    path = tmp_path / "map.json"
    text = json.dumps({"width": 2, "height": 2, "layers": [layer()], "tilesets": []})
    path.write_text(text, encoding="utf-8-sig")
    assert read_map(path).map.layers == {"Wall": TILES}


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "{}", '{"layers": 3}', "\xff", "[" * 100_000],
    ids=["broken", "a list", "empty", "a number", "a letter", "brackets without end"],
)
def test_other_files_are_refused(tmp_path, text):
    """Whatever is no map is refused with its name, not with a stack of calls."""
    path = tmp_path / "map.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TownError, match=r"map\.json: is not"):
        read_map(path)


@pytest.mark.parametrize("name", ["", "a:b:c:d:e", "a::b"])
def test_shapes_without_an_address_are_refused(read, name):
    """A nameless rectangle among the addresses is a mistake, and is told by its number."""
    shape = {"id": 5, "name": name, "x": 0, "y": 0, "width": 32, "height": 32}
    with pytest.raises(TownError, match="Addresses object 5"):
        read({"type": "objectgroup", "name": "Addresses", "objects": [shape]})


def test_turned_shapes_are_refused(read):
    """A rotated rectangle would cover other tiles than one sees; a polygon says it clearly."""
    shape = {"id": 5, "name": "Pub:bar", "x": 0, "y": 0, "width": 32, "height": 32, "rotation": 45}
    with pytest.raises(TownError, match="draw a polygon"):
        read({"type": "objectgroup", "name": "Addresses", "objects": [shape]})


@pytest.mark.parametrize(
    ("extra", "says"),
    [({"polyline": [{"x": 0, "y": 0}, {"x": 9, "y": 9}]}, "an open line"), ({"gid": 3}, "a picture")],
    ids=["polyline", "tile"],
)
def test_what_covers_no_tiles_is_refused(read, extra, says):
    """A line and a stamped picture look as if they covered tiles; they are told before they are taken for a point."""
    shape = {"id": 5, "name": "Pub:bar", "x": 0, "y": 0, "width": 32, "height": 32, **extra}
    with pytest.raises(TownError, match=f"is {says}; draw a rectangle"):
        read({"type": "objectgroup", "name": "Addresses", "objects": [shape]})
