"""Registry of drawings: one function for each stamp of `stamps.yaml`."""

from collections.abc import Callable
from dataclasses import dataclass

from town_builder.art.canvas import TILE, Canvas
from town_builder.art.palette import SHADOW, Ramp


@dataclass(frozen=True)
class Picture:
    """Result of a drawing: canvases of at most the size of the footprint (32 px per tile), from its top left corner."""

    below: Canvas
    """Drawn under people, except on tiles that the footprint marks `^`."""
    cover: Canvas | None = None
    """Drawn over people on every tile: a quilt, a chair back, the glass of a shower."""


Drawing = Callable[[Ramp, int], Picture]
"""(colour, variant) → picture. `variant` is any integer; drawings with several looks choose by it."""

DRAWINGS: dict[str, Drawing] = {}
"""All registered drawings by the name of their stamp."""


def draws(name: str) -> Callable[[Drawing], Drawing]:
    """Register the drawing of a stamp."""

    def register(drawing: Drawing) -> Drawing:
        if name in DRAWINGS:
            raise ValueError(f"two drawings are called {name!r}")
        DRAWINGS[name] = drawing
        return drawing

    return register


def tiles(across: int, down: int) -> Canvas:
    """Return an empty canvas of whole tiles."""
    return Canvas(across * TILE, down * TILE)


def grounded(shape: Canvas, height: int = 4) -> Canvas:
    """Return the shape, outlined, with a contact shadow on the floor."""
    rows, columns = shape.drawn.nonzero()
    left, right, bottom = int(columns.min()), int(columns.max()), int(rows.max())
    floor = Canvas(shape.width, shape.height)
    floor.rect(left + 2, bottom - height + 3, right - left + 2, height, SHADOW)
    return floor.over(shape.copy().outline())
