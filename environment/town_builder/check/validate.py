"""What every town must be to live in, checked on its grids alone: the same for our files and for foreign maps."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from town_builder.check.privacy import ROOM, privacy_faults
from town_builder.faults import Fault
from town_builder.grid.grids import BED, Grids, Path
from town_builder.plan.names import misnamed
from town_builder.plan.shapes import Tile

OBJECT = 3
"""Parts of an object's path."""
OLD_REACH = 150
"""Steps after which the path finders of older engines give up."""
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Census:
    """What was counted."""

    sectors: int
    arenas: int
    objects: int
    object_types: int
    walkable: int
    components: tuple[int, ...]
    """Tiles in each group of tiles that one cannot walk between, largest first."""
    spawns: int

    def __str__(self) -> str:
        pockets = f" ({', '.join(map(str, self.components))} tiles)" if len(self.components) > 1 else ""
        return (
            f"{self.sectors} sectors, {self.arenas} arenas, {self.objects} objects of {self.object_types} types, "
            f"{self.spawns} spawns; {self.walkable} walkable tiles in {len(self.components)} components{pockets}"
        )


@dataclass(frozen=True)
class Survey:
    """What a check of grids finds out."""

    census: Census
    faults: tuple[Fault, ...]
    main: frozenset[Tile]
    """The tiles of the town proper: the component where most objects are."""


def survey(grids: Grids) -> Survey:
    """Count a town and check it."""
    addresses = grids.addresses
    components = grids.components()
    main = _main_component(grids, components)
    depths = Counter(map(len, addresses))
    census = Census(
        sectors=depths[1],
        arenas=depths[2],
        objects=depths[3],
        object_types=len(set(grids.objects.values())),
        walkable=sum(map(len, components)),
        components=tuple(map(len, components)),
        spawns=len(grids.spawns),
    )
    faults = [
        *_name_faults(grids, addresses),
        *_label_faults(grids),
        *_spawn_faults(grids),
        *_reach_faults(grids, addresses, main),
        *_pocket_faults(grids, components, main),
        *_habit_faults(grids, addresses),
        *_distance_faults(grids, addresses, main),
        *privacy_faults(grids, main),
    ]
    return Survey(census, tuple(faults), frozenset(main))


def _main_component(grids: Grids, components: list[set[Tile]]) -> set[Tile]:
    return max(components, key=lambda tiles: (len(tiles & grids.objects.keys()), len(tiles)), default=set())


def _name_faults(grids: Grids, addresses: dict[Path, list[Tile]]) -> Iterator[Fault]:
    for path in [(grids.world,), *addresses]:
        if wrong := misnamed(path[-1]):
            yield Fault(grids.where(path), *wrong)


def _label_faults(grids: Grids) -> Iterator[Fault]:
    """Tiles whose labels do not nest, or where nobody can stand."""
    if not grids.solid:
        yield Fault(grids.source, "nothing in this town is impassable", "draw walls, or the Collisions layer")
    for tile, arena in grids.arenas.items():
        if tile not in grids.sectors:
            yield Fault(grids.where((), tile), f"arena {arena!r} lies outside every sector", "give it a sector")
    for tile, name in grids.objects.items():
        path = grids.path(tile)
        if len(path) < OBJECT:
            yield Fault(grids.where(path, tile), f"object {name!r} lies outside every arena", "give it an arena")
        if tile in grids.solid:
            yield Fault(grids.where(path, tile), f"the use tile of {name!r} is solid", "free it or move it")


def _spawn_faults(grids: Grids) -> Iterator[Fault]:
    for tile, spawn in grids.spawns.items():
        if tile in grids.solid or tile not in grids.arenas:
            where = grids.where(grids.path(tile), tile)
            yield Fault(where, f"spawn {spawn} is solid or outside every arena", "put it on a walkable tile of a room")


