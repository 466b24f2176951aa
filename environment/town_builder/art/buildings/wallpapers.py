"""Inner walls: the face of a wall from cap to floor. A face is one tile wide and repeats seamlessly."""

from collections.abc import Callable
from functools import cache

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.palette import (
    BLUE,
    BRICK,
    GRASS,
    GREY,
    ORANGE,
    PINK,
    PURPLE,
    SAND,
    SHADE,
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

FACE = 50
"""Height of a wall face: 18 px on the tile of the wall, 32 px on the tile below."""
BASEBOARD = 6
Paper = Callable[[], Canvas]


def tinted(hue: Ramp, share: float = 0.45, base: Ramp = WALL) -> Ramp:
    """Return six shades of wall paint in this hue; `share` (0 to 1) is the saturation."""
    tones = (hue[1], hue[2], hue[3], hue[3], hue[4], hue[4])
    depth = (0.7, 0.85, 1.0, 0.8, 0.35, 0.1)
    steps = zip(base, tones, depth, strict=True)
    return tuple(mix(paint, tone, min(1.0, share * deep)) for paint, tone, deep in steps)


def sheet(colour: Colour) -> Canvas:
    return Canvas(TILE, FACE).rect(0, 0, TILE, FACE, colour)


def under_cap(face: Canvas, ramp: Ramp) -> Canvas:
    """Draw the shadow of the cap on the face."""
    face.rect(0, 2, TILE, 3, SHADE).rect(0, 5, TILE, 4, (*SHADE[:3], 20))
    return face.rect(0, 0, TILE, 2, mix(ramp[0], ramp[1], 0.35)).row(0, 2, TILE, mix(ramp[1], ramp[2], 0.4))


def baseboard(face: Canvas, ramp: Ramp, light: Colour) -> Canvas:
    top = FACE - BASEBOARD
    face.row(0, top - 1, TILE, ramp[2]).rect(0, top, TILE, BASEBOARD, mix(light, ramp[2], 0.4))
    face.row(0, top, TILE, light).row(0, top + 1, TILE, light)
    return face.row(0, FACE - 1, TILE, ramp[1])


def finished(face: Canvas, ramp: Ramp) -> Canvas:
    return baseboard(under_cap(face, ramp), ramp, ramp[4])


def plain(ramp: Ramp) -> Canvas:
    return finished(sheet(ramp[3]), ramp)


def railed(ramp: Ramp) -> Canvas:
    """Draw paint in two shades with a rail between them, for halls, shops and schools."""
    face = sheet(ramp[3])
    face.rect(0, 28, TILE, FACE - 28, mix(ramp[3], ramp[2], 0.75))
    face.row(0, 26, TILE, ramp[4]).row(0, 27, TILE, ramp[4]).row(0, 28, TILE, ramp[1])
    return finished(face, ramp)


def striped(ramp: Ramp) -> Canvas:
    face = sheet(ramp[3])
    for x in range(0, TILE, 8):
        face.rect(x, 0, 4, FACE, mix(ramp[3], ramp[2], 0.45))
    return finished(face, ramp)


def damask(ramp: Ramp) -> Canvas:
    """Draw a pattern of small lozenges."""
    face = sheet(ramp[3])
    soft = mix(ramp[3], ramp[2], 0.7)
    for x in range(TILE):
        for y in range(FACE):
            here = abs(x % 16 - 8) + abs(y % 16 - 8)
            between = abs((x + 8) % 16 - 8) + abs((y + 8) % 16 - 8)
            if here == 3 or between == 2:
                face.dot(x, y, soft)
    return finished(face, ramp)


def flowered(ramp: Ramp) -> Canvas:
    """Draw sprigs of three petals and two leaves, with every other row shifted."""
    face = sheet(ramp[3])
    leaf = mix(GRASS[2], ramp[3], 0.55)
    for row, y in enumerate(range(6, FACE - BASEBOARD, 11)):
        for x in range(4 + 8 * (row % 2), TILE, 16):
            face.dots([(x - 1, y), (x + 1, y), (x, y - 1)], ramp[1]).dot(x, y, ramp[4])
            face.dots([(x, y + 1), (x, y + 2)], leaf).dot(x + 1, y + 2, leaf)
    return finished(face, ramp)


def panelled(ramp: Ramp, timber: Ramp) -> Canvas:
    """Draw boards up to hip height and paint above them."""
    face = under_cap(sheet(ramp[3]), ramp)
    top = FACE - 24
    face.rect(0, top, TILE, 24, timber[2])
    for x in range(0, TILE, 8):
        face.column(x, top, 24, timber[1]).column(x + 1, top, 24, mix(timber[2], timber[3], 0.6))
    face.row(0, top, TILE, timber[4]).row(0, top + 1, TILE, timber[3]).row(0, top + 2, TILE, timber[1])
    return baseboard(face, timber, timber[3])


def wainscot(timber: Ramp) -> Canvas:
    """Draw framed panels from floor to cap, for libraries and studies."""
    face = under_cap(sheet(timber[2]), timber)
    for x in range(0, TILE, 16):
        for y, height in ((10, 13), (27, 14)):
            face.rect(x + 2, y, 12, height, timber[1]).rect(x + 3, y + 1, 11, height - 1, timber[3])
            face.rect(x + 3, y + 1, 10, height - 2, mix(timber[2], timber[3], 0.4))
    face.row(0, 24, TILE, timber[3]).row(0, 25, TILE, timber[1])
    return baseboard(face, timber, timber[3])


def glazed(ramp: Ramp) -> Canvas:
    """Draw glazed tiles with a border course, and paint above them."""
    face = under_cap(sheet(mix(ramp[3], ramp[4], 0.3)), ramp)
    top = FACE - 34
    for x in range(TILE):
        for y in range(top, FACE):
            seam = x % 8 == 0 or (y - top) % 8 == 1
            gleam = x % 8 == 2 and (y - top) % 8 == 3
            face.dot(x, y, mix(ramp[2], ramp[3], 0.65) if seam else ramp[5] if gleam else ramp[4])
    face.rect(0, top, TILE, 2, ramp[1]).row(0, top, TILE, mix(ramp[1], ramp[3], 0.5))
    return face.row(0, FACE - 1, TILE, ramp[1]).row(0, FACE - 2, TILE, ramp[2])


def whitewashed(ramp: Ramp) -> Canvas:
    """Draw bricks under a coat of paint."""
    face = sheet(ramp[3])
    seam = mix(ramp[3], ramp[2], 0.6)
    for course, y in enumerate(range(0, FACE, 6)):
        face.row(0, y + 5, TILE, seam).row(0, y, TILE, mix(ramp[3], ramp[4], 0.6))
        for x in range(8 * (course % 2), TILE, 16):
            face.column(x, y, 6, seam)
    return finished(face, ramp)


CLAY = tinted(BRICK, 0.5)
WALLPAPERS: dict[str, Paper] = {
    "cream": lambda: striped(WALL),
    "white": lambda: plain(tinted(WHITE, 0.6)),
    "blue": lambda: damask(tinted(BLUE, 0.5, (*WHITE, WHITE[4]))),
    "green": lambda: striped(tinted(GRASS, 0.5)),
    "pink": lambda: damask(tinted(PINK, 0.6)),
    "lilac": lambda: striped(tinted(PURPLE, 0.4, (*WHITE, WHITE[4]))),
    "yellow": lambda: flowered(tinted(YELLOW, 0.5)),
    "rose": lambda: flowered(tinted(PINK, 0.35)),
    "teal": lambda: damask(tinted(TEAL, 0.5)),
    "peach": lambda: striped(tinted(ORANGE, 0.4)),
    "pub": lambda: panelled(tinted(SAND, 0.8), WALNUT),
    "wood": lambda: panelled(WALL, WOOD),
    "library": lambda: wainscot(WALNUT),
    "school": lambda: railed(tinted(GRASS, 0.3)),
    "shop": lambda: railed(tinted(SAND, 0.7)),
    "dorm": lambda: railed(tinted(BLUE, 0.25, (*WHITE, WHITE[4]))),
    "bath": lambda: glazed(tinted(TEAL, 0.25, (*WHITE, WHITE[4]))),
    "bath blue": lambda: glazed(tinted(BLUE, 0.35, (*WHITE, WHITE[4]))),
    "kitchen": lambda: glazed(tinted(SAND, 0.6)),
    "pharmacy": lambda: glazed(tinted(GRASS, 0.3, (*WHITE, WHITE[4]))),
    "loft": lambda: whitewashed(tinted(STONE, 0.25)),
    "clay": lambda: whitewashed(CLAY),
    "grey": lambda: plain(tinted(GREY, 0.4, (*WHITE, WHITE[4]))),
}
"""Every `wall:` that a room may have."""


@cache
def wallpaper(name: str) -> Canvas:
    return WALLPAPERS[name]()
