"""The Tiled map of a town, as far as it is drawn: JSON with embedded or JSON tilesets, groups, chunks, base64 data.

As on the pages (`town/map/tiled.js`), layers of markers and hidden ones are left out, and so are tilesets whose picture
is missing: a town with gaps is better than none.
"""

import base64
import gzip
import json
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from PIL import Image

from ville.errors import BadMap, CorruptFile
from ville.storage.files import read_text

MARKERS = re.compile(r"(collisions?|.* blocks|special blocks registry)\s*", re.IGNORECASE)
ABOVE = re.compile(r"foreground", re.IGNORECASE)
NUMBER = 0x1FFFFFFF
ACROSS, DOWN, DIAGONAL = 0x80000000, 0x40000000, 0x20000000
LARGEST = 1000
"""Columns and rows of a map."""
UNPACK: Mapping[str, Callable[[bytes], bytes]] = {"": bytes, "zlib": zlib.decompress, "gzip": gzip.decompress}
Described = Mapping[str, Any]
Cells = Mapping[int, int]
"""Raw number of a tile, with its flips, by its place; row by row."""


@dataclass(frozen=True)
class DrawnLayer:
    """A layer with pictures."""

    above: bool
    """Whether it covers people."""
    cells: Cells


@dataclass(frozen=True)
class DrawnMap:
    """Size and layers of a map, from back to front."""

    columns: int
    rows: int
    tile: int
    """Pixels."""
    layers: Sequence[DrawnLayer]
    tilesets: Sequence["Tiles"]

    def picture_of(self, raw: int) -> Image.Image | None:
        """Return the picture of a tile, turned as its number says; None if there is none."""
        number = raw & NUMBER
        before = [tiles for tiles in self.tilesets if tiles.first <= number]
        return max(before, key=lambda tiles: tiles.first).turned(raw) if before else None


class Tiles:
    """The pictures of a tileset."""

    def __init__(self, described: Described, picture: Path) -> None:
        self.first: int = described["firstgid"]
        self._described = described
        self._path = picture
        self._known: dict[int, Image.Image | None] = {}

    def turned(self, raw: int) -> Image.Image | None:
        if raw not in self._known:
            self._known[raw] = self._turned(raw)
        return self._known[raw]

    @cached_property
    def _sheet(self) -> Image.Image | None:
        try:
            with Image.open(self._path) as picture:
                return picture.convert("RGBA")
        except (OSError, ValueError):
            return None

    def _turned(self, raw: int) -> Image.Image | None:
        if self._sheet is None:
            return None
        width, height = self._described["tilewidth"], self._described["tileheight"]
        margin, spacing = self._described.get("margin", 0), self._described.get("spacing", 0)
        columns = self._described.get("columns") or (self._sheet.width - 2 * margin + spacing) // (width + spacing)
        row, column = divmod((raw & NUMBER) - self.first, max(1, columns))
        left, top = margin + column * (width + spacing), margin + row * (height + spacing)
        tile = self._sheet.crop((left, top, left + width, top + height))
        turns = (
            (DIAGONAL, Image.Transpose.TRANSPOSE),
            (ACROSS, Image.Transpose.FLIP_LEFT_RIGHT),
            (DOWN, Image.Transpose.FLIP_TOP_BOTTOM),
        )
        for flag, turn in turns:
            tile = tile.transpose(turn) if raw & flag else tile
        return tile


def read_tiled(path: Path) -> DrawnMap:
    """Read a map. Raises BadMap."""
    try:
        found = json.loads(read_text(path))
        size = found["width"], found["height"], found["tilewidth"]
        if not all(isinstance(side, int) and 1 <= side <= LARGEST for side in size):
            raise ValueError(f"its size is {size}")  # noqa: TRY301 - as other faults of the file
        layers = tuple(_layers(found["layers"], found["width"]))
        return DrawnMap(*size, layers, tuple(_tilesets(found["tilesets"], path.parent)))
    except (OSError, CorruptFile, ValueError, KeyError, TypeError, RecursionError, struct.error, zlib.error) as fault:
        raise BadMap(f"{path} cannot be drawn ({fault!r}). Build the town again, or save the map as JSON.") from None


def _layers(layers: Sequence[Described], width: int) -> Iterator[DrawnLayer]:
    for layer in layers:
        if not layer.get("visible", True) or MARKERS.fullmatch(layer.get("name", "")):
            continue
        if layer["type"] == "group":
            yield from _layers(layer["layers"], width)
        elif layer["type"] == "tilelayer":
            yield DrawnLayer(ABOVE.match(layer["name"]) is not None, dict(_cells(layer, width)))


def _cells(layer: Described, width: int) -> Iterator[tuple[int, int]]:
    parts = layer["chunks"] if "chunks" in layer else [{"x": 0, "y": 0, "width": width, "data": layer["data"]}]
    for part in parts:
        for place, raw in enumerate(_numbers(part["data"], layer)):
            column, row = part["x"] + place % part["width"], part["y"] + place // part["width"]
            if raw and 0 <= column < width and row >= 0:
                yield row * width + column, raw


def _numbers(data: str | Sequence[int], layer: Described) -> Sequence[int]:
    if not isinstance(data, str):
        return data
    packed = UNPACK[layer.get("compression", "")](base64.b64decode(data))
    return struct.unpack(f"<{len(packed) // 4}I", packed)


def _tilesets(tilesets: Sequence[Described], folder: Path) -> Iterator[Tiles]:
    for tileset in tilesets:
        described, base = tileset, folder
        if (source := tileset.get("source", "")).endswith("json"):
            base = (folder / source).parent
            described = {**json.loads(read_text(folder / source)), "firstgid": tileset["firstgid"]}
        if "image" in described:
            yield Tiles(described, base / described["image"])
