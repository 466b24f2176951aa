"""Read maps saved by the Tiled editor with any layer order, any tilesets, and any compression of tile numbers."""

import base64
import gzip
import json
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from town_builder.art.canvas import TILE
from town_builder.problems import TownError, town_error
from town_builder.tiled.map_file import Gids, TiledMap, Tileset
from town_builder.user_files import read_user_file

LARGEST = 1000
"""Maximum width and height of a map, in tiles."""
FLIPS = 0x1FFFFFFF
"""Mask for the bits of a number that identify the tile; the higher bits flip it."""
ADDRESSES = "Addresses"
"""Object layer whose shapes are named sector:arena[:object[:sp-A]]."""
NO_SHAPES = {"polyline": "an open line", "gid": "a picture", "text": "a text"}
"""Objects that are not accepted: key that identifies the kind → name of the kind."""
UNPACK: dict[str, Callable[[bytes], bytes]] = {"": bytes, "zlib": zlib.decompress, "gzip": gzip.decompress}


@dataclass(frozen=True)
class Zone:
    """A named shape on the map, in pixels."""

    name: str
    corners: tuple[tuple[float, float], ...]
    """Corners of a polygon; empty for a shape given by its bounds."""
    bounds: tuple[float, float, float, float]
    """x, y, width, height."""
    round: bool
    """Whether it is the ellipse inside its bounds."""


@dataclass(frozen=True)
class LoadedMap:
    """Content of a map file. Layer names are stripped of spaces, and tile numbers of flip bits."""

    source: str
    map: TiledMap
    zones: tuple[Zone, ...]


def read_map(path: Path) -> LoadedMap:
    """Read a map file. Raises TownError if it is missing, broken, infinite or compressed in an unsupported way."""
    try:
        found = json.loads(read_user_file(path).decode("utf-8-sig"))
    except OSError as error:
        raise town_error(
            str(path), f"cannot be read ({error.strerror})", "give the path of a map saved as JSON"
        ) from error
    except (ValueError, RecursionError) as error:
        raise town_error(str(path), f"is not JSON ({error})", "save it in Tiled as JSON map file") from error
    try:
        return _reading(str(path), found)
    except TownError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise town_error(str(path), f"is not a Tiled map ({error!r})", "save it in Tiled as JSON map file") from error


def _check_usable(source: str, found: dict[str, Any]) -> None:
    """Raise TownError for a map of a kind that cannot become a maze."""
    if found.get("infinite"):
        raise town_error(source, "is an infinite map", "switch off Map > Map Properties > Infinite in Tiled")
    if found.get("orientation", "orthogonal") != "orthogonal":
        raise town_error(source, f"is {found['orientation']}", "make an orthogonal map in Tiled")
    if (sides := (found.get("tilewidth", TILE), found.get("tileheight", TILE))) != (TILE, TILE):
        message = f"has tiles of {sides[0]} by {sides[1]} pixels"
        raise town_error(source, message, f"make a map with tiles of {TILE} by {TILE}")
    for side in ("width", "height"):
        if not isinstance(found[side], int) or not 1 <= found[side] <= LARGEST:
            raise town_error(source, f"has the {side} {found[side]!r}", f"give it one of 1 to {LARGEST} tiles")


def _reading(source: str, found: dict[str, Any]) -> LoadedMap:
    _check_usable(source, found)
    layers: dict[str, Gids] = {}
    zones: list[Zone] = []
    for layer in _layers(found["layers"]):
        name = layer["name"].strip()
        if layer["type"] == "tilelayer":
            layers[name] = _numbers(source, layer, found["width"] * found["height"])
        elif layer["type"] == "objectgroup" and name == ADDRESSES:
            zones.extend(_zone(source, shape) for shape in layer["objects"])
    tilesets = tuple(_tileset(tileset) for tileset in found["tilesets"])
    properties = _properties(found)
    return LoadedMap(source, TiledMap(found["width"], found["height"], layers, tilesets, properties), tuple(zones))


def _layers(layers: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield all layers, including those inside groups."""
    for layer in layers:
        if layer["type"] == "group":
            yield from _layers(layer["layers"])
        else:
            yield layer


def _numbers(source: str, layer: dict[str, Any], count: int) -> Gids:
    packed = layer["data"]
    if isinstance(packed, str):
        way = layer.get("compression", "")
        if way not in UNPACK:
            fix = "choose Map > Map Properties > Tile Layer Format > CSV in Tiled"
            raise town_error(source, f"layer {layer['name']!r} is compressed with {way}", fix)
        try:
            packed = struct.unpack(f"<{count}I", UNPACK[way](base64.b64decode(packed, validate=True)))
        except (ValueError, EOFError, OSError, struct.error, zlib.error) as error:
            raise town_error(
                source, f"layer {layer['name']!r} cannot be unpacked ({error})", "save the map again"
            ) from error
    if len(packed) != count:
        message = f"layer {layer['name']!r} has {len(packed)} tiles, the map has {count}"
        raise town_error(source, message, "resize the layer in Tiled")
    return tuple(int(number) & FLIPS for number in packed)


def _zone(source: str, shape: dict[str, Any]) -> Zone:
    name = str(shape.get("name", "")).strip()
    if not 1 <= len(name.split(":")) <= 4 or not all(part.strip() for part in name.split(":")):  # noqa: PLR2004
        where = f"{source}, {ADDRESSES} object {shape.get('id')}"
        raise town_error(where, f"the name {name!r} is not an address", "name it sector:arena or sector:arena:object")
    where = f"{source}, {ADDRESSES} {name!r}"
    if shape.get("rotation"):
        raise town_error(where, "is rotated", "set its rotation to 0 or draw a polygon")
    if kind := next((words for key, words in NO_SHAPES.items() if key in shape), None):
        raise town_error(where, f"is {kind}", "draw a rectangle, an ellipse or a polygon")
    x, y = float(shape["x"]), float(shape["y"])
    corners = tuple((x + point["x"], y + point["y"]) for point in shape.get("polygon", ()))
    bounds = (x, y, float(shape.get("width", 0)), float(shape.get("height", 0)))
    return Zone(name, corners, bounds, round=bool(shape.get("ellipse")))


def _properties(described: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: str(one["value"]) for one in described.get("properties", ())}


def _tileset(described: dict[str, Any]) -> Tileset:
    """Return a tileset; for one in a separate file only its first number and name are known."""
    labels = {tile["id"]: _properties(tile) for tile in described.get("tiles", ()) if tile.get("properties")}
    return Tileset(
        name=described.get("name", described.get("source", "")),
        first=described["firstgid"],
        columns=described.get("columns", 1),
        count=described.get("tilecount", 0),
        image=described.get("image", ""),
        labels=labels,
    )


def require_layer(reading: LoadedMap, name: str) -> Gids:
    """Return the tile numbers of a layer. Raises TownError with the names of the existing layers."""
    if name not in reading.map.layers:
        there = ", ".join(repr(layer) for layer in reading.map.layers) or "none"
        raise TownError(town_error(reading.source, f"has no layer {name!r}", f"add it; the map has {there}").problems)
    return reading.map.layers[name]
