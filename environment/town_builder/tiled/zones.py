"""Turn the named shapes of an object layer into tile labels. A tile belongs to a shape that contains its middle."""

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
    """Return the town described by the zones on an unlabelled map. Later zones override earlier ones."""
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
    """Raise TownError for a zone that is certainly a mistake."""
    where = f"{town.source}, shape {zone.name!r}"
    if not tiles:
        raise town_error(where, "does not contain the middle of any tile", "make it larger or move it onto the map")
    if parts[0] == town.world:
        raise town_error(
            where, "starts with the world", "start with the sector; the map property `world` names the world"
        )
    if len(parts) == LEVELS and not parts[-1].startswith(SPAWN):
        raise town_error(where, f"has a fourth part {parts[-1]!r}", f"name spawn tiles `{SPAWN}A`, `{SPAWN}B`, ...")


def contains(zone: Zone, point: tuple[float, float]) -> bool:
    """Return whether a point is inside the zone."""
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
    """Return whether a ray to the east crosses the polygon an odd number of times."""
    x, y = point
    inside = False
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (x1 - x0) * (y - y0) / (y1 - y0):
            inside = not inside
    return inside
