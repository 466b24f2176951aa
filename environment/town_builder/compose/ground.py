"""Open ground: grass, terrain on top of it, and the shadows of buildings."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from town_builder.art.buildings.walls import OUTSIDE, RIGHT, ZONES
from town_builder.art.canvas import TILE, Canvas
from town_builder.art.ground.autotile import neighbours_of
from town_builder.art.ground.grass import GRASS_TILES, grass_at
from town_builder.art.ground.ground import TERRAINS, spread, variant_at
from town_builder.art.palette import SHADE, SHADOW
from town_builder.compose.canvases import Canvases
from town_builder.compose.wall_layout import WallLayout, step_from
from town_builder.plan.shapes import Tile, Tiles
from town_builder.plan.town_plan import OUTSIDE as OPEN_AIR
from town_builder.plan.town_plan import PLANTABLE, Plan
from town_builder.tiled.layers import GROUND, LOW, TERRAIN

FOREST = "forest"
DEEP, FAINT, LONG = 5, 2, 7
"""Pixels of a building's shadow: dark and light part in front of it, and the part beside it."""


def lay_grass(canvases: Canvases) -> None:
    for x in range(canvases.width):
        for y in range(canvases.height):
            canvases.put(GROUND, (x, y), GRASS_TILES[grass_at(x, y)])


def lay_terrain(canvases: Canvases, layout: WallLayout, cells: Mapping[str, set[Tile]]) -> None:
    """Paint every kind of ground in drawing order.

    Each kind continues under the kinds above it, under buildings and beyond the border of the map.
    """
    right_edge, bottom_edge = canvases.width - 1, canvases.height - 1
    for name in TERRAINS:
        own = spread(name, cells)
        own |= {tile for x, y in own for tile in ((x - 1, y), (x + 1, y)) if layout.is_passage(tile)}
        wider = own | {tile for tile in _around(own) if layout.is_front(tile)}

        def member(x: int, y: int, wider: set[Tile] = wider) -> bool:
            return (min(max(x, 0), right_edge), min(max(y, 0), bottom_edge)) in wider

        for x, y in sorted(_around(own)):
            around = neighbours_of(member, x, y)
            ground = _inner(name, around, variant_at(x, y)) if (x, y) in own else _tip(name, around, variant_at(x, y))
            if ground:
                canvases.put(TERRAIN, (x, y), ground)


def _around(tiles: set[Tile]) -> set[Tile]:
    """Return the tiles and all tiles adjacent to them."""
    return {(x + right, y + down) for x, y in tiles for right in (-1, 0, 1) for down in (-1, 0, 1)}


def terrain_cells(plan: Plan, forest: Tiles) -> dict[str, set[Tile]]:
    """Return the tiles of each kind of ground. Meadow and forest continue under paths; plots have their own ground."""
    cells: defaultdict[str, set[Tile]] = defaultdict(set)
    cells[FOREST] |= forest
    for terrain in plan.terrain:
        if terrain.kind in PLANTABLE:
            cells[terrain.kind] |= terrain.tiles
    for tile, terrain in plan.ground.items():
        cells[terrain.kind].add(tile)
    for area in plan.areas:
        for plot in area.plots:
            if plot.ground:
                cells[plot.ground] |= plot.tiles
    return cells


@cache
def _inner(name: str, around: int, variant: int) -> Canvas:
    return TERRAINS[name].smooth(around, variant)


@cache
def _tip(name: str, around: int, variant: int) -> Canvas | None:
    return TERRAINS[name].tip(around, variant)


def cast_shadows(canvases: Canvases, layout: WallLayout) -> None:
    """Paint shadows in front of facades and east of walls, wherever the ground is open."""
    for tile in sorted(layout.walls):
        shadow = Canvas(TILE, TILE)
        for name, zone, before in layout.feet(tile):
            if name.startswith(OUTSIDE) and layout.character(before) == OPEN_AIR:
                left, right = ZONES[zone]
                shadow.rect(left, 0, right - left, DEEP, SHADOW).rect(left, DEEP, right - left, FAINT, SHADE)
        _lay(canvases, step_from(tile, (0, 2)), shadow)
        if layout.is_outside(step_from(tile, (1, 0))):
            _shade_beside(canvases, layout, tile)


def _shade_beside(canvases: Canvases, layout: WallLayout, tile: Tile) -> None:
    """Shade the strip of ground east of a wall, and of its face where the wall ends."""
    top = 0 if step_from(tile, (0, -1)) in layout.walls else TILE // 2
    _lay(canvases, tile, Canvas(TILE, TILE).rect(RIGHT, top, LONG, TILE - top, SHADE))
    below = step_from(tile, (0, 1))
    if below not in layout.walls and layout.is_outside(below):
        _lay(canvases, below, Canvas(TILE, TILE).rect(RIGHT, 0, LONG, TILE, SHADE))
        _lay(canvases, step_from(below, (0, 1)), Canvas(TILE, TILE).rect(RIGHT, 0, LONG - 1, DEEP + FAINT, SHADE))


def _lay(canvases: Canvases, tile: Tile, shadow: Canvas) -> None:
    if shadow.drawn.any():
        canvases.put(LOW, tile, shadow)
