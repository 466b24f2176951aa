"""Put walls, doorways and facade windows into the layers of a map."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from town_builder.art.buildings.doors import LEAF, POST, RISE, doorway
from town_builder.art.buildings.facades import FACADES
from town_builder.art.buildings.walls import BOTTOM, OUTSIDE, ZONES, cap, face, wall
from town_builder.art.buildings.windows import LINTEL, NARROWEST, downpipe, house_window, pilaster, places, shop_window
from town_builder.art.canvas import TILE
from town_builder.art.palette import WALL as PAINT
from town_builder.compose.canvases import Canvases
from town_builder.compose.wall_layout import WallLayout
from town_builder.plan.shapes import Tiles
from town_builder.tiled.layers import OVER, WALL

CORNER = 6
"""Pixels of bare wall at the end of a facade."""
BY_THE_DOOR = POST + LEAF + 2
"""Pixels of bare wall beside a door, for its open leaf."""


@dataclass(frozen=True)
class FacadeStretch:
    """An uninterrupted piece of facade, in pixels of the map."""

    start: int
    end: int
    row: int
    """Tile row of its cap."""
    facade: str


def build_walls(canvases: Canvases, layout: WallLayout) -> None:
    """Draw every wall with its faces; caps south of a room are also drawn in front of people."""
    for tile in sorted(layout.caps):
        joins, ends = layout.joins(tile), layout.ends[tile]
        canvases.put(WALL, tile, wall(joins, ends, layout.upper(tile), layout.lower(tile)))
        if layout.floor_room((tile[0], tile[1] - 1)):
            canvases.put(OVER, tile, cap(joins, ends))
    for tile in sorted({(x, y + 1) for x, y in layout.caps} - layout.caps):
        if any(layout.lower(tile)):
            canvases.put(WALL, tile, face(layout.lower(tile)))


def cover_joints(canvases: Canvases, layout: WallLayout) -> None:
    """Cover the joint between two wallpapers with a pilaster, and between two facades with a downpipe."""
    for x, y in sorted(layout.caps):
        here, there = layout.upper((x, y))[2], layout.upper((x + 1, y))[0]
        if here and there and here != there:
            strip = downpipe() if here.startswith(OUTSIDE) else pilaster()
            canvases.paint(WALL, strip, ((x + 1) * TILE - strip.width // 2, y * TILE + BOTTOM))


def set_windows(canvases: Canvases, layout: WallLayout, taken: Tiles) -> None:
    """Draw windows on every facade that is wide enough, except beside doors and behind things (`taken` tiles)."""
    for stretch in facade_stretches(layout):
        top, width = stretch.row * TILE + BOTTOM, stretch.end - stretch.start
        if not FACADES[stretch.facade].shop:
            _set_house_windows(canvases, stretch, taken)
        elif width >= NARROWEST:
            canvases.paint(WALL, shop_window(stretch.facade, width), (stretch.start, top))


def _set_house_windows(canvases: Canvases, stretch: FacadeStretch, taken: Tiles) -> None:
    window = house_window(stretch.facade)
    for middle in places(stretch.start, stretch.end):
        left = middle - window.width // 2
        columns = range(left // TILE, (left + window.width - 1) // TILE + 1)
        if not any((column, stretch.row + down) in taken for column in columns for down in (0, 1)):
            canvases.paint(WALL, window, (left, stretch.row * TILE + BOTTOM + LINTEL))


def hang_doors(canvases: Canvases, layout: WallLayout) -> None:
    """Draw a frame around every doorway, and open leaves where it leads out of the building."""
    for door in layout.doorways:
        if door.end in layout.caps:
            facade = FACADES[door.building.facade]
            picture = doorway(door.width, facade.trim, facade.door) if door.leads_out else doorway(door.width, PAINT)
            corner = (door.at[0] - 1) * TILE, door.at[1] * TILE - RISE
            canvases.paint(WALL, picture.below, corner)
            if picture.cover:
                canvases.paint(OVER, picture.cover, corner)


def facade_stretches(layout: WallLayout) -> Iterator[FacadeStretch]:
    """Yield the facades that get windows, split at doors and corners, without the margins that stay bare."""
    last: FacadeStretch | None = None
    for piece in _pieces(layout):
        if last and (last.end, last.row, last.facade) == (piece.start, piece.row, piece.facade):
            last = replace(last, end=piece.end)
            continue
        if last:
            yield _less_margins(last)
        last = piece
    if last:
        yield _less_margins(last)


def _pieces(layout: WallLayout) -> Iterator[FacadeStretch]:
    """Yield the facade zones of all tiles, row by row from west to east."""
    for x, y in sorted(layout.caps, key=lambda tile: tile[::-1]):
        for (left, right), name in zip(ZONES, layout.upper((x, y)), strict=True):
            kind, _, facade = (name or "").partition(" ")
            if kind == OUTSIDE and layout.owners[x, y].windows:
                yield FacadeStretch(x * TILE + left, x * TILE + right, y, facade)


def _less_margins(stretch: FacadeStretch) -> FacadeStretch:
    """Return the stretch without its margins. Facades that end at a tile edge end at a door."""
    start = stretch.start + (CORNER if stretch.start % TILE else BY_THE_DOOR)
    end = stretch.end - (CORNER if stretch.end % TILE else BY_THE_DOOR)
    return replace(stretch, start=start, end=end)
