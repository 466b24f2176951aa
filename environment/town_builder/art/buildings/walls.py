"""Cut-away walls, tile by tile: a light cap seen from above, and the wall face below it.

The cap of a tile follows from which of its eight neighbours are walls. The caller names the faces in three zones from
west to east (beside, under and beside the column of the wall), because there may be a different room on each side.
"""

from functools import cache

import numpy as np

from town_builder.art.buildings.facades import FACADES, facade_face
from town_builder.art.buildings.wallpapers import FACE, WALLPAPERS, wallpaper
from town_builder.art.canvas import TILE, Canvas, Mask
from town_builder.art.palette import CAP, mix

NORTH, EAST, SOUTH, WEST, NORTH_EAST, SOUTH_EAST, SOUTH_WEST, NORTH_WEST = (1 << bit for bit in range(8))
SIDES = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
CORNERS = {
    NORTH_EAST: (NORTH | EAST, (1, -1)),
    SOUTH_EAST: (SOUTH | EAST, (1, 1)),
    SOUTH_WEST: (SOUTH | WEST, (-1, 1)),
    NORTH_WEST: (NORTH | WEST, (-1, -1)),
}
"""Bit of a diagonal → the two sides that must also be walls for it to count, and its direction."""

LEFT, RIGHT = 10, 22
"""Columns covered by a wall that runs from north to south."""
TOP, BOTTOM = 2, 14
"""Rows covered by the cap of a wall that runs from west to east."""
RUNGS = {
    NORTH_EAST | NORTH_WEST: (slice(0, TOP), slice(LEFT, RIGHT)),
    NORTH_EAST | SOUTH_EAST: (slice(TOP, BOTTOM), slice(RIGHT, TILE)),
    SOUTH_EAST | SOUTH_WEST: (slice(BOTTOM, TILE), slice(LEFT, RIGHT)),
    NORTH_WEST | SOUTH_WEST: (slice(TOP, BOTTOM), slice(0, LEFT)),
}
"""Two diagonals → rows and columns of the gap between them, which is filled although it is not a wall."""
UPPER = TILE - BOTTOM
"""Rows of a face that are on the tile of the wall; the rest is on the tile below."""

Zones = tuple[str | None, str | None, str | None]
"""The faces west of, in and east of the column of the wall; None where there is no face."""
ZONES = ((0, LEFT), (LEFT, RIGHT), (RIGHT, TILE))
OPEN: Zones = (None, None, None)
FILLING = mix(CAP[2], CAP[3], 0.5)
"""Colour between two adjacent parallel walls."""
TRIM, INSIDE, OUTSIDE = "trim", "inside", "outside"
"""Name of the face of a bare wall end; first word of the names of wallpapered faces and of facades."""


@cache
def face_of(name: str) -> Canvas:
    """Return a face, one tile wide, by the name of its wallpaper or facade (for example `outside brick`)."""
    if name == TRIM:
        return _bare()
    kind, _, style = name.partition(" ")
    return facade_face(style) if kind == OUTSIDE else wallpaper(style)


def inside(wall: str) -> str:
    """Return the name of a room's face. Raises KeyError for an unknown wallpaper."""
    return f"{INSIDE} {wall}" if wall in WALLPAPERS else _unknown("wall", wall)


def outside(facade: str) -> str:
    """Return the name of a building's face. Raises KeyError for an unknown facade."""
    return f"{OUTSIDE} {facade}" if facade in FACADES else _unknown("facade", facade)


def _unknown(kind: str, name: str) -> str:
    raise KeyError(f"no {kind} is called {name!r}")


def _bare() -> Canvas:
    """Draw painted boards like those of a door frame."""
    paint = mix(CAP[2], CAP[3], 0.45)
    face = Canvas(TILE, FACE).rect(0, 0, TILE, FACE, paint).rect(0, 0, TILE, 2, CAP[1]).rect(0, 2, TILE, 2, CAP[2])
    face.column(LEFT + 2, 2, FACE, CAP[3]).column(RIGHT - 3, 4, FACE - 10, CAP[2])
    return face.rect(0, FACE - 6, TILE, 6, CAP[2]).row(0, FACE - 7, TILE, CAP[1]).row(0, FACE - 1, TILE, CAP[0])


