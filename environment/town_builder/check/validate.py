"""Validate a town on its grids alone, so that the same checks apply to town files and imported maps."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from town_builder.check.privacy import ROOM, privacy_problems
from town_builder.grid.grids import BED, AddressParts, Grids
from town_builder.plan.names import name_error
from town_builder.plan.shapes import Tile
from town_builder.problems import Problem

OBJECT = 3
"""Number of address parts of an object."""
LEGACY_PATH_LIMIT = 150
"""Longest path, in steps, that the path finders of older engines can find."""
MANY = 1000
"""From so many objects on, the longest walk is estimated: trying all pairs takes too long."""
SWEEPS = 4
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class TownCounts:
    """Numbers of places and walkable tiles of a town."""

    sectors: int
    arenas: int
    objects: int
    object_types: int
    walkable: int
    components: tuple[int, ...]
    """Sizes of the connected groups of walkable tiles, largest first."""
    spawns: int

    def __str__(self) -> str:
        pockets = f" ({', '.join(map(str, self.components))} tiles)" if len(self.components) > 1 else ""
        return (
            f"{self.sectors} sectors, {self.arenas} arenas, {self.objects} objects of {self.object_types} types, "
            f"{self.spawns} spawns; {self.walkable} walkable tiles in {len(self.components)} components{pockets}"
        )


@dataclass(frozen=True)
class Validation:
    """Result of the validation of a town."""

    counts: TownCounts
    problems: tuple[Problem, ...]
    main: frozenset[Tile]
    """Walkable tiles of the town proper: the connected component with the most object tiles."""


def validate_grids(grids: Grids) -> Validation:
    """Count the places of a town and check it."""
    addresses = grids.addresses
    components = grids.components()
    main = _main_component(grids, components)
    depths = Counter(map(len, addresses))
    counts = TownCounts(
        sectors=depths[1],
        arenas=depths[2],
        objects=depths[3],
        object_types=len(set(grids.objects.values())),
        walkable=sum(map(len, components)),
        components=tuple(map(len, components)),
        spawns=len(grids.spawns),
    )
    problems = [
        *_name_problems(grids, addresses),
        *_label_problems(grids),
        *_spawn_problems(grids),
        *_reach_problems(grids, addresses, main),
        *_pocket_problems(grids, components, main),
        *_usage_problems(grids, addresses),
        *_distance_problems(grids, addresses, main),
        *privacy_problems(grids, main),
    ]
    return Validation(counts, tuple(problems), frozenset(main))


def _main_component(grids: Grids, components: list[set[Tile]]) -> set[Tile]:
    return max(components, key=lambda tiles: (len(tiles & grids.objects.keys()), len(tiles)), default=set())


def _name_problems(grids: Grids, addresses: dict[AddressParts, list[Tile]]) -> Iterator[Problem]:
    for path in [(grids.world,), *addresses]:
        if error := name_error(path[-1]):
            yield Problem(grids.where(path), *error)


def _label_problems(grids: Grids) -> Iterator[Problem]:
    """Yield tiles whose labels are not nested, and use tiles that are solid."""
    if not grids.solid:
        yield Problem(grids.source, "the town has no impassable tile", "draw walls, or the Collisions layer")
    for tile, arena in grids.arenas.items():
        if tile not in grids.sectors:
            yield Problem(grids.where((), tile), f"arena {arena!r} lies outside every sector", "give it a sector")
    for tile, name in grids.objects.items():
        path = grids.address(tile)
        if len(path) < OBJECT:
            yield Problem(grids.where(path, tile), f"object {name!r} lies outside every arena", "give it an arena")
        if tile in grids.solid:
            yield Problem(grids.where(path, tile), f"the use tile of {name!r} is solid", "free it or move it")


def _spawn_problems(grids: Grids) -> Iterator[Problem]:
    for tile, spawn in grids.spawns.items():
        if tile in grids.solid or tile not in grids.arenas:
            where = grids.where(grids.address(tile), tile)
            yield Problem(
                where, f"spawn {spawn} is solid or outside every arena", "put it on a walkable tile of a room"
            )


def _reach_problems(grids: Grids, addresses: dict[AddressParts, list[Tile]], main: set[Tile]) -> Iterator[Problem]:
    """Yield arenas and objects that cannot be reached on foot."""
    for path, tiles in addresses.items():
        if len(path) == OBJECT:
            lost = [tile for tile in tiles if tile not in main and tile not in grids.solid]
        else:
            lost = tiles if main.isdisjoint(tiles) else []
        if lost:
            message = f"{':'.join(path)} cannot be reached on foot"
            yield Problem(grids.where(path, lost[0]), message, "open a door, or move what blocks the way")


def _pocket_problems(grids: Grids, components: list[set[Tile]], main: set[Tile]) -> Iterator[Problem]:
    """Yield walkable tiles that are cut off, and walkable tiles on the border of the map."""
    for pocket in components:
        if not pocket <= main:
            x, y = min(pocket)
            message = f"{len(pocket)} walkable tiles around {x},{y} are cut off from the town"
            yield Problem(
                grids.where(grids.address((x, y)), (x, y)), message, "open a way, or make them solid", warning=True
            )
    edges = {0, grids.width - 1}, {0, grids.height - 1}
    if border := sorted(tile for tile in main if tile[0] in edges[0] or tile[1] in edges[1]):
        x, y = border[0]
        message = f"{len(border)} tiles on the border of the map are walkable, the first at {x},{y}"
        yield Problem(grids.source, message, "close it with a forest, water or a fence", warning=True)


def _usage_problems(grids: Grids, addresses: dict[AddressParts, list[Tile]]) -> Iterator[Problem]:
    """Yield arenas without objects, and bedrooms without a spawn tile."""
    for path, tiles in addresses.items():
        if len(path) == ROOM and not any(tile in grids.objects for tile in tiles):
            yield Problem(grids.where(path), f"{':'.join(path)} has no object", "add one", warning=True)
        if path[ROOM:] == (BED,) and not any(tile in grids.spawns for tile in addresses[path[:ROOM]]):
            message = f"{':'.join(path[:ROOM])} has a bed but no spawn tile"
            yield Problem(grids.where(path), message, "add `spawn: true` to its bed", warning=True)


def _distance_problems(grids: Grids, addresses: dict[AddressParts, list[Tile]], main: set[Tile]) -> Iterator[Problem]:
    """Yield the longest walk between two objects, if it is too long for older engines."""
    open_tiles = np.zeros((grids.height, grids.width), bool)
    for x, y in main:
        open_tiles[y, x] = True
    objects = {path: tiles for path, tiles in addresses.items() if len(path) == OBJECT}
    far = _longest(objects, open_tiles)
    if far[0] > LEGACY_PATH_LIMIT:
        start, end = ":".join(far[1]), ":".join(far[2])
        message = f"{far[0]} steps from {start} to {end}; older engines give up after {LEGACY_PATH_LIMIT}"
        yield Problem(grids.where(far[1]), message, "shorten the way if you use one", warning=True)


def _longest(objects: dict[AddressParts, list[Tile]], open_tiles: Mask) -> tuple[int, AddressParts, AddressParts]:
    """Return the steps and the ends of the longest walk; where objects are many, of one nearly as long.

    It goes to the object that is farthest from the last one, a few times.
    """
    if len(objects) < MANY:
        return max((_farthest(path, objects, open_tiles) for path in objects), default=(0, (), ()))
    far = _farthest(next(iter(objects)), objects, open_tiles)
    for _ in range(SWEEPS):
        far = max(far, _farthest(far[2], objects, open_tiles))
    return far


def _farthest(
    start: AddressParts, objects: dict[AddressParts, list[Tile]], open_tiles: Mask
) -> tuple[int, AddressParts, AddressParts]:
    """Return the number of steps to the farthest object, and both ends."""
    steps = _steps(objects[start], open_tiles)
    return max((min(int(steps[y, x]) for x, y in tiles), start, path) for path, tiles in objects.items())


def _steps(starts: list[Tile], open_tiles: Mask) -> npt.NDArray[np.int_]:
    """Return the number of steps from the nearest start to every tile; -1 where people cannot walk."""
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
