"""The parts of a town file while a city is laid out."""

from dataclasses import dataclass, field
from typing import Any

Part = dict[str, Any]


class Line(dict[str, Any]):
    """A part that is written on a line of its own."""


class Paragraph(dict[str, Any]):
    """A part with a line for each of its fields."""


@dataclass
class GroundPlan:
    """Lists of a town file, in map tiles."""

    terrain: list[Part] = field(default_factory=list)
    scatter: list[Part] = field(default_factory=list)
    buildings: list[Part] = field(default_factory=list)
    areas: list[Part] = field(default_factory=list)
    things: list[Part] = field(default_factory=list)

    def lay(self, **terrain: Any) -> None:
        self.terrain.append(Line(terrain))

    def sow(self, stamps: list[Any], rect: list[int], density: float, seed: int, **more: Any) -> None:
        """Scatter stamps over the free ground of a rectangle."""
        self.scatter.append(Line(stamps=stamps, rect=rect, density=density, seed=seed, **more))

    def put(self, stamp: str, x: int, y: int, *, colour: str | None = None, variant: str | None = None) -> None:
        """Place a stamp; equal ones share an entry."""
        thing = Line(stamp=stamp, at=[])
        if colour:
            thing["colour"] = colour
        if variant:
            thing["variant"] = variant
        for other in self.things[-40:]:
            if "at" in other and {**other, "at": []} == thing:
                other["at"].append([x, y])
                return
        self.things.append(Line({**thing, "at": [[x, y]]}))

    def draw(self, stamp: str, *points: tuple[int, int], colour: str | None = None) -> None:
        """Place a stamp along a line."""
        thing = Line(stamp=stamp, line=[list(point) for point in points])
        self.things.append(Line({**thing, "colour": colour}) if colour else thing)
