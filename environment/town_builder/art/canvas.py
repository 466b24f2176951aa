"""A small RGBA picture and the drawing operations for it. Coordinates are whole pixels from the top left."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Self, TypeVar

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from town_builder.art.palette import INK, Colour

Pixels = npt.NDArray[np.uint8]
"""height × width × 4."""
Mask = npt.NDArray[np.bool_]
"""height × width."""

Shifted = TypeVar("Shifted", np.uint8, np.bool_)

TILE = 32
"""Side length of a tile in pixels."""
OPAQUE = 255
SOLID_ENOUGH = 200
"""Minimum alpha of pixels that are outlined."""
NEIGHBOURS = ((0, 1), (0, -1), (1, 0), (-1, 0))


class Canvas:
    """A picture. Drawing methods alpha-blend over the current content and return the canvas, for chaining."""

    def __init__(self, width: int, height: int) -> None:
        self.pixels: Pixels = np.zeros((height, width, 4), np.uint8)

    @classmethod
    def of(cls, pixels: Pixels) -> Self:
        """Return a canvas with a copy of these pixels."""
        height, width = pixels.shape[:2]
        canvas = cls(width, height)
        canvas.pixels = pixels.copy()
        return canvas

    @classmethod
    def from_rows(cls, rows: Sequence[str], key: Mapping[str, Colour]) -> Self:
        """Return a picture from lines of text: `key` maps characters to colours; other characters stay transparent."""
        canvas = cls(max(map(len, rows)), len(rows))
        for y, row in enumerate(rows):
            for x, character in enumerate(row):
                if character in key:
                    canvas.pixels[y, x] = key[character]
        return canvas

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    @property
    def drawn(self) -> Mask:
        """Mask of all pixels that are not fully transparent."""
        return self.pixels[..., 3] > 0

    def at(self, x: int, y: int) -> Colour:
        red, green, blue, alpha = (int(value) for value in self.pixels[y, x])
        return red, green, blue, alpha

    def dot(self, x: int, y: int, colour: Colour) -> Self:
        return self.rect(x, y, 1, 1, colour)

    def dots(self, points: Iterable[tuple[int, int]], colour: Colour) -> Self:
        for x, y in points:
            self.rect(x, y, 1, 1, colour)
        return self

    def rect(self, x: int, y: int, width: int, height: int, colour: Colour) -> Self:
        """Fill a rectangle, clipped to the canvas. A colour with alpha 0 erases."""
        area = slice(max(0, y), max(0, y + height)), slice(max(0, x), max(0, x + width))
        if colour[3] in {0, OPAQUE}:
            self.pixels[area] = colour
        else:
            self.pixels[area] = _blend(np.array(colour, np.uint8), self.pixels[area])
        return self

    def row(self, x: int, y: int, width: int, colour: Colour) -> Self:
        return self.rect(x, y, width, 1, colour)

    def column(self, x: int, y: int, height: int, colour: Colour) -> Self:
        return self.rect(x, y, 1, height, colour)

    def fill(self, mask: Mask, colour: Colour) -> Self:
        """Fill every pixel of the mask."""
        if colour[3] in {0, OPAQUE}:
            self.pixels[mask] = colour
        else:
            self.pixels[mask] = _blend(np.array(colour, np.uint8), self.pixels[mask])
        return self

    def oval(self, x: float, y: float, across: float, down: float) -> Mask:
        """Return the mask of an ellipse around (x, y) with these half axes."""
        ys, xs = np.mgrid[0 : self.height, 0 : self.width]
        return np.asarray(((xs - x) / across) ** 2 + ((ys - y) / down) ** 2 <= 1)

    def ellipse(self, x: float, y: float, across: float, down: float, colour: Colour) -> Self:
        return self.fill(self.oval(x, y, across, down), colour)

    def line(self, x0: int, y0: int, x1: int, y1: int, colour: Colour) -> Self:
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        return self.dots(
            ((round(x0 + (x1 - x0) * i / steps), round(y0 + (y1 - y0) * i / steps)) for i in range(steps + 1)), colour
        )

    def polygon(self, points: Sequence[tuple[float, float]], colour: Colour) -> Self:
        picture = Image.new("L", (self.width, self.height))
        ImageDraw.Draw(picture).polygon(list(points), fill=OPAQUE)
        return self.fill(np.asarray(picture) > 0, colour)

    def over(self, other: "Canvas", x: int = 0, y: int = 0) -> Self:
        """Draw another picture on top, with its top left corner at (x, y), clipped to the canvas."""
        left, top = max(0, x), max(0, y)
        right, bottom = min(self.width, x + other.width), min(self.height, y + other.height)
        if right > left and bottom > top:
            source = other.pixels[top - y : bottom - y, left - x : right - x]
            self.pixels[top:bottom, left:right] = _blend(source, self.pixels[top:bottom, left:right])
        return self

    def outline(self, colour: Colour | None = None, strength: float = 0.38) -> Self:
        """Draw a line of one pixel around the shape; without a colour, each pixel is its neighbour darkened.

        `strength` (0 to 1) is how much of the neighbour's colour the line keeps: leaves 0.25, furniture 0.38.
        """
        opaque = self.pixels[..., 3] > SOLID_ENOUGH
        todo, source = ~opaque, self.pixels.copy()
        share = strength * 0.55
        for down, right in NEIGHBOURS:
            near = _shifted(opaque, -down, -right) & todo
            if colour is not None:
                self.pixels[near] = colour
            else:
                tint = _shifted(source, -down, -right)[near][:, :3] * share + np.array(INK[:3]) * (1 - share)
                self.pixels[near] = np.column_stack([tint.astype(np.uint8), np.full(len(tint), OPAQUE, np.uint8)])
            todo &= ~near
        return self

    def crop(self, x: int, y: int, width: int, height: int) -> "Canvas":
        """Return a copy of a part; pixels outside the canvas are transparent."""
        return Canvas(width, height).over(self, -x, -y)

    def flipped(self) -> "Canvas":
        """Return the mirror image, left to right."""
        return Canvas.of(self.pixels[:, ::-1])

    def moved(self, right: int, down: int) -> "Canvas":
        """Return a copy shifted within the same size."""
        return Canvas(self.width, self.height).over(self, right, down)

    def scaled(self, factor: int) -> "Canvas":
        """Return a copy in which every pixel becomes `factor` × `factor` pixels."""
        return Canvas.of(self.pixels.repeat(factor, 0).repeat(factor, 1))

    def copy(self) -> "Canvas":
        return Canvas.of(self.pixels)

    def save(self, path: Path) -> None:
        """Write a PNG whose bytes depend only on the pixels. An existing file is replaced only by a complete one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(self.png)
        part.replace(path)

    @property
    def png(self) -> bytes:
        """Return the content of a PNG file."""
        found = BytesIO()
        Image.fromarray(self.pixels, "RGBA").save(found, "PNG", optimize=True)
        return found.getvalue()


