"""Floors, the shadows of walls on them, and sunlight from windows."""

from collections.abc import Iterable

from town_builder.art.buildings.doors import STEP, sill, threshold
from town_builder.art.buildings.floors import VARIANTS, floor, joint
from town_builder.art.buildings.walls import BOTTOM, EAST, LEFT, RIGHT, TOP, ZONES
from town_builder.art.canvas import TILE, Canvas
from town_builder.art.palette import SHADE, SHADOW, YELLOW
from town_builder.compose.canvases import Canvases, pieces
from town_builder.compose.wall_layout import WallLayout, step_from
from town_builder.plan.shapes import Tile
from town_builder.plan.town_plan import DOORWAY, OUTSIDE, Room
from town_builder.tiled.layers import FLOOR

HALF = TILE // 2
QUARTERS = {(0, 0): (-1, -1), (HALF, 0): (1, -1), (0, HALF): (-1, 1), (HALF, HALF): (1, 1)}
"""Top left corner of a quarter tile, in pixels → direction of its neighbours."""
CONTACT, PLANTABLE, BESIDE = 4, 3, 5
"""Pixels of shadow in front of a face (dark, then light) and beside a wall."""
SUNLIGHT = (*YELLOW[4][:3], 40)
CLEAR = (0, 0, 0, 0)
PATCH = 26, 38
"""Width and height of a patch of sunlight."""


def lay_floors(canvases: Canvases, layout: WallLayout) -> None:
    """Paint the floor of every room and doorway, including quarter tiles under the walls between rooms."""
    for tile in sorted(layout.characters):
        if room := layout.floor_room(tile):
            draw = _doorway_floor if layout.character(tile) == DOORWAY else _floor_at
            canvases.put(FLOOR, tile, draw(layout, tile, room))
        elif tile in layout.walls:
            _lay_under_wall(canvases, layout, tile)
    for x, y in filter(layout.is_passage, sorted(layout.characters)):
        outside = not (layout.floor_room((x - 1, y)) and layout.floor_room((x + 1, y)))
        canvases.paint(FLOOR, sill(outside=outside), (x * TILE + LEFT, y * TILE))


def _floor_at(layout: WallLayout, tile: Tile, room: Room) -> Canvas:
    """Return the floor tile of a room.

    The pattern is aligned with the corner of the building, so that moving a house does not change its floors.
    """
    right, down = layout.owners[tile].at
    return floor(room.floor, ((tile[0] - right) * 3 + (tile[1] - down) * 5) % VARIANTS)


def _lay_under_wall(canvases: Canvases, layout: WallLayout, tile: Tile) -> None:
    """Paint each quarter of a wall tile with the floor of the room on its side."""
    under = Canvas(TILE, TILE)
    for (x, y), (right, down) in QUARTERS.items():
        for step in ((right, 0), (0, down), (right, down)):
            if room := layout.room(step_from(tile, step)):
                under.over(_floor_at(layout, tile, room).crop(x, y, HALF, HALF), x, y)
                break
    if under.drawn.any():
        canvases.put(FLOOR, tile, under)


def _doorway_floor(layout: WallLayout, tile: Tile, room: Room) -> Canvas:
    """Return the floor of a doorway, with a sill between two rooms and a stone step at an entrance."""
    picture = _floor_at(layout, tile, room).copy()
    west, east = (layout.floor_room(step_from(tile, (step, 0))) for step in (-1, 1))
    if layout.is_passage(tile):
        for x, side in ((0, west), (HALF, east)):
            picture.rect(x, 0, HALF, TILE, CLEAR)
            if side:
                picture.over(_floor_at(layout, tile, side).crop(x, 0, HALF, TILE), x, 0)
    below = layout.floor_room(step_from(tile, (0, 1)))
    if layout.character(step_from(tile, (0, 1))) == OUTSIDE or (below and below != room):
        picture.over(threshold(outside=not below), 0, TILE - STEP)
    if layout.character(step_from(tile, (0, -1))) == OUTSIDE:
        picture.rect(0, 0, TILE, TOP, CLEAR).over(threshold(outside=True), 0, TOP)
    return picture


def lay_floor_joints(canvases: Canvases, layout: WallLayout) -> None:
    """Paint a strip of wood where two floors meet without a wall or door between them."""
    for tile in sorted(layout.characters):
        room = layout.room(tile)
        east, south = layout.room(step_from(tile, (1, 0))), layout.room(step_from(tile, (0, 1)))
        if room and east and room.floor != east.floor:
            canvases.paint(FLOOR, joint(upright=True), (tile[0] * TILE + TILE - 1, tile[1] * TILE))
        if room and south and room.floor != south.floor:
            canvases.paint(FLOOR, joint(upright=False), (tile[0] * TILE, tile[1] * TILE + TILE - 1))


def shade_rooms(canvases: Canvases, layout: WallLayout) -> None:
    """Paint the shadows of walls on floors: a dark line in front of faces, a light strip east of walls."""
    for tile in sorted(layout.caps):
        shadow = Canvas(TILE, TILE)
        for _, zone, before in layout.feet(tile):
            if layout.floor_room(before):
                left, right = ZONES[zone]
                shadow.rect(left, 0, right - left, CONTACT, SHADOW).rect(left, CONTACT, right - left, PLANTABLE, SHADE)
        if shadow.drawn.any():
            canvases.put(FLOOR, step_from(tile, (0, 2)), shadow)
    for tile in sorted(layout.walls):
        joins, below = layout.joins(tile), step_from(tile, (0, 1))
        if joins & EAST or not layout.floor_room(step_from(tile, (1, 0))):
            continue
        top = 0 if step_from(tile, (0, -1)) in layout.walls else BOTTOM
        canvases.put(FLOOR, tile, Canvas(TILE, TILE).rect(RIGHT, top, BESIDE, TILE - top, SHADE))
        if below not in layout.walls and layout.floor_room(below):
            canvases.put(FLOOR, below, Canvas(TILE, TILE).rect(RIGHT, 0, BESIDE, TILE, SHADE))


def lay_sunlight(canvases: Canvases, layout: WallLayout, windows: Iterable[Tile]) -> None:
    """Paint a slanted patch of light on the floor below each window. `windows` are the tiles of the windows."""
    for tile in sorted(windows):
        floor_tile = step_from(tile, (0, 1))
        room = layout.floor_room(floor_tile)
        for place, part in pieces(_sunlight(), (floor_tile[0] * TILE + 1, floor_tile[1] * TILE + CONTACT + PLANTABLE)):
            if room and layout.floor_room(place) == room:
                canvases.put(FLOOR, place, part)


def _sunlight() -> Canvas:
    width, height = PATCH
    patch = Canvas(width + height // 3, height)
    for y in range(height):
        if not height * 0.45 < y < height * 0.53:
            patch.row(y // 3, y, width // 2 - 1, SUNLIGHT).row(y // 3 + width // 2 + 1, y, width // 2 - 1, SUNLIGHT)
    return patch
