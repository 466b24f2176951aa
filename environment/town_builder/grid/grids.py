"""What every tile of a town is: the one meaning behind floor plan, CSV matrices and Tiled map."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from town_builder.plan.shapes import Tile, Tiles

BED = "bed"
"""The one object that everybody wakes up on."""
FOUR_WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))

AddressParts = tuple[str, ...]
"""(sector,), (sector, arena) or (sector, arena, object): an address without its world."""


@dataclass(frozen=True)
class Grids:
    """Tiles that are not named in a mapping have no such label."""

    maze_name: str
    world: str
    width: int
    height: int
    solid: Tiles
    sectors: Mapping[Tile, str]
    arenas: Mapping[Tile, str]
    objects: Mapping[Tile, str]
    """Where one stands to use an object of this name."""
    spawns: Mapping[Tile, str]
    """`sp-A`, `sp-B`, ... within each arena."""
    lines: Mapping[AddressParts, str] = field(default_factory=dict)
    """Where the town file describes an address, as `file:line`. Empty for a town that comes from a map."""
    source: str = "the map"
    """What to name where there are no lines."""

    @property
    def tiles(self) -> Iterator[Tile]:
        """Every tile, row by row."""
        return ((x, y) for y in range(self.height) for x in range(self.width))

    def walkable(self, tile: Tile) -> bool:
        return 0 <= tile[0] < self.width and 0 <= tile[1] < self.height and tile not in self.solid

    def address(self, tile: Tile) -> AddressParts:
        """As much of the address as this tile has, up to the first part that is missing."""
        parts: list[str] = []
        for level in (self.sectors, self.arenas, self.objects):
            if tile not in level:
                break
            parts.append(level[tile])
        return tuple(parts)

    @property
    def addresses(self) -> dict[AddressParts, list[Tile]]:
        """Address → its tiles row by row: sectors, arenas and objects, in order of their first tile."""
        found: dict[AddressParts, list[Tile]] = {}
        for tile in self.tiles:
            path = self.address(tile)
            for depth in range(1, len(path) + 1):
                found.setdefault(path[:depth], []).append(tile)
        return found

    def where(self, path: AddressParts, tile: Tile | None = None) -> str:
        """The place to look at: the line of the town file, or the address and a tile."""
        spot = f" at {tile[0]},{tile[1]}" if tile else ""
        known = next((self.lines[path[:depth]] for depth in range(len(path), 0, -1) if path[:depth] in self.lines), "")
        return f"{known or self.source}{spot}"

    def neighbours(self, tile: Tile) -> Iterator[Tile]:
        """Walkable tiles one step away."""
        steps = ((tile[0] + right, tile[1] + down) for right, down in FOUR_WAYS)
        return (step for step in steps if self.walkable(step))

    def reachable_from(self, starts: Iterable[Tile], closed: Tiles = frozenset()) -> set[Tile]:
        """Every tile one can walk to from these without stepping on a closed one, themselves included."""
        reached = {start for start in starts if self.walkable(start)}
        edge = list(reached)
        while edge:
            steps = {step for tile in edge for step in self.neighbours(tile)} - reached - closed
            reached |= steps
            edge = list(steps)
        return reached

    def components(self) -> list[set[Tile]]:
        """The walkable tiles in groups that one cannot walk between, largest first."""
        found: list[set[Tile]] = []
        seen: set[Tile] = set()
        for tile in self.tiles:
            if tile not in seen and self.walkable(tile):
                found.append(self.reachable_from([tile]))
                seen |= found[-1]
        return sorted(found, key=len, reverse=True)