def load(path: Path) -> Canvas:
    with Image.open(path) as picture:
        return Canvas.of(np.asarray(picture.convert("RGBA")))


def noise(*key: object) -> float:
    """Return a pseudo-random number in [0, 1) that depends only on the key: the same on every machine."""
    return int(hashlib.md5(repr(key).encode(), usedforsecurity=False).hexdigest()[:8], 16) / 2**32


def _blend(source: Pixels, target: Pixels) -> Pixels:
    """Return source alpha-composited over target."""
    opaque, clear = source[..., 3:] == OPAQUE, source[..., 3:] == 0
    if (opaque | clear).all():  # nearly always, and much faster
        return np.where(opaque, source, target * (target[..., 3:] > 0))
    above = source[..., 3:].astype(float) / OPAQUE
    below = target[..., 3:].astype(float) / OPAQUE * (1 - above)
    alpha = above + below
    rgb = (source[..., :3] * above + target[..., :3] * below) / np.maximum(alpha, 1e-6)
    return np.concatenate([rgb, alpha * OPAQUE], -1).round().astype(np.uint8)


def _shifted(pixels: npt.NDArray[Shifted], down: int, right: int) -> npt.NDArray[Shifted]:
    """Return the array shifted, with zeros at the edges."""
    height, width = pixels.shape[:2]
    moved = np.zeros_like(pixels)
    moved[max(0, down) : height + min(0, down), max(0, right) : width + min(0, right)] = pixels[
        max(0, -down) : height + min(0, -down), max(0, -right) : width + min(0, -right)
    ]
    return moved
