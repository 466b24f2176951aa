"""How a stamp of `stamps.yaml` gets its picture: one function per name, registered where it is defined."""

from collections.abc import Callable
from dataclasses import dataclass

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.palette import SHADOW, Ramp


@dataclass(frozen=True)
class Picture:
    """What a drawing returns: canvases of the footprint's size (32 px a tile) or less, from its top left corner."""

    below: Canvas
    """Drawn under people, but for the tiles that the footprint marks `^`."""
    cover: Canvas | None = None
    """Drawn over people on every tile: a quilt, the back of a chair, the glass of a shower."""


Drawing = Callable[[Ramp, int], Picture]
"""(colour, variant) → picture. `variant` is any whole number: drawings that vary (trees, books) choose by it."""

DRAWINGS: dict[str, Drawing] = {}
"""Every registered drawing by the name its stamp has in stamps.yaml."""


def draws(name: str) -> Callable[[Drawing], Drawing]:
    """Register the drawing of a stamp."""

    def register(drawing: Drawing) -> Drawing:
        if name in DRAWINGS:
            raise ValueError(f"two drawings are called {name!r}")
        DRAWINGS[name] = drawing
        return drawing

    return register


def tiles(across: int, down: int) -> Canvas:
    """An empty canvas of whole tiles."""
    return Canvas(across * TILE, down * TILE)


def grounded(shape: Canvas, height: int = 4) -> Canvas:
    """The shape, outlined, with the violet contact shadow that glues it to the floor."""
    rows, columns = shape.drawn.nonzero()
    left, right, bottom = int(columns.min()), int(columns.max()), int(rows.max())
    floor = Canvas(shape.width, shape.height)
    floor.rect(left + 2, bottom - height + 3, right - left + 2, height, SHADOW)
    return floor.over(shape.copy().outline())
