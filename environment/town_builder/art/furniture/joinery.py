"""Parts of furniture: boxes, doors, drawers, legs; and parts that cover the person who uses it."""

from collections.abc import Callable

from town_builder.art.canvas import OPAQUE, Canvas, noise
from town_builder.art.drawing import Picture
from town_builder.art.palette import YELLOW, Ramp, mix

BRASS = YELLOW[3]
GRAIN = 0.35
"""How much a line of wood grain differs from its board, towards the next darker step."""

Area = tuple[int, int, int, int]
"""x, y, width, height in pixels."""


def with_cover(whole: Canvas, *areas: Area) -> Picture:
    """Return the picture with the opaque pixels of these areas repeated in front of people."""
    cover = Canvas(whole.width, whole.height)
    for x, y, width, height in areas:
        cover.over(whole.crop(x, y, width, height), x, y)
    cover.pixels[cover.pixels[..., 3] < OPAQUE] = 0
    return Picture(whole, cover)


def paint_outlined(on: Canvas, paint: Callable[[Canvas], object]) -> Canvas:
    """Paint a small thing with its own outline on top of the canvas."""
    thing = Canvas(on.width, on.height)
    paint(thing)
    return on.over(thing.outline())


def box(on: Canvas, area: Area, top: int, ramp: Ramp) -> Canvas:
    """Draw a box seen from above and the front: the upper `top` pixels are its top, the rest its front."""
    x, y, width, height = area
    front = height - top
    on.rect(x, y, width, top, ramp[3]).row(x, y, width, ramp[4]).column(x, y, top, ramp[4])
    on.row(x, y + top - 1, width, mix(ramp[3], ramp[4], 0.6))
    on.rect(x, y + top, width, front, ramp[2]).row(x, y + top, width, ramp[1])
    on.column(x + width - 1, y + top, front, mix(ramp[2], ramp[1], 0.6))
    return on.row(x, y + height - 1, width, ramp[1])


def grain(on: Canvas, area: Area, ramp: Ramp, every: int = 6) -> Canvas:
    """Draw boards on a table top: darker joints every few pixels, and a few short lighter fibres between them."""
    x, y, width, height = area
    for joint in range(y + every - 1, y + height - 1, every):
        on.row(x, joint, width, mix(ramp[3], ramp[2], GRAIN))
    for k in range(max(1, width * height // 400)):
        left, down = noise("grain", area, k, "x"), noise("grain", area, k, "y")
        on.row(x + int(left * (width - 10)), y + 2 + int(down * (height - 4)), 7, mix(ramp[3], ramp[4], 0.5))
    return on


def drawer(on: Canvas, area: Area, ramp: Ramp) -> Canvas:
    """Draw the front of a drawer with a brass pull."""
    x, y, width, height = area
    on.rect(x, y, width, height, ramp[3]).row(x, y, width, ramp[4])
    on.row(x, y + height - 1, width, ramp[1]).column(x + width - 1, y, height, ramp[1])
    return on.row(x + width // 2 - 2, y + height // 2, 4, BRASS)


def door(on: Canvas, area: Area, ramp: Ramp, *, knob: str = "right") -> Canvas:
    """Draw a cupboard door with a recessed panel; `knob` is the side of its knob."""
    x, y, width, height = area
    on.rect(x, y, width, height, ramp[3]).row(x, y, width, ramp[4]).column(x, y, height, ramp[4])
    on.row(x, y + height - 1, width, ramp[1]).column(x + width - 1, y, height, ramp[1])
    if height > 12 and width > 8:
        on.rect(x + 3, y + 3, width - 6, height - 6, mix(ramp[3], ramp[2], 0.6))
        on.row(x + 3, y + 3, width - 6, ramp[1]).column(x + 3, y + 3, height - 6, mix(ramp[2], ramp[1], 0.5))
        on.row(x + 3, y + height - 4, width - 6, ramp[4])
    return on.rect(x + width - 3 if knob == "right" else x + 1, y + height // 2 - 1, 2, 3, BRASS)


def leg(on: Canvas, x: int, y: int, height: int, ramp: Ramp, *, width: int = 4) -> Canvas:
    """Draw a table leg with a light left edge."""
    on.rect(x, y, width, height, ramp[1]).column(x, y, height, ramp[2])
    return on.row(x, y + height - 1, width, ramp[0])
