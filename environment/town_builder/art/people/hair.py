"""Shape of a haircut from the front, side and back, before it is coloured.

The scalp is an ellipse; the fringe and neckline cut out face and nape, and long hair continues below both.
"""

from collections.abc import Callable

import numpy as np

from town_builder.art.canvas import Canvas, Mask
from town_builder.art.people.haircuts import FRINGES, Cut, Texture
from town_builder.art.people.pixel_grid import COLUMNS, ROWS
from town_builder.art.people.pose import FRAME, View

CENTRES = {View.FRONT: 15.5, View.SIDE: 16.3, View.BACK: 15.5}
"""Column of the axis of symmetry; in side view the back of the head extends further."""

NAPE = (12, 13, 14, 16, 15, 16, 17, 16, 17, 17)
"""Lowest row of short hair seen from behind, for columns 6 to 15; the other half is mirrored."""
BEHIND_THE_EAR = (10, 10, 11, 15, 16, 16, 16, 15, 14, 13, 12, 12)
"""Lowest row of short hair seen from the side, for columns 15 to 26."""


def scalp(view: View, volume: float) -> Mask:
    """Return the part of the head that hair can cover."""
    return Canvas(FRAME, FRAME).oval(CENTRES[view], 11 + max(0, volume) * 0.5, 9.3 + volume, 9.0 + volume * 0.7)


def over_face(cut: Cut, fringe: str) -> Mask:
    """Return the hair in front of the head, in front view: crown, fringe and a lock beside each cheek."""
    hair = scalp(View.FRONT, cut.volume) & (ROWS <= 14)
    for column, hairline in enumerate(FRINGES[fringe], start=8):
        hair[hairline:, column] = False
    locks = (abs(COLUMNS - 15.5) >= 8) & (abs(COLUMNS - 15.5) <= 9 + cut.volume) & (ROWS >= 9)
    temples = (COLUMNS == 8) | (COLUMNS == 23)
    hair &= ~(locks & (cut.length - temples < ROWS))
    if cut.falls:
        hair |= locks & (min(cut.length - 1, 18) >= ROWS)
    return hair


def behind_back(cut: Cut) -> Mask:
    """Return long hair behind the shoulders, in front view."""
    return _falling(cut, lambda row: _back_edges(cut, row), top=12)


def from_side(cut: Cut, fringe: str) -> Mask:
    """Return the hair of a head that looks left: all but the face and, for short hair, the ear and nape."""
    hair = scalp(View.SIDE, cut.volume) & (ROWS <= 16)
    line = FRINGES[fringe]
    for column in range(FRAME // 2 - 2):
        nearest = min(8, max(0, 12 - column))
        hair[line[nearest] :, column] = False
    hair[13:, 14] = False
    if cut.falls:
        return hair | _falling(cut, lambda row: _side_edges(cut, row), top=11)
    return _nape_freed(hair)


def from_back(cut: Cut) -> Mask:
    """Return the hair in back view; short hair ends in a rounded neckline."""
    head = scalp(View.BACK, cut.volume) & (ROWS <= 17)
    if cut.falls:
        return head & (ROWS <= 15) | _falling(cut, lambda row: _back_edges(cut, row), top=12)
    for column, lowest in enumerate(NAPE + NAPE[::-1], start=6):
        head[lowest + 1 :, column] = False
    return head


def stubbled(hair: Mask, view: View) -> Mask:
    """Return cropped hair, without forehead, temples and neck."""
    return hair & ({View.FRONT: 8, View.SIDE: 13, View.BACK: 14}[view] >= ROWS)


def thinned(view: View) -> Mask:
    """Return the remaining hair of a bald head: a band above the ears."""
    ring = scalp(view, -0.2) & (ROWS >= 10) & (ROWS <= 15)
    if view is View.FRONT:
        return ring & (abs(COLUMNS - 15.5) > 7.6) & (ROWS <= 13)
    if view is View.SIDE:
        return _nape_freed(ring & (COLUMNS > 15) & (ROWS >= 14 - (COLUMNS - 15) * 0.55))
    return ring


def billowing(view: View, across: float, down: float) -> Mask:
    """Return a round cloud of curls with an uneven rim, with the face cut out."""
    centre = CENTRES[view] + (0.5 if view is View.SIDE else 0)
    right, below = (COLUMNS - centre) / across, (ROWS - 10.6) / down
    hair = np.asarray(np.hypot(right, below) <= 0.97 + 0.055 * np.cos(11 * np.arctan2(below, right)))
    if view is View.FRONT:
        middle = abs(COLUMNS - 15.5)
        return hair & ~((middle < 7.5) & (ROWS >= 9)) & ~((middle < 8.5) & (ROWS >= 15))
    if view is View.SIDE:
        return hair & ~((COLUMNS < 14) & (ROWS >= 9)) & ~((COLUMNS < 17) & (ROWS >= 14))
    return hair


def crown(cut: Cut, fringe: str, view: View) -> Mask:
    """Return the hair on the head, for any cut but a bald one."""
    if cut.texture in {Texture.COILS, Texture.CURLS}:
        cloud = billowing(view, 9.4 + cut.volume, 8.4 + cut.volume * 0.45)
        return cloud | over_face(cut, fringe) if cut.texture is Texture.CURLS and view is View.FRONT else cloud
    hair = {View.FRONT: over_face, View.SIDE: from_side}[view](cut, fringe) if view is not View.BACK else from_back(cut)
    return stubbled(hair, view) if cut.texture is Texture.STUBBLE else hair


def _nape_freed(hair: Mask) -> Mask:
    """Return short hair in side view, cut around the ear and above the neck."""
    for column, lowest in enumerate(BEHIND_THE_EAR, start=15):
        hair[lowest + 1 :, column] = False
    return hair


def _side_edges(cut: Cut, row: int) -> tuple[float, float]:
    """Return the left and right edge of long hair in side view: over the ear, behind the shoulder."""
    return 14.6 + max(0, row - 16) * 0.22, 25.4 + cut.volume - max(0, row - 14) * 0.2


def _back_edges(cut: Cut, row: int) -> tuple[float, float]:
    """Return the left and right edge of long hair in front or back view, narrower towards the tips."""
    half = 9.2 + cut.volume - max(0, row - 15) * 0.16
    return 15.5 - half, 15.5 + half


def _falling(cut: Cut, edges: Callable[[int], tuple[float, float]], top: int) -> Mask:
    """Return the hair between two edges, from `top` down to the end of each strand."""
    hair = np.zeros((FRAME, FRAME), bool)
    for row in range(top, cut.length + 1):
        left, right = edges(row)
        swing = cut.wave * np.sin(row * 1.15)
        hair[row, max(0, round(left - swing)) : round(right + swing) + 1] = True
    for column in range(FRAME):
        middle = abs(column - 15.5)
        shorter = cut.ends[column % len(cut.ends)] + (1 if middle > 7.5 and cut.length > 18 else 0)
        hair[cut.length - shorter + 1 :, column] = False
    return hair
