"""The places of a map, from its matrices (docs/storage.md): sectors, arenas, objects and beds, in tiles."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import zip_longest
from pathlib import Path

from translator.storage.town.maps import folders, map_width
from ville.errors import CorruptFile
from ville.json_types import JsonObject
from ville.storage.files import read_text

LAYERS = ("sector", "arena", "game_object")
BED = "bed"
"""Name of the object that makes an arena a home; each of its tiles is a place for one."""

Tile = tuple[int, int]
"""Column and row."""


@dataclass(eq=False)
class MapPlaces:
    """The tiles of all places, in the order of the map."""

    world: str = ""
    sectors: dict[str, list[Tile]] = field(default_factory=dict)
    arenas: dict[tuple[str, str], list[Tile]] = field(default_factory=dict)
    objects: dict[tuple[str, str, str], list[Tile]] = field(default_factory=dict)

    def add(self, tile: Tile, sector: str, arena: str, thing: str) -> None:
        """Add a tile. Places that are not named have an empty name."""
        if sector:
            self.sectors.setdefault(sector, []).append(tile)
        if sector and arena:
            self.arenas.setdefault((sector, arena), []).append(tile)
        if sector and arena and thing:
            self.objects.setdefault((sector, arena, thing), []).append(tile)

    def sector_at(self, tile: Tile) -> str:
        """Return the sector of a tile; empty if there is none."""
        return self._sectors_by_tile.get(tile, "")

    @cached_property
    def _sectors_by_tile(self) -> Mapping[Tile, str]:
        return {tile: sector for sector, tiles in self.sectors.items() for tile in tiles}

    @property
    def beds(self) -> Mapping[tuple[str, str], int]:
        """Return the number of beds in each home: sector and arena."""
        return {(sector, arena): len(tiles) for (sector, arena, thing), tiles in self.objects.items() if thing == BED}

    def address(self, *parts: str) -> str:
        return ":".join((self.world, *parts))

    def as_json(self) -> JsonObject:
        """Return the places as pages get them."""
        return {
            "world": self.world,
            "sectors": [{"name": name, "box": _box(tiles)} for name, tiles in self.sectors.items()],
            "arenas": [
                {"sector": sector, "name": name, "box": _box(tiles)} for (sector, name), tiles in self.arenas.items()
            ],
            "objects": [
                {"address": self.address(*parts), "name": parts[-1], "tiles": tiles}
                for parts, tiles in self.objects.items()
            ],
            "beds": [{"home": self.address(*home), "beds": count} for home, count in self.beds.items()],
        }


def places(maze_name: str) -> MapPlaces:
    """Return the places of a map; none if its matrices are missing or cannot be read."""
    for folder in folders(f"assets/{maze_name}/matrix"):
        files = [folder / "maze_meta_info.json", *(folder / "maze").glob("*.csv"), *folder.glob("special_blocks/*.csv")]
        return _read(folder, tuple(_time_stamp(path) for path in sorted(files)))
    return MapPlaces()


@lru_cache(maxsize=8)
def _read(folder: Path, _stamps: tuple[int, ...]) -> MapPlaces:
    """Read the matrices, again if one of them has changed."""
    try:
        width = max(1, map_width(folder))
        found = MapPlaces(next(iter(_blocks(folder, "world").values()), ""))
        layers = [_names(folder, layer) for layer in LAYERS]
    except (OSError, ValueError, KeyError, TypeError, csv.Error, CorruptFile):
        return MapPlaces()
    for number, (sector, arena, thing) in enumerate(zip_longest(*layers, fillvalue="")):
        found.add((number % width, number // width), sector, arena, thing)
    return found


def _names(folder: Path, layer: str) -> Iterable[str]:
    """Return the name of every tile on a layer, row by row; empty where there is none."""
    names = _blocks(folder, layer)
    rows = _rows(folder / "maze" / f"{layer}_maze.csv")
    return [names.get(cell, "") for row in rows for cell in (row if row[-1] else row[:-1])]


def _blocks(folder: Path, layer: str) -> Mapping[str, str]:
    """Return names by number: the last column of a file by its first."""
    return {row[0]: row[-1] for row in _rows(folder / "special_blocks" / f"{layer}_blocks.csv")}


def _rows(path: Path) -> list[list[str]]:
    rows = csv.reader(read_text(path).splitlines(keepends=True), skipinitialspace=True)
    return [[cell.strip() for cell in row] for row in rows if any(row)]


def _box(tiles: Iterable[Tile]) -> tuple[int, int, int, int]:
    """Return column, row, width and height of the smallest box around tiles."""
    columns, rows = zip(*tiles, strict=True)
    return min(columns), min(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


def _time_stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
