"""Pixels written as text and coloured later, for faces, clothes and hats."""

from collections.abc import Mapping
from dataclasses import dataclass

from town_builder.art.canvas import Canvas
from town_builder.art.palette import BLUE, GLASS, GREY, INK, PINK, RED, WHITE, YELLOW, Colour, Ramp, mix
from town_builder.art.people.pose import FRAME, View

FIXED: dict[str, Colour] = {
    "k": INK,
    "w": WHITE[4],
    "v": WHITE[2],
    "g": GREY[1],
    "h": GREY[3],
    "b": BLUE[3],
    "c": GLASS[2],
    "r": RED[2],
    "o": PINK[2],
    "y": YELLOW[2],
    "z": YELLOW[3],
}
"""Letters with a fixed colour."""


@dataclass(frozen=True)
class Stencil:
    """Rows of characters with their top left corner at (x, y) of a frame; points and spaces are transparent."""

    x: int
    y: int
    rows: tuple[str, ...]

    def paint(self, canvas: Canvas, key: Mapping[str, Colour]) -> None:
        canvas.over(Canvas.from_rows(self.rows, {**FIXED, **key}), self.x, self.y)

    def outlined(self, key: Mapping[str, Colour], strength: float = 0.38) -> Canvas:
        """Return a frame with the stencil alone, outlined."""
        canvas = Canvas(FRAME, FRAME)
        self.paint(canvas, key)
        return canvas.outline(strength=strength)


Stencils = Mapping[View, Stencil]
"""A thing as seen in each view; nothing is drawn in missing views."""


def stencil(x: int, y: int, *rows: str) -> Stencil:
    return Stencil(x, y, rows)


def steps(ramp: Ramp, characters: str = "0123") -> dict[str, Colour]:
    """Return a character for each of the first four steps of a ramp, darkest first."""
    return dict(zip(characters, ramp, strict=False))


def soft(ramp: Ramp, share: float = 0.5) -> Colour:
    """Return a colour between shade and body, for faint lines."""
    return mix(ramp[2], ramp[1], share)
