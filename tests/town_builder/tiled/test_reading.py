"""Maps are read correctly, whatever the settings of the editor."""

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
    """Base64 data, compressed or not, gives the same numbers as a list."""
    data = base64.b64encode(packed).decode()
    reading = read(layer(data=data, encoding="base64", compression=compression))
    assert reading.map.layers == {"Wall": TILES}


def test_flips_are_taken_off(read):
    """A tile flipped or rotated in any of the seven ways has the same number."""
    for flips in range(1, 8):
        assert read(layer(data=[tile | flips << 29 if tile else 0 for tile in TILES])).map.layers["Wall"] == TILES


def test_groups_are_opened(read):
    """Layers in nested groups are found, and their names are stripped."""
    inner = {"type": "group", "name": "inner", "layers": [layer(name=" Wall ")]}
    assert read({"type": "group", "name": "outer", "layers": [inner]}).map.layers == {"Wall": TILES}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"data": "AAAA", "compression": "zstd"}, "compressed with zstd; choose Map"),
        ({"data": [1, 2]}, "has 2 tiles, the map has 4"),
        ({"data": "AAAA"}, "cannot be unpacked"),
        ({"data": "!", "compression": "zlib"}, "cannot be unpacked"),
        ({"data": base64.b64encode(b"no gzip at all").decode(), "compression": "gzip"}, "cannot be unpacked"),
        ({"data": [1, 2, "three", 4]}, "is not a Tiled map"),
    ],
    ids=["zstd", "too few", "cut off", "no base64", "no gzip", "a word"],
)
def test_layers_that_cannot_be_read_are_refused(read, changes, expected):
    """The error names the layer or map and the setting to change."""
    with pytest.raises(TownError, match=expected):
        read(layer(**changes))


def test_infinite_maps_are_refused(read):
    """Infinite maps have no fixed width and are refused."""
    with pytest.raises(TownError, match="switch off"):
        read(infinite=True)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"orientation": "isometric"}, "is isometric; make an orthogonal map"),
        ({"tilewidth": 16, "tileheight": 16}, "has tiles of 16 by 16 pixels; make a map with tiles of 32"),
        ({"width": -2, "height": -2}, "has the width -2; give it one of"),
        ({"height": "2"}, "has the height '2'; give it one of"),
    ],
    ids=["isometric", "small tiles", "negative", "a word"],
)
def test_maps_of_another_kind_are_refused(read, changes, expected):
    """Unsupported kinds of maps are refused with the setting to change."""
    with pytest.raises(TownError, match=expected):
        read(layer(), **changes)


def test_a_byte_order_mark_is_accepted(tmp_path):
    """Some editors write a byte order mark."""
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
    """Files that are not maps are refused with their name instead of a traceback."""
    path = tmp_path / "map.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TownError, match=r"map\.json: is not"):
        read_map(path)


@pytest.mark.parametrize("name", ["", "a:b:c:d:e", "a::b"])
def test_shapes_without_an_address_are_refused(read, name):
    """A shape without a name in the layer Addresses is refused with its number."""
    shape = {"id": 5, "name": name, "x": 0, "y": 0, "width": 32, "height": 32}
    with pytest.raises(TownError, match="Addresses object 5"):
        read({"type": "objectgroup", "name": "Addresses", "objects": [shape]})


def test_rotated_shapes_are_refused(read):
    """Rotated shapes are refused, because they would cover other tiles than those shown."""
    shape = {"id": 5, "name": "Pub:bar", "x": 0, "y": 0, "width": 32, "height": 32, "rotation": 45}
    with pytest.raises(TownError, match="draw a polygon"):
        read({"type": "objectgroup", "name": "Addresses", "objects": [shape]})


@pytest.mark.parametrize(
    ("extra", "expected"),
    [({"polyline": [{"x": 0, "y": 0}, {"x": 9, "y": 9}]}, "an open line"), ({"gid": 3}, "a picture")],
    ids=["polyline", "tile"],
)
def test_objects_without_area_are_refused(read, extra, expected):
    """Lines, pictures and texts are refused instead of being read as points."""
    shape = {"id": 5, "name": "Pub:bar", "x": 0, "y": 0, "width": 32, "height": 32, **extra}
    with pytest.raises(TownError, match=f"is {expected}; draw a rectangle"):
        read({"type": "objectgroup", "name": "Addresses", "objects": [shape]})
