"""The head with face and beard, without hair."""

import numpy as np

from town_builder.art.canvas import Canvas, Mask
from town_builder.art.palette import INK, PINK, RED, Colour, Ramp, mix
from town_builder.art.people.colours import EYES as IRISES
from town_builder.art.people.colours import HAIRS, SKINS
from town_builder.art.people.features import BEARDS, BLUSH, BROWS, EYES, MARKS, MOUTHS, NOSE
from town_builder.art.people.hair import scalp
from town_builder.art.people.look import Look
from town_builder.art.people.pixel_grid import ROWS
from town_builder.art.people.pose import FRAME, View
from town_builder.art.people.stencil import soft, steps

HALF_WIDTHS = {5: 4, 6: 6, 7: 7, 8: 8, 9: 8, 10: 8, 11: 8, 12: 8, 13: 8, 14: 8, 15: 8, 16: 7, 17: 6, 18: 4}
"""Half the width of each row of the head, in pixels."""


def skull(view: View, *, dome: bool) -> Mask:
    """Return the shape of the head; with a dome it is as high as with hair."""
    head = scalp(view, -0.8) & (ROWS < 11) if dome else np.zeros((FRAME, FRAME), bool)
    for row, half in HALF_WIDTHS.items():
        head[row, 16 - half : 16 + half] = True
    return head


def skin(look: Look, view: View) -> Canvas:
    """Draw the head without a face: lit from the upper left, with ears unless the hair covers them."""
    ramp, head = SKINS[look.skin], skull(view, dome=look.hair.cut == "bald")
    canvas = Canvas(FRAME, FRAME).fill(head, ramp[2])
    canvas.fill(head & ~np.roll(head, -1, 0), ramp[1])
    canvas.fill(head & ~np.roll(head, -1, 1) & (ROWS > 10), ramp[1])
    if view is View.FRONT:
        canvas.fill(canvas.oval(12.5, 9.5, 4, 3.6) & head, mix(ramp[2], ramp[3], 0.6))
    elif view is View.SIDE:
        canvas.fill(canvas.oval(11, 11, 2.4, 2.6) & head, mix(ramp[2], ramp[3], 0.6))
        canvas.dot(7, 14, ramp[2]).dot(7, 15, ramp[1])
    else:
        canvas.fill(head & (ROWS >= 16), ramp[1])
        canvas.fill(canvas.oval(12.5, 7, 4, 2.6) & head, ramp[3])
    if look.cut.length <= 15:
        _ears(canvas, ramp, view)
    return canvas


def _ears(canvas: Canvas, ramp: Ramp, view: View) -> None:
    if view is View.SIDE:
        canvas.rect(16, 11, 3, 4, ramp[2]).rect(17, 12, 1, 2, ramp[1]).row(16, 14, 3, ramp[1])
    else:
        canvas.column(7, 12, 3, ramp[2]).column(24, 12, 3, ramp[1])


def face(canvas: Canvas, look: Look, view: View) -> None:
    """Draw eyes, brows, mouth, marks and beard on the skin; nothing in back view."""
    key = face_key(look)
    traits = look.face
    parts = [BLUSH, NOSE, BROWS[traits.brows], MOUTHS[traits.mouth], *(MARKS[mark] for mark in traits.marks)]
    parts.append(EYES["gentle" if "wrinkles" in traits.marks else "open"])
    for part in parts:
        if view in part:
            part[view].paint(canvas, key)
    if traits.beard and view in BEARDS[traits.beard]:
        beard = HAIRS[traits.beard_colour or look.hair.colour]
        BEARDS[traits.beard][view].paint(canvas, key | steps(beard))


def face_key(look: Look) -> dict[str, Colour]:
    ramp, hair = SKINS[look.skin], HAIRS[look.hair.colour]
    dark, light = IRISES[look.eyes]
    mouth = mix(ramp[0], RED[1], 0.45)
    return {
        "k": mix(INK, ramp[0], 0.1),
        "i": dark,
        "j": light,
        "m": mouth,
        "n": mix(ramp[1], mouth, 0.45),
        "l": mix(RED[2], ramp[1], 0.25),
        "s": soft(ramp, 0.65),
        "p": mix(ramp[2], PINK[2], 0.45),
        "u": hair[1],
    }
