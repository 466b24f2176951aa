"""Outlines of ground: rounded, slightly irregular, and equal on both sides of every tile edge.

A tile knows which of its eight neighbours have the same ground. Each corner where four cells meet is decided
separately: one cell with ground ends in a quarter circle, two form a straight edge, and three are joined by a concave
curve that extends into the fourth cell. All four cells evaluate the same corner, so their outlines agree. Finally the
outline is distorted by a wave that repeats with every tile.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from town_builder.art.canvas import TILE, Mask

Numbers = npt.NDArray[np.float64]

NEIGHBOURHOOD = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight neighbours as (right, down), clockwise from the north, as in Tiled's Wang ids. Neighbour i is bit i."""
EVERYWHERE = 0b11111111
SIDES = (0, 2, 4, 6)
"""Bits of north, east, south and west."""
MARGIN = 10
"""Width of the known outline around the tile, in pixels; drawings may look this far beyond the edge."""
HALF = TILE // 2


def canonical(mask: int) -> int:
    """Return the mask without diagonals that are not connected to the tile along both sides."""
    for bit in (1, 3, 5, 7):
        if not (mask >> (bit - 1) & 1 and mask >> (bit + 1) % 8 & 1):
            mask &= ~(1 << bit)
    return mask


MASKS = tuple(sorted({canonical(mask) for mask in range(256)}, key=lambda mask: (mask.bit_count(), mask)))
"""The 47 distinct masks, in the order of a sheet of tiles."""


def neighbours_of(member: Callable[[int, int], bool], x: int, y: int) -> int:
    """Return the mask of a cell's eight neighbours, including unconnected diagonals, as smooth tiles need them."""
    return sum(1 << bit for bit, (right, down) in enumerate(NEIGHBOURHOOD) if member(x + right, y + down))


def wang_id(mask: int) -> tuple[int, ...]:
    """Return the mask as Tiled's eight numbers (top, top right, right, … top left): 1 where the ground continues."""
    return tuple(mask >> bit & 1 for bit in range(8))


@dataclass(frozen=True)
class OutlineStyle:
    """Shape parameters of the outline of a kind of ground, in pixels."""

    inset: int = 3
    """Distance between the cell edge and the ground."""
    arc: int = 13
    """Radius of an end or a tight corner; at most half a tile minus the inset."""
    wide: int = 17
    """Radius of a corner with free space on that side."""
    hollow: int = 19
    """Radius of the curve in an inner corner; at most half a tile plus the inset."""
    wave: float = 1.4
    """Amplitude of the wave; at most the inset minus one pixel, rounded."""
    seed: int = 11


@dataclass(frozen=True)
class Neighbourhood:
    """A tile and which of its neighbours share its ground."""

    mask: int
    """Neighbours with this ground, by the bits of NEIGHBOURHOOD."""
    member: bool = True
    """Whether the tile has this ground. If not, it may still contain the tip of an inner corner."""
    smooth: bool = True
    """Whether inner corners are curved; then adjacent tiles without this ground must be painted, too."""

    def has(self, right: int, down: int) -> bool:
        return self.member if (right, down) == (0, 0) else bool(self.mask >> NEIGHBOURHOOD.index((right, down)) & 1)


class Outline:
    """The ground pixels of a tile and of the MARGIN around it."""

    def __init__(self, window: Mask) -> None:
        self.window = window

    def within(self, right: int = 0, down: int = 0) -> Mask:
        """Return the pixels of the tile (32 × 32) from which a step of (right, down), at most MARGIN, is on ground."""
        top, left = MARGIN + down, MARGIN + right
        return self.window[top : top + TILE, left : left + TILE]

    def around(self, reach: int) -> Mask:
        """Return the pixels of the tile with ground in all eight directions at this distance."""
        slant = round(reach * 0.7)
        steps = [(right * (slant if right * down else reach), down * (slant if right * down else reach))
                 for right, down in NEIGHBOURHOOD]  # fmt: skip
        return np.asarray(np.logical_and.reduce([self.within(), *(self.within(*step) for step in steps)]))

    def beside(self) -> Mask:
        """Return the pixels of the tile that are not ground but touch it."""
        return np.asarray(~self.within() & np.logical_or.reduce([self.within(*NEIGHBOURHOOD[bit]) for bit in SIDES]))


