"""Facade windows: evenly spaced house windows, or the panes and awning of a shop."""

from functools import cache

from town_builder.art.buildings.facades import FACADES, Facade
from town_builder.art.buildings.wallpapers import FACE
from town_builder.art.canvas import Canvas, noise
from town_builder.art.palette import GLASS, GREY, LEAF, ORANGE, RED, SHADE, SHADOW, WALL, WHITE, YELLOW, Ramp, mix

SASH, HEIGHT = 22, 24
"""Size of a window without sill and shutters."""
SHUTTER = 6
SPACING = 74
"""Approximate distance between windows, in pixels."""
NARROWEST = 40
"""Minimum width of a stretch of wall with a window."""
SNAP = 8
"""Windows are aligned to multiples of this many pixels, which limits the number of different tiles."""
LINTEL = 10
"""Pixels between the cap and the top of a window."""
STRIPE = 8


def glazing(width: int, height: int) -> Canvas:
    """Draw glass that reflects the sky: bright at the top, with slanted highlights."""
    glass = Canvas(width, height).rect(0, 0, width, height, GLASS[1]).rect(0, 0, width, height // 3, GLASS[2])
    for gleam in range(2, width, 13):
        for y in range(height):
            glass.row(gleam + (height - y) // 2, y, 3, mix(GLASS[2], GLASS[3], 0.55 if y < height // 2 else 0.2))
    return glass.row(0, 0, width, GLASS[0])


@cache
def house_window(name: str) -> Canvas:
    """Draw the window of a facade, with the sill, shutters and flowers of that facade."""
    facade = FACADES[name]
    left = SHUTTER + 1 if facade.shutters else 3
    whole = Canvas(SASH + 2 * left + 2, HEIGHT + 9)
    x, trim = left + 1, facade.trim
    whole.rect(x, 1, SASH, HEIGHT, trim[3]).rect(x, 1, SASH, 1, trim[-1]).column(x + SASH - 1, 1, HEIGHT, trim[2])
    whole.over(glazing(SASH - 4, HEIGHT - 5), x + 2, 3)
    whole.rect(x + SASH // 2 - 1, 3, 2, HEIGHT - 5, trim[3]).row(x + 2, 13, SASH - 4, trim[3])
    whole.row(x + 2, 14, SASH - 4, GLASS[0])
    if facade.shutters:
        for shutter in (x - SHUTTER, x + SASH):
            _shutter(whole, shutter, facade.door)
    _sill(whole, x, facade)
    return whole.outline()


def _shutter(whole: Canvas, x: int, ramp: Ramp) -> None:
    whole.rect(x, 1, SHUTTER, HEIGHT, ramp[2]).column(x, 1, HEIGHT, ramp[3]).row(x, 1, SHUTTER, ramp[3])
    for slat in range(4, HEIGHT - 1, 3):
        whole.row(x + 1, slat, SHUTTER - 2, ramp[1])


def _sill(whole: Canvas, x: int, facade: Facade) -> None:
    low = HEIGHT + 1
    whole.rect(x - 2, low, SASH + 4, 3, facade.trim[2]).row(x - 2, low, SASH + 4, facade.trim[-1])
    if not facade.flowers:
        return
    whole.rect(x - 1, low, SASH + 2, 5, ORANGE[1]).row(x - 1, low + 4, SASH + 2, ORANGE[0])
    for stem in range(SASH + 2):
        tall = 2 + int(noise("window box", stem) * 3)
        whole.column(x - 1 + stem, low - tall, tall + 1, LEAF[2 if stem % 3 else 3])
        if stem % 4 == 1:
            whole.rect(x - 1 + stem, low - tall - 1, 3, 2, facade.flowers[2])
            whole.dot(x + stem, low - tall - 1, facade.flowers[4])


@cache
def shop_window(name: str, width: int) -> Canvas:
    """Draw shop windows with goods behind them, under a striped awning."""
    facade = FACADES[name]
    whole = Canvas(width, FACE - LINTEL + 2)
    panes = max(1, (width - 8) // 44)
    inner, bottom = width - 8, 31
    whole.rect(4, 6, inner, bottom - 6, facade.trim[2]).row(4, bottom - 1, inner, facade.trim[1])
    for pane in range(panes):
        x, end = 6 + pane * (inner - 2) // panes, 6 + (pane + 1) * (inner - 2) // panes - 2
        whole.over(glazing(end - x, bottom - 11), x, 9)
        _goods(whole, x + 2, end - 2, bottom - 3)
    whole.outline()
    return whole.rect(3, 18, width - 6, 3, SHADOW).over(awning(width, facade.door))


def _goods(whole: Canvas, x: int, end: int, base: int) -> None:
    """Draw boxes, jars and fruit in a row."""
    kinds = (RED, YELLOW, LEAF, ORANGE, WHITE)
    for place, left in enumerate(range(x, end - 5, 7)):
        ramp, tall = kinds[place % len(kinds)], 4 + int(noise("goods", place) * 5)
        whole.rect(left, base - tall, 5, tall, ramp[2]).row(left, base - tall, 5, ramp[3])
        whole.column(left + 4, base - tall, tall, ramp[1])


def awning(width: int, ramp: Ramp) -> Canvas:
    """Draw a striped awning with a scalloped hem."""
    cloth = Canvas(width, 22)
    for x in range(1, width - 1):
        light = (x - 1) // STRIPE % 2
        tone, shade = (WALL[4], WALL[2]) if light else (ramp[2], ramp[1])
        scallop = 3 if (x - 1) % STRIPE in {0, STRIPE - 1} else 4
        cloth.column(x, 1, 13, tone).column(x, 1, 2, WALL[5] if light else ramp[3])
        cloth.column(x, 13, scallop, shade).dot(x, 13, tone)
    return cloth.outline()


@cache
def downpipe() -> Canvas:
    """Draw a rain pipe from cap to ground, held by clips."""
    pipe = Canvas(7, FACE).rect(1, 0, 4, FACE, GREY[3]).column(2, 0, FACE, GREY[4]).column(4, 0, FACE, GREY[2])
    for y in (0, 16, 34):
        pipe.rect(0, y, 6, 3, GREY[2]).row(0, y, 6, GREY[4])
    return pipe.rect(1, FACE - 3, 5, 3, GREY[2]).column(6, 3, FACE - 3, SHADE).outline()


@cache
def pilaster() -> Canvas:
    """Draw a flat white post."""
    post = Canvas(10, FACE).rect(1, 0, 6, FACE, WALL[4]).column(1, 0, FACE, WALL[5]).column(6, 0, FACE, WALL[2])
    post.rect(1, 0, 6, 4, WALL[2]).rect(1, FACE - 6, 6, 6, WALL[3]).row(1, FACE - 7, 6, WALL[2])
    return post.column(0, 0, FACE, WALL[1]).column(7, 0, FACE, WALL[1]).rect(8, 2, 2, FACE - 2, SHADE)


def places(start: int, end: int) -> tuple[int, ...]:
    """Return the centres of the windows on a stretch of wall, in pixels, evenly and symmetrically spaced."""
    count = max(1, (end - start) // SPACING) if end - start >= NARROWEST else 0
    middle, step = (start + end) / 2, (end - start) / max(1, count)
    offsets = [(place - (count - 1) / 2) * step for place in range(count)]
    anchor = round(middle / SNAP) * SNAP
    return tuple(anchor + round(offset / SNAP) * SNAP for offset in offsets)
