"""Foliage: clumps of leaves, shaded one by one and as a whole, so that a crown looks both round and leafy."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from town_builder.art.canvas import Canvas, Mask
from town_builder.art.ground.autotile import Numbers
from town_builder.art.palette import SHADOW, Ramp

Clump = tuple[float, float, float]
"""Centre and radius, in pixels."""

LIGHT = (-0.46, -0.66, 0.6)
"""Direction to the light: left, up, towards the viewer."""
DARKEST, SOFTNESS = 0.28, 1.35
"""Brightness of the first step of a ramp, and the exponent that maps brightness to steps."""
LEAF_LINE = 0.25
"""Share of their own colour that the outlines of leaves keep."""


def shadow(canvas: Canvas, x: float, y: float, across: float, down: float) -> Canvas:
    """Draw the oval shadow under something round."""
    return canvas.ellipse(x, y, across, down, SHADOW)


def leafy(canvas: Canvas, clumps: Sequence[Clump], ramp: Ramp, seed: int) -> Canvas:
    """Draw outlined clumps from back to front. The shading also depends on the middle of all clumps."""
    xs, ys, radii = (np.array(values) for values in zip(*clumps, strict=True))
    whole = float((xs - radii).min()), float((ys - radii).min()), float((xs + radii).max()), float((ys + radii).max())
    middle = (whole[0] + whole[2]) / 2, (whole[1] + whole[3]) / 2
    spread = (whole[2] - whole[0]) / 2, (whole[3] - whole[1]) / 2
    down, right = np.mgrid[0 : canvas.height, 0 : canvas.width].astype(float)
    crown = _lit((right - middle[0]) / spread[0], (down - middle[1]) / spread[1])
    leaves = Canvas(canvas.width, canvas.height)
    for number, (x, y, radius) in enumerate(clumps):
        _clump(leaves, (x, y, radius), crown, ramp, np.random.RandomState(seed * 97 + number))
    return canvas.over(leaves.outline(strength=LEAF_LINE))


def _lit(x: Numbers, y: Numbers) -> Numbers:
    """Return the brightness (0 to 1) of a ball at points given in radii from its centre."""
    depth = np.sqrt(np.clip(1 - x**2 - y**2, 0, None))
    return np.asarray(np.clip(0.5 + 0.5 * (LIGHT[0] * x + LIGHT[1] * y + LIGHT[2] * depth), 0, 1))


def _clump(leaves: Canvas, clump: Clump, crown: Numbers, ramp: Ramp, random: np.random.RandomState) -> None:
    """Draw one clump: a scalloped disc in steps of the ramp, with scalloped borders between the steps."""
    x, y, radius = clump
    down, right = np.mgrid[0 : leaves.height, 0 : leaves.width].astype(float)
    right, down = right - x, down - y
    angle, petals, turn = np.arctan2(down, right), int(random.randint(7, 10)), random.rand() * 7
    scallop = np.abs(np.sin(angle * petals / 2 + turn))
    body = np.hypot(right, down) <= radius - 0.8 + scallop * 1.5
    own = _lit(right / (radius + 1), down / (radius + 1)) + (scallop - 0.6) * 0.09
    level = own * 0.62 + crown * 0.38
    steps = (np.clip((level - DARKEST) / (1.0 - DARKEST), 0, 0.999) ** SOFTNESS * len(ramp)).astype(int)
    rim = body & (np.hypot(right + 0.8, down + 1.4) > radius - 0.6) & (down + right > 0)
    for step, tone in enumerate(ramp):
        leaves.fill(body & (steps == step), tone)
        if step:
            leaves.fill(rim & (steps == step), ramp[step - 1])
    _specks(leaves, body, steps, ramp, random)


def _specks(leaves: Canvas, body: Mask, steps: npt.NDArray[np.int_], ramp: Ramp, random: np.random.RandomState) -> None:
    """Draw single leaves, one step lighter than their surroundings, each with a dark tip."""
    rows, columns = body.nonzero()
    for pick in random.randint(0, len(rows), len(rows) // 26):
        x, y = int(columns[pick]), int(rows[pick])
        step = int(steps[y, x])
        if 0 < step < len(ramp) - 1:
            leaves.row(x, y, 2, ramp[step + 1]).dot(x + 2, y + 1, ramp[step - 1])


def jittered(clumps: Sequence[Clump], seed: int, amount: float) -> list[Clump]:
    """Return the clumps, each moved and resized a little."""
    random = np.random.RandomState(seed)
    return [
        (
            x + random.uniform(-amount, amount),
            y + random.uniform(-amount, amount),
            radius + random.uniform(-amount, amount) * 0.5,
        )
        for x, y, radius in clumps
    ]
