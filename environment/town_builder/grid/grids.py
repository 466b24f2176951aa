"""The labels of every tile of a town: the common meaning of floor plans, CSV matrices and Tiled maps."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from town_builder.plan.shapes import Tile, Tiles

BED = "bed"
"""Name of the object that people wake up on."""
FOUR_WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))

AddressParts = tuple[str, ...]
"""(sector,), (sector, arena) or (sector, arena, object): an address without its world."""


@dataclass(frozen=True)
class Grids:
    """Labels of all tiles. Tiles that are missing in a mapping have no such label."""

    maze_name: str
    world: str
    width: int
    height: int
    solid: Tiles
    sectors: Mapping[Tile, str]
    arenas: Mapping[Tile, str]
    objects: Mapping[Tile, str]
    """Use tile → name of the object."""
    spawns: Mapping[Tile, str]
    """Tile → `sp-A`, `sp-B`, ... within each arena."""
    lines: Mapping[AddressParts, str] = field(default_factory=dict)
    """Address → `file:line` of its description in the town file. Empty for imported maps."""
    source: str = "the map"
    """Place to name in messages where there are no lines."""

    @property
    def tiles(self) -> Iterator[Tile]:
        """All tiles, row by row."""
        return ((x, y) for y in range(self.height) for x in range(self.width))

    def walkable(self, tile: Tile) -> bool:
        return 0 <= tile[0] < self.width and 0 <= tile[1] < self.height and tile not in self.solid

    def address(self, tile: Tile) -> AddressParts:
        """Return the address of a tile, up to the first missing part."""
        parts: list[str] = []
        for level in (self.sectors, self.arenas, self.objects):
            if tile not in level:
                break
            parts.append(level[tile])
        return tuple(parts)

    @property
    def addresses(self) -> dict[AddressParts, list[Tile]]:
        """Address → its tiles row by row: sectors, arenas and objects, ordered by first tile."""
        found: dict[AddressParts, list[Tile]] = {}
        for tile in self.tiles:
            path = self.address(tile)
            for depth in range(1, len(path) + 1):
                found.setdefault(path[:depth], []).append(tile)
        return found

    def where(self, path: AddressParts, tile: Tile | None = None) -> str:
        """Return the place to name in a message: the line of the town file or the map, and the tile if given."""
        spot = f" at {tile[0]},{tile[1]}" if tile else ""
        known = next((self.lines[path[:depth]] for depth in range(len(path), 0, -1) if path[:depth] in self.lines), "")
        return f"{known or self.source}{spot}"

    def neighbours(self, tile: Tile) -> Iterator[Tile]:
        """Yield the walkable tiles one step away."""
        steps = ((tile[0] + right, tile[1] + down) for right, down in FOUR_WAYS)
        return (step for step in steps if self.walkable(step))

    def reachable_from(self, starts: Iterable[Tile], closed: Tiles = frozenset()) -> set[Tile]:
        """Return all tiles reachable from these on foot without entering a closed tile, including the starts."""
        reached = {start for start in starts if self.walkable(start)}
        edge = list(reached)
        while edge:
            steps = {step for tile in edge for step in self.neighbours(tile)} - reached - closed
            reached |= steps
            edge = list(steps)
        return reached

    def components(self) -> list[set[Tile]]:
        """Return the connected groups of walkable tiles, largest first."""
        found: list[set[Tile]] = []
        seen: set[Tile] = set()
        for tile in self.tiles:
            if tile not in seen and self.walkable(tile):
                found.append(self.reachable_from([tile]))
                seen |= found[-1]
        return sorted(found, key=len, reverse=True)
