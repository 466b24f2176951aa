"""Shade hair as strands, curls, coils or stubble. Light comes from the upper left."""

import numpy as np

from town_builder.art.canvas import Canvas, Mask, noise
from town_builder.art.palette import Ramp, mix
from town_builder.art.people.haircuts import Tail, Texture
from town_builder.art.people.pixel_grid import COLUMNS, ROWS
from town_builder.art.people.pose import FRAME

CLUMPS = {Texture.CURLS: (4.2, 3.4, 2.6), Texture.COILS: (3.0, 2.6, 1.8)}
"""Horizontal distance, vertical distance and radius of curls, in pixels."""

CLEAR = (0, 0, 0, 0)


def shaded(hair: Mask, ramp: Ramp, texture: Texture, centre: float, *, shine: bool = True) -> Canvas:
    """Draw the coloured hair alone, without an outline."""
    if texture in CLUMPS:
        return _clumps(hair, ramp, texture, centre)
    canvas = _strands(hair, ramp, centre, shine=shine and texture is Texture.STRANDS)
    if texture is Texture.STRANDS:
        _part(canvas, hair, ramp)
    else:
        _stipple(canvas, hair, ramp, centre)
    return canvas


def tail(piece: Tail, ramp: Ramp, tie: Ramp, stride: int) -> Canvas:
    """Draw a bun, braid or tail, outlined; every lobe is shaded separately, so that it looks plaited or curled."""
    canvas = Canvas(FRAME, FRAME)
    last = max(1, len(piece.lobes) - 1)
    lobes = [(x - stride * piece.sway * i / last, y, r) for i, (x, y, r) in enumerate(piece.lobes)]
    for start, end in zip(lobes, lobes[1:] or lobes, strict=False):
        for share in np.linspace(0, 1, 6):
            x, y, r = (one + (other - one) * share for one, other in zip(start, end, strict=True))
            canvas.ellipse(x, y, r, r, ramp[1])
    shape = canvas.drawn
    for x, y, r in lobes:
        canvas.fill(canvas.oval(x - 0.4, y - 0.5, max(0.8, r - 0.6), max(0.8, r - 0.7)) & shape, ramp[2])
        canvas.fill(canvas.oval(x - r * 0.3, y - r * 0.45, r * 0.5, r * 0.34) & shape, ramp[3])
    if piece.tie:
        canvas.rect(*piece.tie, tie[2])
    return canvas.outline(strength=0.3)


def _strands(hair: Mask, ramp: Ramp, centre: float, *, shine: bool) -> Canvas:
    across, down = (COLUMNS - centre) / 9.5, (ROWS - 11) / 9
    grain = np.array([noise("strand", int((column - centre) // 2)) - 0.5 for column in range(FRAME)]) * 0.3
    light = -(across * 0.36 + np.minimum(down, 0.3) * 0.8) + grain * 0.6
    canvas = Canvas(FRAME, FRAME).fill(hair, ramp[2])
    canvas.fill(hair & (light < -0.38), ramp[1])
    arc = 0.3 * across**2
    glint = (down + grain * 0.55 > arc - 0.66) & (down + grain * 0.55 < arc - 0.4) & (across > -0.8) & (across < 0.62)
    if shine:
        canvas.fill(hair & glint, ramp[3])
    return canvas


def _part(canvas: Canvas, hair: Mask, ramp: Ramp) -> None:
    """Draw the lines between strands from the tips upwards, with highlights between them."""
    for column in range(FRAME):
        rows = hair[:, column].nonzero()[0]
        if not len(rows):
            continue
        lowest, height = int(rows[-1]), len(rows)
        canvas.dot(column, lowest, ramp[1])
        draw = noise("part", column)
        if draw < 0.34:
            reach = max(3, round((height if lowest > 17 else 8) * (0.25 + draw)))
            canvas.column(column, lowest - reach + 1, reach - 1, ramp[1]).dot(column, lowest, ramp[0])
        elif draw > 0.72 and lowest > 16:
            canvas.column(column, lowest - 7, round(draw * 6), mix(ramp[2], ramp[3], 0.45))
    canvas.fill(~hair, CLEAR)


def _stipple(canvas: Canvas, hair: Mask, ramp: Ramp, centre: float) -> None:
    """Dither cropped hair: lighter towards the light, darker towards neck and shade."""
    every_other = hair & ((ROWS + COLUMNS) % 2 == 0)
    canvas.fill(every_other & (COLUMNS - centre + ROWS < 5), mix(ramp[2], ramp[3], 0.6))
    canvas.fill(every_other & ((COLUMNS - centre > 4) | (ROWS > 10)), mix(ramp[1], ramp[2], 0.4))


def _clumps(hair: Mask, ramp: Ramp, texture: Texture, centre: float) -> Canvas:
    """Draw overlapping curls, each with a dark lower edge and its own highlight."""
    apart, below, radius = CLUMPS[texture]
    canvas = Canvas(FRAME, FRAME).fill(hair, ramp[1])
    for line, y in enumerate(np.arange(2.5, FRAME, below)):
        for x in np.arange((line % 2) * apart / 2, FRAME, apart):
            jitter = noise(texture.value, line, int(x)) - 0.5
            _curl(canvas, hair, ramp, (x + jitter, y - jitter, radius), centre)
    return canvas


def _curl(canvas: Canvas, hair: Mask, ramp: Ramp, place: tuple[float, float, float], centre: float) -> None:
    x, y, radius = place
    row, column = min(FRAME - 1, int(y)), min(FRAME - 1, int(x))
    if not hair[row, column]:
        return
    inside = canvas.oval(x, y, radius, radius) & hair
    lit = -((x - centre) / 9.5 * 0.45 + (y - 10) / 9 * 0.8)
    canvas.fill(inside, mix(ramp[1], ramp[2], 0.3) if lit > -0.6 else ramp[1])
    body = ramp[2] if lit > -0.6 else mix(ramp[1], ramp[2], 0.45)
    canvas.fill(canvas.oval(x - 0.5, y - 0.6, radius - 0.6, radius - 0.7) & hair, body)
    if lit > 0.1:
        canvas.fill(canvas.oval(x - 0.8, y - 1, radius * 0.45, radius * 0.36) & hair, mix(ramp[2], ramp[3], 0.6))