def _reach_faults(grids: Grids, addresses: dict[Path, list[Tile]], main: set[Tile]) -> Iterator[Fault]:
    """Arenas and objects that one cannot walk to."""
    for path, tiles in addresses.items():
        if len(path) == OBJECT:
            lost = [tile for tile in tiles if tile not in main and tile not in grids.solid]
        else:
            lost = tiles if main.isdisjoint(tiles) else []
        if lost:
            wrong = f"nobody can walk to {':'.join(path)}"
            yield Fault(grids.where(path, lost[0]), wrong, "open a door, or move what blocks the way")


def _pocket_faults(grids: Grids, components: list[set[Tile]], main: set[Tile]) -> Iterator[Fault]:
    """Walkable tiles that are cut off, and ways over the map's edge."""
    for pocket in components:
        if not pocket <= main:
            x, y = min(pocket)
            wrong = f"{len(pocket)} walkable tiles round {x},{y} are cut off from the town"
            yield Fault(grids.where(grids.path((x, y)), (x, y)), wrong, "open a way or make them solid", warning=True)
    edges = {0, grids.width - 1}, {0, grids.height - 1}
    if border := sorted(tile for tile in main if tile[0] in edges[0] or tile[1] in edges[1]):
        x, y = border[0]
        wrong = f"{len(border)} tiles on the border of the map are walkable, the first at {x},{y}"
        yield Fault(grids.source, wrong, "close it with a forest, water or a fence", warning=True)


def _habit_faults(grids: Grids, addresses: dict[Path, list[Tile]]) -> Iterator[Fault]:
    """Arenas in which there is nothing to do, and bedrooms in which nobody wakes up."""
    for path, tiles in addresses.items():
        if len(path) == ROOM and not any(tile in grids.objects for tile in tiles):
            yield Fault(grids.where(path), f"{':'.join(path)} has no object", "give it something to use", warning=True)
        if path[ROOM:] == (BED,) and not any(tile in grids.spawns for tile in addresses[path[:ROOM]]):
            wrong = f"nobody wakes up in {':'.join(path[:ROOM])}"
            yield Fault(grids.where(path), wrong, "add `spawn: true` to its bed", warning=True)


def _distance_faults(grids: Grids, addresses: dict[Path, list[Tile]], main: set[Tile]) -> Iterator[Fault]:
    """The longest way between two objects, if it is longer than older engines can walk."""
    open_tiles = np.zeros((grids.height, grids.width), bool)
    for x, y in main:
        open_tiles[y, x] = True
    objects = {path: tiles for path, tiles in addresses.items() if len(path) == OBJECT}
    far = max((_farthest(path, objects, open_tiles) for path in objects), default=(0, (), ()))
    if far[0] > OLD_REACH:
        wrong = f"{far[0]} steps from {':'.join(far[1])} to {':'.join(far[2])}; older engines give up after {OLD_REACH}"
        yield Fault(grids.where(far[1]), wrong, "shorten the way if you use one", warning=True)


def _farthest(start: Path, objects: dict[Path, list[Tile]], open_tiles: Mask) -> tuple[int, Path, Path]:
    """Steps to the object that is farthest from this one, both ends named."""
    steps = _steps(objects[start], open_tiles)
    return max((min(int(steps[y, x]) for x, y in tiles), start, path) for path, tiles in objects.items())


def _steps(starts: list[Tile], open_tiles: Mask) -> npt.NDArray[np.int_]:
    """Steps from the nearest start to every tile; -1 where one cannot walk."""
    steps = np.full(open_tiles.shape, -1)
    edge = np.zeros_like(open_tiles)
    for x, y in starts:
        edge[y, x] = open_tiles[y, x]
    distance = 0
    while edge.any():
        steps[edge] = distance
        wider = np.zeros_like(edge)
        wider[1:] |= edge[:-1]
        wider[:-1] |= edge[1:]
        wider[:, 1:] |= edge[:, :-1]
        wider[:, :-1] |= edge[:, 1:]
        edge = wider & open_tiles & (steps < 0)
        distance += 1
    return steps
