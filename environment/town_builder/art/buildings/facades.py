"""Outer walls of buildings, and which windows and doors belong to them. Faces have the same height as those inside."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from town_builder.art.buildings.wallpapers import FACE, sheet, tinted, under_cap
from town_builder.art.canvas import TILE, Canvas, noise
from town_builder.art.palette import (
    BLUE,
    BRICK,
    GRASS,
    OAK,
    PINK,
    RED,
    SAND,
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

PLINTH = 8
"""Height of the stone base of every house, in pixels."""


@dataclass(frozen=True)
class Facade:
    """The outside look of a building."""

    face: Callable[[], Canvas]
    trim: Ramp
    """Colour of window and door frames."""
    door: Ramp
    """Colour of door leaves, shutters and awnings."""
    shutters: bool = False
    flowers: Ramp | None = None
    """Colour of the flowers under the windows, if any."""
    shop: bool = False
    """Whether it has shop windows under an awning instead of house windows."""


def plinth(face: Canvas) -> Canvas:
    """Add two courses of dressed stone to the foot of a face."""
    top = FACE - PLINTH
    face.rect(0, top, TILE, PLINTH, STONE[2]).row(0, top, TILE, STONE[4]).row(0, top + 4, TILE, STONE[3])
    face.row(0, top + 3, TILE, STONE[1]).row(0, FACE - 1, TILE, STONE[0])
    for course in range(2):
        for x in range(5 + 6 * course, TILE, 16):
            face.column(x, top + 4 * course, 4, STONE[1])
    return face


def bricks(ramp: Ramp, joint: Colour) -> Canvas:
    face = sheet(ramp[2])
    for course, y in enumerate(range(0, FACE, 6)):
        for brick in range(3):
            x = brick * 16 - 8 * (course % 2)
            tone = noise("brick", ramp[2], course % 4, brick % 2)
            body = mix(ramp[2], ramp[1], 0.45) if tone < 0.3 else mix(ramp[2], ramp[3], 0.25) if tone > 0.8 else ramp[2]
            face.rect(x, y, 15, 5, body).row(x, y, 15, mix(body, ramp[3], 0.5)).column(x + 15, y, 5, joint)
        face.row(0, y + 5, TILE, joint)
    return plinth(under_cap(face, ramp))


def boards(ramp: Ramp) -> Canvas:
    """Draw overlapping boards, each with a light upper edge and a shadow below."""
    face = sheet(ramp[3])
    for y in range(0, FACE, 6):
        face.row(0, y, TILE, mix(ramp[3], ramp[4], 0.6)).row(0, y + 4, TILE, mix(ramp[3], ramp[2], 0.5))
        face.row(0, y + 5, TILE, mix(ramp[1], ramp[2], 0.35))
    return plinth(under_cap(face, ramp))


def ashlar(ramp: Ramp) -> Canvas:
    """Draw large dressed stones."""
    face = sheet(ramp[3])
    for course, y in enumerate(range(-2, FACE, 10)):
        for stone, x in enumerate((0, 14)) if course % 2 else enumerate((-6, 10)):
            width = 14 if course % 2 == 0 or stone == 0 else 18
            tone = noise("ashlar", course % 3, stone)
            body = mix(ramp[3], ramp[2], 0.5) if tone < 0.4 else mix(ramp[3], ramp[4], 0.35) if tone > 0.75 else ramp[3]
            for left in (x, x + TILE):
                face.rect(left, y, width, 10, body).row(left, y, width, mix(body, ramp[4], 0.6))
                face.row(left, y + 9, width, ramp[1]).column(left, y, 10, mix(ramp[1], ramp[2], 0.4))
    return plinth(under_cap(face, ramp))


def rendered(ramp: Ramp) -> Canvas:
    """Draw plaster with a few trowel marks."""
    face = sheet(ramp[3])
    for x, y, width in ((3, 14, 5), (19, 19, 4), (10, 27, 6), (25, 34, 5), (5, 37, 3)):
        face.row(x, y, width, mix(ramp[3], ramp[2], 0.6)).row(x + 1, y + 1, width - 2, mix(ramp[3], ramp[4], 0.6))
    return plinth(under_cap(face, ramp))


def framed(ramp: Ramp, timber: Ramp) -> Canvas:
    """Draw plaster between posts, rails and braces of old timber."""
    face = rendered(ramp)
    for x in range(14):
        face.rect(x + 1, 41 - x, 3, 2, timber[1]).dot(x + 1, 41 - x, timber[2])
    for y in (8, 25):
        face.rect(0, y, TILE, 4, timber[2]).row(0, y, TILE, timber[3]).row(0, y + 3, TILE, timber[0])
    face.rect(0, 8, 4, FACE - PLINTH - 8, timber[2]).column(0, 8, FACE - PLINTH - 8, timber[3])
    face.column(3, 8, FACE - PLINTH - 8, timber[0])
    return face


def logs(ramp: Ramp) -> Canvas:
    face = sheet(ramp[2])
    for y in range(0, FACE, 7):
        face.row(0, y, TILE, ramp[3]).row(0, y + 1, TILE, mix(ramp[2], ramp[3], 0.6)).row(0, y + 5, TILE, ramp[1])
        face.row(0, y + 6, TILE, ramp[0])
        face.row((y * 5) % 24, y + 3, 6, mix(ramp[2], ramp[1], 0.5))
    return plinth(under_cap(face, ramp))


def front(ramp: Ramp) -> Canvas:
    """Draw a painted shop front: fascia above, panels below."""
    face = sheet(ramp[2])
    low = FACE - PLINTH - 10
    face.rect(0, 4, TILE, 5, ramp[3]).row(0, 8, TILE, ramp[0])
    for x in range(0, TILE, 16):
        face.rect(x + 2, low, 12, 8, ramp[1]).rect(x + 3, low + 1, 11, 7, ramp[3]).rect(x + 3, low + 1, 10, 6, ramp[2])
    return plinth(under_cap(face, ramp))


SKY = tinted(BLUE, 0.35, (*WHITE, WHITE[4]))
HONEY = tinted(YELLOW, 0.8)
RUST = tuple(mix(red, brick, 0.45) for red, brick in zip(RED, BRICK, strict=True))
FACADES: dict[str, Facade] = {
    "brick": Facade(lambda: bricks(BRICK, mix(BRICK[0], BRICK[1], 0.35)), WALL, TEAL),
    "red brick": Facade(lambda: bricks(RUST, mix(RED[0], BRICK[0], 0.5)), WALL, WALNUT, flowers=PINK),
    "siding": Facade(lambda: boards(SKY), WHITE, BLUE, shutters=True),
    "yellow siding": Facade(lambda: boards(HONEY), WHITE, RED, shutters=True, flowers=RED),
    "green siding": Facade(lambda: boards(tinted(GRASS, 0.6)), WHITE, WOOD, shutters=True),
    "pink siding": Facade(lambda: boards(tinted(PINK, 0.6)), WHITE, TEAL, shutters=True, flowers=YELLOW),
    "stone": Facade(lambda: ashlar(tinted(STONE, 0.5, (*SAND, SAND[4]))), WALL, WALNUT),
    "timber": Facade(lambda: framed(WALL, WALNUT), WALNUT, RED, flowers=RED),
    "plaster": Facade(lambda: rendered(tinted(SAND, 0.75)), WOOD, TEAL, shutters=True),
    "white plaster": Facade(lambda: rendered(tinted(WHITE, 0.6)), WOOD, BLUE, shutters=True, flowers=PINK),
    "logs": Facade(lambda: logs(OAK), WALNUT, RED),
    "shop": Facade(lambda: front(TEAL), WALL, TEAL, shop=True),
    "red shop": Facade(lambda: front(RED), WALL, RED, shop=True),
    "blue shop": Facade(lambda: front(BLUE), WALL, BLUE, shop=True),
}
"""Every `facade:` that a building may have."""


@cache
def facade_face(name: str) -> Canvas:
    return FACADES[name].face()
