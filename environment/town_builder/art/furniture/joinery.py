"""What furniture is put together from: boxes, doors, drawers, legs; and what is laid over a person who uses it."""

from collections.abc import Callable

from town_builder.art.canvas import OPAQUE, Canvas, noise
from town_builder.art.drawing import Picture, grounded
from town_builder.art.palette import YELLOW, Ramp, mix

BRASS = YELLOW[3]
GRAIN = 0.35
"""How far a line of wood grain leans to the next darker step."""

Area = tuple[int, int, int, int]
"""x, y, width, height in pixels."""


def with_cover(whole: Canvas, *areas: Area) -> Picture:
    """The picture with these parts of it repeated in front of people (its opaque pixels; shadows stay below)."""
    cover = Canvas(whole.width, whole.height)
    for x, y, width, height in areas:
        cover.over(whole.crop(x, y, width, height), x, y)
    cover.pixels[cover.pixels[..., 3] < OPAQUE] = 0
    return Picture(whole, cover)


def paint_outlined(on: Canvas, paint: Callable[[Canvas], object]) -> Canvas:
    """Paint a small thing with an outline of its own on top of what is there."""
    thing = Canvas(on.width, on.height)
    paint(thing)
    return on.over(thing.outline())


def standing(on: Canvas, paint: Callable[[Canvas], object]) -> Canvas:
    """Paint a thing that has an outline and a shadow on the floor of its own."""
    thing = Canvas(on.width, on.height)
    paint(thing)
    return on.over(grounded(thing))


def box(on: Canvas, area: Area, top: int, ramp: Ramp) -> Canvas:
    """A box seen from above and before: of its height the upper `top` pixels are the top plane, the rest the front."""
    x, y, width, height = area
    front = height - top
    on.rect(x, y, width, top, ramp[3]).row(x, y, width, ramp[4]).column(x, y, top, ramp[4])
    on.row(x, y + top - 1, width, mix(ramp[3], ramp[4], 0.6))
    on.rect(x, y + top, width, front, ramp[2]).row(x, y + top, width, ramp[1])
    on.column(x + width - 1, y + top, front, mix(ramp[2], ramp[1], 0.6))
    return on.row(x, y + height - 1, width, ramp[1])


def grain(on: Canvas, area: Area, ramp: Ramp, every: int = 6) -> Canvas:
    """Quiet boards on a table top: a darker joint every few pixels, a few short lighter fibres between."""
    x, y, width, height = area
    for joint in range(y + every - 1, y + height - 1, every):
        on.row(x, joint, width, mix(ramp[3], ramp[2], GRAIN))
    for k in range(max(1, width * height // 400)):
        left, down = noise("grain", area, k, "x"), noise("grain", area, k, "y")
        on.row(x + int(left * (width - 10)), y + 2 + int(down * (height - 4)), 7, mix(ramp[3], ramp[4], 0.5))
    return on


def drawer(on: Canvas, area: Area, ramp: Ramp) -> Canvas:
    """A drawer's front with a brass pull in its middle."""
    x, y, width, height = area
    on.rect(x, y, width, height, ramp[3]).row(x, y, width, ramp[4])
    on.row(x, y + height - 1, width, ramp[1]).column(x + width - 1, y, height, ramp[1])
    return on.row(x + width // 2 - 2, y + height // 2, 4, BRASS)


def door(on: Canvas, area: Area, ramp: Ramp, *, knob: str = "right") -> Canvas:
    """A cupboard door with a sunk panel; `knob` is the side its knob is on."""
    x, y, width, height = area
    on.rect(x, y, width, height, ramp[3]).row(x, y, width, ramp[4]).column(x, y, height, ramp[4])
    on.row(x, y + height - 1, width, ramp[1]).column(x + width - 1, y, height, ramp[1])
    if height > 12 and width > 8:
        on.rect(x + 3, y + 3, width - 6, height - 6, mix(ramp[3], ramp[2], 0.6))
        on.row(x + 3, y + 3, width - 6, ramp[1]).column(x + 3, y + 3, height - 6, mix(ramp[2], ramp[1], 0.5))
        on.row(x + 3, y + height - 4, width - 6, ramp[4])
    return on.rect(x + width - 3 if knob == "right" else x + 1, y + height // 2 - 1, 2, 3, BRASS)


def leg(on: Canvas, x: int, y: int, height: int, ramp: Ramp, *, width: int = 4) -> Canvas:
    """A table's leg, its left edge in the light."""
    on.rect(x, y, width, height, ramp[1]).column(x, y, height, ramp[2])
    return on.row(x, y + height - 1, width, ramp[0])
