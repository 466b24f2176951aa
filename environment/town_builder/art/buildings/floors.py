"""Floors of rooms: a few tiles each, with so little contrast that furniture stands out."""

from collections.abc import Callable
from functools import cache

from town_builder.art.canvas import TILE, Canvas, noise
from town_builder.art.palette import (
    BLUE,
    GRASS,
    GREY,
    LEAF,
    OAK,
    PURPLE,
    RED,
    SAND,
    SOIL,
    STONE,
    TEAL,
    WALL,
    WALNUT,
    WHITE,
    WOOD,
    YELLOW,
    Colour,
    Ramp,
    mix,
)

Floor = Callable[[int], Canvas]
"""Variant → one tile."""
VARIANTS = 4
BOARD = 8
"""Width of a plank in pixels."""


def tile_of(colour: Colour) -> Canvas:
    return Canvas(TILE, TILE).rect(0, 0, TILE, TILE, colour)


def planks(ramp: Ramp, variant: int) -> Canvas:
    """Draw four boards from west to east, each with one joint; `ramp` is joint, dark, middle, light."""
    joint, dark, middle, light = ramp
    tile = tile_of(middle)
    for board in range(TILE // BOARD):
        y, end = board * BOARD, ((5, 21, 13, 29)[board] + variant * BOARD) % TILE
        for left, width, side in ((0, end, 0), (end, TILE - end, 1)):
            tone = noise("plank", variant, board, side)
            shade = middle if tone < 0.5 else mix(middle, dark, 0.17) if tone < 0.8 else mix(middle, light, 0.28)
            tile.rect(left, y, width, BOARD, shade)
        tile.row(0, y, TILE, mix(middle, light, 0.4)).row(0, y + BOARD - 1, TILE, joint).column(end, y, BOARD, joint)
        for fibre in range(2):
            x, down = noise("fibre", variant, board, fibre, "x"), noise("fibre", variant, board, fibre, "y")
            tile.row(int(x * 26), y + 2 + int(down * 4), 3 + int(x * 40) % 4, mix(middle, dark, 0.22))
    return tile


def boards(dark: Colour, middle: Colour, light: Colour, depth: float = 0.45) -> Floor:
    """Return a floor of planks whose joints are `depth` (0 to 1) of the way to the dark tone."""
    return lambda variant: planks((mix(middle, dark, depth), dark, middle, light), variant)


def parquet(ramp: Ramp, variant: int) -> Canvas:
    """Draw blocks of four staves, laid across and along in turn."""
    joint, dark, middle, light = ramp
    tile = tile_of(middle)
    for block, (x, y) in enumerate(((0, 0), (16, 0), (0, 16), (16, 16))):
        for stave in range(4):
            tone = noise("stave", variant, block, stave)
            shade = mix(middle, dark, 0.12) if tone < 0.35 else mix(middle, light, 0.2) if tone > 0.75 else middle
            at = 4 * stave
            if block in {0, 3}:
                tile.rect(x, y + at, 16, 4, shade).row(x, y + at + 3, 16, joint)
            else:
                tile.rect(x + at, y, 4, 16, shade).column(x + at + 3, y, 16, joint)
    return tile


def squares(one: Colour, other: Colour, size: int = 16) -> Canvas:
    """Draw tiles of two colours, each with a highlight on its upper left edges."""
    tile = Canvas(TILE, TILE)
    for x in range(0, TILE, size):
        for y in range(0, TILE, size):
            body = one if (x + y) // size % 2 else other
            tile.rect(x, y, size, size, body)
            tile.row(x, y, size, mix(body, WHITE[4], 0.25)).column(x, y, size, mix(body, WHITE[4], 0.18))
            low = mix(body, PURPLE[0], 0.14)
            tile.row(x, y + size - 1, size, low).column(x + size - 1, y, size, low)
    return tile


def flags(ramp: Ramp, variant: int) -> Canvas:
    """Draw worn stone slabs of different sizes."""
    tile = tile_of(ramp[2])
    for slab, (x, y, width, height) in enumerate(((0, 0, 18, 14), (18, 0, 14, 20), (0, 14, 18, 18), (18, 20, 14, 12))):
        tone = noise("slab", variant, slab)
        body = mix(ramp[2], ramp[1], 0.25) if tone < 0.35 else mix(ramp[2], ramp[3], 0.3) if tone > 0.7 else ramp[2]
        tile.rect(x, y, width, height, body).row(x, y, width - 1, mix(body, ramp[3], 0.55))
        tile.row(x, y + height - 1, width, ramp[0]).column(x + width - 1, y, height, ramp[0])
        tile.row(x + 3 + int(tone * 5), y + 5, 4, mix(body, ramp[1], 0.4))
    return tile


def carpet(ramp: Ramp, variant: int) -> Canvas:
    """Draw a soft pile: single stitches in two tones, without seams."""
    tile = tile_of(ramp[2])
    for stitch in range(26):
        x, y = noise("stitch", variant, stitch, "x"), noise("stitch", variant, stitch, "y")
        tone = mix(ramp[2], ramp[3], 0.35) if stitch % 2 else mix(ramp[2], ramp[1], 0.3)
        tile.row(int(x * (TILE - 1)), int(y * TILE), 2, tone)
    return tile


def patterned(ramp: Ramp, accent: Colour) -> Canvas:
    """Draw a carpet with a small woven lozenge at every crossing."""
    tile = carpet(ramp, 0)
    for x, y in ((8, 8), (24, 24)):
        tile.dots([(x - 2, y), (x + 2, y), (x, y - 2), (x, y + 2)], mix(ramp[2], accent, 0.45))
        tile.dots([(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)], ramp[1]).dot(x, y, accent)
    return tile


def softened(ramp: Ramp, share: float) -> Ramp:
    """Return the ramp mixed with wall white, to reduce its contrast."""
    return tuple(mix(step, WALL[2], share) for step in ramp)


PALE_STONE = (mix(STONE[1], STONE[2], 0.75), STONE[2], mix(STONE[3], WALL[2], 0.3), STONE[4])
WARM_STONE = tuple(mix(step, SAND[2], 0.5) for step in PALE_STONE)
LIBRARY = softened(TEAL, 0.25)
FLOORS: dict[str, Floor] = {
    "honey": boards(WOOD[2], mix(WOOD[3], WOOD[4], 0.25), WOOD[4]),
    "oak": boards(OAK[2], OAK[3], OAK[4], 0.6),
    "dark": boards(WALNUT[1], mix(WALNUT[2], WALNUT[3], 0.75), WALNUT[4]),
    "grey boards": boards(GREY[2], mix(GREY[3], WALL[2], 0.45), GREY[4], 0.4),
    "red boards": boards(WOOD[1], mix(WOOD[2], WOOD[3], 0.35), WOOD[3]),
    "parquet": lambda variant: parquet((mix(OAK[2], OAK[3], 0.2), OAK[1], OAK[3], OAK[4]), variant),
    "dark parquet": lambda variant: parquet(
        (mix(WOOD[2], WOOD[3], 0.25), WOOD[1], mix(WOOD[2], WOOD[3], 0.6), WOOD[4]), variant
    ),
    "check": lambda _: squares(mix(BLUE[4], WALL[4], 0.45), mix(BLUE[4], STONE[3], 0.55)),
    "bath": lambda _: squares(mix(TEAL[4], WHITE[3], 0.55), mix(TEAL[3], WHITE[2], 0.6), 8),
    "kitchen": lambda _: squares(mix(WALL[3], WALL[2], 0.3), mix(SAND[1], WALL[2], 0.7)),
    "black check": lambda _: squares(mix(WALL[3], WALL[2], 0.4), mix(GREY[3], WALL[1], 0.5)),
    "shop": lambda _: squares(mix(WALL[3], SAND[3], 0.35), mix(WALL[2], SAND[2], 0.45), TILE // 2),
    "green check": lambda _: squares(mix(GRASS[4], WALL[3], 0.75), mix(GRASS[3], STONE[3], 0.72)),
    "stone": lambda variant: flags(PALE_STONE, variant),
    "flagstone": lambda variant: flags(WARM_STONE, variant),
    "red carpet": lambda variant: carpet(softened(RED, 0.25), variant),
    "blue carpet": lambda variant: carpet(softened(BLUE, 0.4), variant),
    "green carpet": lambda variant: carpet(softened((LEAF[0], LEAF[1], LEAF[2], LEAF[3]), 0.35), variant),
    "purple carpet": lambda variant: carpet(softened(PURPLE, 0.42), variant),
    "grey carpet": lambda variant: carpet(softened(GREY, 0.3)[1:], variant),
    "library carpet": lambda _: patterned(LIBRARY, YELLOW[2]),
    "concrete": lambda variant: carpet(softened((SOIL[4], STONE[2], STONE[3], STONE[4]), 0.35), variant),
}
"""Every `floor:` that a room may have."""


@cache
def floor(name: str, variant: int = 0) -> Canvas:
    return FLOORS[name](variant % VARIANTS)


@cache
def joint(*, upright: bool) -> Canvas:
    """Draw a strip of wood between two floors, a tile long and three pixels wide."""
    steps = (WOOD[1], WOOD[3], WOOD[2])
    if upright:
        strip = Canvas(len(steps), TILE)
        for x, step in enumerate(steps):
            strip.column(x, 0, TILE, step)
        return strip
    strip = Canvas(TILE, len(steps))
    for y, step in enumerate(steps):
        strip.row(0, y, TILE, step)
    return strip