def canonical(joins: int) -> int:
    """Return the mask without the diagonals that make no difference."""
    for corner, (sides, _) in CORNERS.items():
        if joins & sides != sides:
            joins &= ~corner
    return joins


def cap_shape(joins: int) -> Mask:
    """Return the mask of the cap on a tile whose neighbours in these directions are walls."""
    shape = np.zeros((TILE, TILE), np.bool_)
    west, east = (0 if joins & WEST else LEFT), (TILE if joins & EAST else RIGHT)
    north, south = (0 if joins & NORTH else TOP), (TILE if joins & SOUTH else BOTTOM)
    shape[TOP:BOTTOM, west:east] = True
    shape[north:south, LEFT:RIGHT] = True
    for corner, (sides, (right, down)) in CORNERS.items():
        if joins & corner and joins & sides == sides:
            rows = slice(TOP, TILE) if down > 0 else slice(0, BOTTOM)
            shape[rows, slice(LEFT, TILE) if right > 0 else slice(0, RIGHT)] = True
    return shape


def _between(joins: int) -> Mask:
    """Return the part of a cap between two adjacent parallel walls."""
    filling = cap_shape(joins) & ~cap_shape(joins & (NORTH | EAST | SOUTH | WEST))
    for corners, (rows, columns) in RUNGS.items():
        if joins & corners == corners:
            filling[rows, columns] = True
    return filling


@cache
def cap(joins: int, ends: int = 0) -> Canvas:
    """Draw the cap alone. `ends` are the directions in which it stops at the tile edge, beside a doorway."""
    around = canonical(joins | ends)
    shape, filling = cap_shape(around), _between(around)
    beyond = np.pad(shape, 1, mode="edge")
    beyond[:, 0] &= not ends & WEST
    beyond[:, -1] &= not ends & EAST
    above, below = beyond[:-2, 1:-1], beyond[2:, 1:-1]
    left, right = beyond[1:-1, :-2], beyond[1:-1, 2:]
    edge = shape & ~(above & below & left & right)
    inner, rim = shape & ~edge, np.pad(edge, 1)
    lit = inner & (rim[:-2, 1:-1] | rim[1:-1, :-2])
    dim = inner & (rim[2:, 1:-1] | rim[1:-1, 2:]) & ~lit
    tile = Canvas(TILE, TILE).fill(shape, CAP[3]).fill(filling, FILLING).fill(lit, CAP[4])
    return tile.fill(dim, CAP[2]).fill(edge, CAP[0])


@cache
def wall(joins: int, ends: int, upper: Zones, lower: Zones) -> Canvas:
    """Draw a wall tile: faces of the wall above (`lower`), its own faces (`upper`), and the cap over both."""
    tile = Canvas(TILE, TILE)
    _faces(tile, lower, 0, UPPER)
    _faces(tile, upper, BOTTOM, 0)
    return tile.over(cap(joins, ends))


@cache
def face(lower: Zones) -> Canvas:
    """Draw the tile below a wall, which shows most of its face."""
    return _faces(Canvas(TILE, TILE), lower, 0, UPPER)


def _faces(tile: Canvas, zones: Zones, y: int, first: int) -> Canvas:
    """Draw the faces of the zones from tile row `y` and face row `first`, with a dark line at their ends."""
    for (x, end), name in zip(ZONES, zones, strict=True):
        if name:
            tile.over(face_of(name).crop(x, first, end - x, min(FACE - first, TILE - y)), x, y)
    west, middle, east = zones
    if middle and not west:
        tile.column(LEFT, y, TILE - y, CAP[0])
    if middle and not east:
        tile.column(RIGHT - 1, y, TILE - y, CAP[0])
    return tile