@cache
def outline_of(cells: Neighbourhood, style: OutlineStyle) -> Outline:
    """Return the outline of the ground on one tile."""
    reach = MARGIN + 2
    down, right = np.mgrid[-reach : TILE + reach, -reach : TILE + reach] + 0.5
    window = np.zeros(down.shape, bool)
    for east in (-1, 1):
        for south in (-1, 1):
            inward = right if east < 0 else TILE - right
            downward = down if south < 0 else TILE - down
            quarter = (inward < HALF) & (downward < HALF)
            window[quarter] = _corner(cells, style, (east, south), inward, downward)[quarter]
    if cells.member:
        window &= ~_wide_corners(cells, style, right, down)
    return Outline(_waved(window, style))


def _corner(cells: Neighbourhood, style: OutlineStyle, towards: tuple[int, int], right: Numbers, down: Numbers) -> Mask:
    """Return the ground around one corner of the tile. `right` and `down` increase from the corner into the tile."""
    east, south = towards
    places = {(1, 1): (0, 0), (-1, 1): (east, 0), (1, -1): (0, south), (-1, -1): towards}
    ground = [side for side, cell in places.items() if cells.has(*cell)]
    if len(ground) == 4:
        return np.ones(right.shape, bool)
    if len(ground) == 3:
        across, along = next(side for side in places if side not in ground)
        return ~_notch(right * across, down * along, style, cells.smooth)
    if len(ground) == 2 and ground[0][0] == ground[1][0]:
        return np.asarray(right * ground[0][0] > style.inset)
    if len(ground) == 2 and ground[0][1] == ground[1][1]:
        return np.asarray(down * ground[0][1] > style.inset)
    window = np.zeros(right.shape, bool)
    for across, along in ground:
        window |= ~_cut(right * across, down * along, style, (style.arc, style.arc))
    return window


def _notch(right: Numbers, down: Numbers, style: OutlineStyle, smooth: bool) -> Mask:  # noqa: FBT001 - both ways are drawn
    """Return what the fourth cell cuts from an inner corner, in coordinates from the corner into that cell."""
    notch = (right > -style.inset) & (down > -style.inset)
    if smooth:
        centre = style.hollow - style.inset
        notch &= np.hypot(right - centre, down - centre) < style.hollow
    return np.asarray(notch)


def _cut(right: Numbers, down: Numbers, style: OutlineStyle, radii: tuple[int, int]) -> Mask:
    """Return what an outer corner loses: the inset on both sides, and everything beyond the arc."""
    across, along = radii
    x, y = right - style.inset, down - style.inset
    beyond = ((x - across) / across) ** 2 + ((y - along) / along) ** 2 > 1
    return np.asarray((x <= 0) | (y <= 0) | (x < across) & (y < along) & beyond)


def _wide_corners(cells: Neighbourhood, style: OutlineStyle, right: Numbers, down: Numbers) -> Mask:
    """Return what the tile's outer corners lose where straight edges leave room for a wide arc."""
    lost = np.zeros(right.shape, bool)
    inner = (right > 0) & (right < TILE) & (down > 0) & (down < TILE)
    for east in (-1, 1):
        for south in (-1, 1):
            if not cells.has(east, 0) and not cells.has(0, south):
                across = style.wide if cells.has(-east, 0) and not cells.has(-east, south) else style.arc
                along = style.wide if cells.has(0, -south) and not cells.has(east, -south) else style.arc
                x, y = right if east < 0 else TILE - right, down if south < 0 else TILE - down
                near = (x < style.inset + across) & (y < style.inset + along)
                lost |= inner & near & _cut(x, y, style, (across, along))
    return lost


def _waved(window: Mask, style: OutlineStyle) -> Mask:
    """Return the window distorted by the wave, cropped by the two pixels that the wave may need."""
    right, down = _wave(style)
    side = TILE + 2 * MARGIN
    place = (np.arange(side) - MARGIN) % TILE
    rows, columns = np.mgrid[0:side, 0:side]
    along = (rows + 2 + down[np.ix_(place, place)]).round().astype(int)
    across = (columns + 2 + right[np.ix_(place, place)]).round().astype(int)
    return np.asarray(window[along, across])


@cache
def _wave(style: OutlineStyle) -> tuple[Numbers, Numbers]:
    """Return the displacement of each pixel, right and down: a few slow sine waves that repeat with every tile."""
    random = np.random.RandomState(style.seed)
    angle = np.arange(TILE) * 2 * np.pi / TILE

    def waves() -> Numbers:
        total = np.zeros((TILE, TILE))
        for _ in range(5):
            across, along = random.randint(-3, 4), random.randint(-3, 4)
            slow = 1 + 0.4 * (abs(across) + abs(along))
            total += np.sin(across * angle[None, :] + along * angle[:, None] + random.rand() * 7) / slow
        return np.asarray(total / np.abs(total).max() * style.wave)

    return waves(), waves()
