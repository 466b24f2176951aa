"""Walls, doorways and the windows of facades, laid into the layers of a map."""

from collections.abc import Iterator
from dataclasses import dataclass

from town_builder.art.canvas import TILE
from town_builder.art.doors import LEAF, POST, doorway
from town_builder.art.facades import FACADES
from town_builder.art.palette import WALL as PAINT
from town_builder.art.walls import BOTTOM, OUTSIDE, ZONES, cap, face, wall
from town_builder.art.windows import LINTEL, NARROWEST, downpipe, house_window, pilaster, places, shop_window
from town_builder.dress.canvases import Canvases
from town_builder.dress.masonry import Masonry
from town_builder.layers import OVER, WALL

CORNER = 6
"""Pixels of bare wall at the end of a facade."""
BY_THE_DOOR = POST + LEAF + 2
"""Pixels of bare wall beside a door, for its leaf."""


@dataclass(frozen=True)
class Stretch:
    """A piece of facade without a gap, in pixels of the map."""

    start: int
    end: int
    row: int
    """The tile row of its cap."""
    facade: str


def build_walls(canvases: Canvases, masonry: Masonry) -> None:
    """Every wall with its faces; caps south of a room also in front of people."""
    for tile in sorted(masonry.caps):
        joins, ends = masonry.joins(tile), masonry.ends[tile]
        canvases.put(WALL, tile, wall(joins, ends, masonry.upper(tile), masonry.lower(tile)))
        if masonry.floor_room((tile[0], tile[1] - 1)):
            canvases.put(OVER, tile, cap(joins, ends))
    for tile in sorted({(x, y + 1) for x, y in masonry.caps} - masonry.caps):
        if any(masonry.lower(tile)):
            canvases.put(WALL, tile, face(masonry.lower(tile)))


def cover_seams(canvases: Canvases, masonry: Masonry) -> None:
    """A pilaster where two wallpapers meet on one wall, a downpipe where two facades do."""
    for x, y in sorted(masonry.caps):
        here, there = masonry.upper((x, y))[2], masonry.upper((x + 1, y))[0]
        if here and there and here != there:
            strip = downpipe() if here.startswith(OUTSIDE) else pilaster()
            canvases.paint(WALL, strip, ((x + 1) * TILE - strip.width // 2, y * TILE + BOTTOM))


def set_windows(canvases: Canvases, masonry: Masonry) -> None:
    """Windows into every facade that is wide enough; never where a door's leaf stands."""
    for stretch in stretches(masonry):
        top = stretch.row * TILE + BOTTOM + LINTEL
        width = stretch.end - stretch.start
        if FACADES[stretch.facade].shop and width >= NARROWEST:
            canvases.paint(WALL, shop_window(stretch.facade, width), (stretch.start, top - LINTEL))
        elif not FACADES[stretch.facade].shop:
            window = house_window(stretch.facade)
            for middle in places(stretch.start, stretch.end):
                canvases.paint(WALL, window, (middle - window.width // 2, top))


def hang_doors(canvases: Canvases, masonry: Masonry) -> None:
    """A frame round every doorway, and open leaves where it leads out of the house."""
    for door in masonry.doorways:
        if door.end in masonry.caps:
            facade = FACADES[door.building.facade]
            picture = doorway(door.width, facade.trim, facade.door) if door.leads_out else doorway(door.width, PAINT)
            corner = (door.at[0] - 1) * TILE, door.at[1] * TILE
            canvases.paint(WALL, picture.below, corner)
            if picture.cover:
                canvases.paint(OVER, picture.cover, corner)


def stretches(masonry: Masonry) -> Iterator[Stretch]:
    """The facades of all buildings, cut at doors and corners, less the margins that stay bare."""
    open_end: Stretch | None = None
    for x, y in sorted(masonry.caps, key=lambda tile: tile[::-1]):
        for (left, right), name in zip(ZONES, masonry.upper((x, y)), strict=True):
            kind, _, facade = (name or "").partition(" ")
            if kind != OUTSIDE:
                continue
            start, end = x * TILE + left, x * TILE + right
            if open_end and (open_end.end, open_end.row, open_end.facade) == (start, y, facade):
                open_end = Stretch(open_end.start, end, y, facade)
                continue
            if open_end:
                yield _less_margins(open_end)
            open_end = Stretch(start, end, y, facade)
    if open_end:
        yield _less_margins(open_end)


def _less_margins(stretch: Stretch) -> Stretch:
    """Facades that end at a tile's edge end at a door."""
    start = stretch.start + (CORNER if stretch.start % TILE else BY_THE_DOOR)
    end = stretch.end - (CORNER if stretch.end % TILE else BY_THE_DOOR)
    return Stretch(start, end, stretch.row, stretch.facade)
