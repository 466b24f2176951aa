"""Doorways: a frame in the gap of a wall, and open leaves where the doorway leads out of the building."""

from functools import cache

from town_builder.art.buildings.walls import LEFT, RIGHT, TOP
from town_builder.art.canvas import TILE, Canvas
from town_builder.art.drawing import Picture
from town_builder.art.palette import GLASS, STONE, WOOD, YELLOW, Ramp, mix

RISE = 7
"""Height of a frame above the wall, in pixels; it leaves the faces of people visible."""
BASE = RISE + 2 * TILE
"""Where a wall meets the ground, in pixels below the top of a frame's picture."""
POST, BEAM, LEAF = 6, 6, 13
STEP = 5
"""Height of the stone step, in pixels."""


@cache
def doorway(width: int, trim: Ramp, door: Ramp | None = None) -> Picture:
    """Draw the frame of an opening of `width` tiles; its corner is a tile west of and RISE above the cap's tile.

    With a `door` colour, open leaves are drawn to the south. Only the beam covers people.
    """
    across = (width + 2) * TILE
    below, cover = Canvas(across, BASE + TILE // 2), Canvas(across, BASE)
    west, east = TILE - POST, (width + 1) * TILE
    if door:
        leaf = _leaf(door)
        below.over(leaf, east + POST - 2, 0)
        if width > 1:
            below.over(leaf.flipped(), west + 2 - leaf.width, 0)
    for x in (west, east):
        below.over(_post(trim), x - 1, 0)
    cover.rect(west, TOP, east + POST - west, BEAM, trim[3]).rect(west, TOP, east + POST - west, 2, trim[4])
    cover.row(west, TOP + BEAM - 1, east + POST - west, trim[1])
    return Picture(below, cover.outline())


def _post(trim: Ramp) -> Canvas:
    post = Canvas(POST + 2, BASE + 1).rect(1, TOP, POST, BASE - TOP, trim[2])
    post.column(1, TOP, BASE - TOP, trim[4]).column(2, TOP, BASE - TOP, trim[3]).column(POST, TOP, BASE - TOP, trim[1])
    return post.rect(1, TOP, POST, BEAM, trim[3]).rect(1, BASE - 4, POST, 4, trim[1]).outline()


def _leaf(door: Ramp) -> Canvas:
    """Draw an open door leaf, hinged on its left side and turned towards the viewer."""
    leaf = Canvas(LEAF + 2, BASE + TILE // 2)
    for x in range(LEAF):
        lean = x * 7 // LEAF
        top, bottom = RISE + 18 + lean, BASE - 1 + lean
        leaf.column(x, top, bottom - top, door[2]).dot(x, top, door[4]).rect(x, bottom - 2, 1, 2, door[1])
        if 3 <= x < LEAF - 3:
            leaf.column(x, top + 4, 13, GLASS[2] if x < LEAF // 2 else GLASS[1])
            leaf.column(x, top + 22, 15, mix(door[2], door[1], 0.6)).dot(x, top + 22, door[1])
    leaf.column(LEAF - 1, RISE + 25, BASE - RISE - 19, door[3])
    leaf.dots([(LEAF - 4, RISE + 47), (LEAF - 4, RISE + 48)], YELLOW[3])
    return leaf.outline()


@cache
def threshold(*, outside: bool) -> Canvas:
    """Draw a worn stone step as wide as a tile; indoors, a board."""
    ramp = STONE[1:] if outside else WOOD
    stone = Canvas(TILE, STEP).rect(0, 0, TILE, STEP, ramp[3]).row(0, 0, TILE, ramp[1])
    return stone.row(0, 1, TILE, ramp[4]).row(0, STEP - 1, TILE, ramp[0 if outside else 1])


@cache
def sill(*, outside: bool) -> Canvas:
    """Draw the floor in the gap of a wall that runs from north to south: stone, or boards indoors."""
    ramp = STONE[1:] if outside else WOOD
    width, height = RIGHT - LEFT, TILE + TOP
    strip = Canvas(width, height).rect(0, 0, width, height, ramp[3]).column(1, 0, height, ramp[4])
    strip.column(5, 0, height, mix(ramp[2], ramp[3], 0.5)).column(6, 0, height, ramp[4])
    return strip.column(0, 0, height, ramp[1]).column(width - 1, 0, height, ramp[1])
