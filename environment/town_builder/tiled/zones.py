"""Named shapes of an editor's object layer become labels on tiles: a tile belongs to a shape that holds its middle."""

from collections.abc import Iterable

from town_builder.art.canvas import TILE
from town_builder.grid.grids import Grids
from town_builder.plan.shapes import Tile
from town_builder.problems import town_error
from town_builder.tiled.reading import Zone

SPAWN = "sp-"
LEVELS = 4
"""Sector, arena, object and spawn."""


def grids_from_zones(zones: Iterable[Zone], empty: Grids) -> Grids:
    """The town that the zones describe on a map without labels. Where zones overlap the later one wins its levels."""
    levels = tuple(dict[Tile, str]() for _ in range(LEVELS))
    for zone in zones:
        parts = [part.strip() for part in zone.name.split(":")]
        tiles = [tile for tile in empty.tiles if contains(zone, ((tile[0] + 0.5) * TILE, (tile[1] + 0.5) * TILE))]
        _check_zone(zone, parts, tiles, empty)
        for level, part in zip(levels, parts, strict=False):
            level.update(dict.fromkeys(tiles, part))
    sectors, arenas, objects, spawns = levels
    return Grids(
        maze_name=empty.maze_name,
        world=empty.world,
        width=empty.width,
        height=empty.height,
        solid=empty.solid,
        sectors=sectors,
        arenas=arenas,
        objects={tile: name for tile, name in objects.items() if tile not in empty.solid},
        spawns=spawns,
        source=empty.source,
    )


def _check_zone(zone: Zone, parts: list[str], tiles: list[Tile], town: Grids) -> None:
    """Raises TownError for a zone that cannot be meant as it is."""
    where = f"{town.source}, shape {zone.name!r}"
    if not tiles:
        raise town_error(where, "holds the middle of no tile", "make it larger or move it onto the map")
    if parts[0] == town.world:
        raise town_error(
            where, "begins with the world", "begin with the sector; the map property `world` names the world"
        )
    if len(parts) == LEVELS and not parts[-1].startswith(SPAWN):
        raise town_error(
            where, f"has a fourth part {parts[-1]!r}", f"call a place to wake up `{SPAWN}A`, `{SPAWN}B`, ..."
        )


def contains(zone: Zone, point: tuple[float, float]) -> bool:
    """Whether a point lies in the zone."""
    x, y = point
    left, top, width, height = zone.bounds
    if zone.corners:
        return _in_polygon(zone.corners, point)
    if zone.round:
        across, down = (x - left) / (width or 1) - 0.5, (y - top) / (height or 1) - 0.5
        return across * across + down * down <= 1 / 4
    if not width and not height:
        return left // TILE == x // TILE and top // TILE == y // TILE
    return left <= x < left + width and top <= y < top + height


def _in_polygon(corners: tuple[tuple[float, float], ...], point: tuple[float, float]) -> bool:
    """Whether a ray to the east leaves the polygon an odd number of times."""
    x, y = point
    inside = False
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (x1 - x0) * (y - y0) / (y1 - y0):
            inside = not inside
    return inside
