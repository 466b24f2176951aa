"""Maps in the JSON format of the Tiled editor.

We write format 1.10 with embedded tilesets and uncompressed numbers, one line per row of tiles, so that diffs are
readable.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from town_builder.art.canvas import TILE
from town_builder.tiled.layers import LAYERS

FIRST_BLOCK = 32125
"""First number of the marker tileset; its tile 0 means collision."""
CONTENT, BUILT_FROM = "content", "built_from"
"""Map properties: fingerprint of the map as built, and fingerprint of the town file."""
VERSION, EDITOR = "1.10", "1.10.2"

Gids = tuple[int, ...]
"""A tile number for each map tile, row by row; 0 means none."""


@dataclass(frozen=True)
class TerrainBrush:
    """A terrain brush of the editor: which tile fits which neighbours."""

    name: str
    colour: str
    """Colour in the editor, as `#rrggbb`."""
    tiles: tuple[tuple[int, tuple[int, ...]], ...]
    """Pairs of tile and Wang id: eight numbers clockwise from the top, 1 where the terrain continues."""


@dataclass(frozen=True)
class Tileset:
    """A tileset of a map."""

    name: str
    first: int
    """Number of its first tile."""
    columns: int
    count: int
    """Number of tile places, in whole rows."""
    image: str
    """Path of its PNG, relative to the folder of the map."""
    labels: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    """Tile → its properties."""
    terrain_brush: TerrainBrush | None = None


@dataclass(frozen=True)
class TiledMap:
    """A map with its layers in drawing order."""

    width: int
    height: int
    layers: Mapping[str, Gids]
    """Layer name → tile numbers."""
    tilesets: tuple[Tileset, ...]
    properties: Mapping[str, str] = field(default_factory=dict)


def fingerprint(tiled: TiledMap) -> str:
    """Return a SHA-256 of the tiles and marker names of a map, which ignores other changes made by editors."""
    layers = sorted((name.strip(), tuple(numbers)) for name, numbers in tiled.layers.items())
    labels = sorted(
        (tileset.first + tile, sorted(label.items()))
        for tileset in tiled.tilesets
        for tile, label in tileset.labels.items()
    )
    return hashlib.sha256(repr((tiled.width, layers, labels)).encode()).hexdigest()


def map_text(tiled: TiledMap) -> str:
    """Return the map as JSON for Tiled."""
    rows: dict[str, str] = {}
    layers = []
    for layer in LAYERS:
        mark = f"rows of {layer.name}"
        rows[json.dumps(mark)] = _rows(tiled.layers[layer.name], tiled.width)
        layers.append(
            {
                "data": mark,
                "height": tiled.height,
                "id": layer.number,
                "name": layer.name,
                "opacity": layer.opacity,
                "type": "tilelayer",
                "visible": layer.visible,
                "width": tiled.width,
                "x": 0,
                "y": 0,
            }
        )
    text = json.dumps(
        {**_head(tiled), "layers": layers, "tilesets": [_tileset(one) for one in tiled.tilesets]}, indent=1
    )
    for mark, numbers in rows.items():
        text = text.replace(mark, numbers, 1)
    return text + "\n"


def _rows(numbers: Gids, width: int) -> str:
    lines = (",".join(map(str, numbers[start : start + width])) for start in range(0, len(numbers), width))
    return "[\n" + ",\n".join(lines) + "]"


def _head(tiled: TiledMap) -> dict[str, Any]:
    return {
        "compressionlevel": -1,
        "height": tiled.height,
        "infinite": False,
        "nextlayerid": max(layer.number for layer in LAYERS) + 1,
        "nextobjectid": 1,
        "orientation": "orthogonal",
        "properties": _properties(tiled.properties),
        "renderorder": "right-down",
        "tiledversion": EDITOR,
        "tileheight": TILE,
        "tilewidth": TILE,
        "type": "map",
        "version": VERSION,
        "width": tiled.width,
    }


def _properties(properties: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "type": "string", "value": value} for name, value in sorted(properties.items())]


def _tileset(tileset: Tileset) -> dict[str, Any]:
    described: dict[str, Any] = {
        "columns": tileset.columns,
        "firstgid": tileset.first,
        "image": tileset.image,
        "imageheight": tileset.count // tileset.columns * TILE,
        "imagewidth": tileset.columns * TILE,
        "margin": 0,
        "name": tileset.name,
        "spacing": 0,
        "tilecount": tileset.count,
        "tileheight": TILE,
        "tilewidth": TILE,
    }
    if tileset.labels:
        labels = sorted(tileset.labels.items())
        described["tiles"] = [{"id": tile, "properties": _properties(label)} for tile, label in labels]
    if tileset.terrain_brush:
        described["wangsets"] = [_wangset(tileset.terrain_brush)]
    return described


def _wangset(terrain_brush: TerrainBrush) -> dict[str, Any]:
    middle = max(terrain_brush.tiles, key=lambda tile: sum(tile[1]))[0]
    return {
        "colors": [{"color": terrain_brush.colour, "name": terrain_brush.name, "probability": 1, "tile": middle}],
        "name": terrain_brush.name,
        "tile": middle,
        "type": "mixed",
        "wangtiles": [{"tileid": tile, "wangid": list(wang_id)} for tile, wang_id in terrain_brush.tiles],
    }
