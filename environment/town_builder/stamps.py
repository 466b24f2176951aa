"""The stamps a town file may place: what each one does to the tiles it covers. Their pictures are drawn in `art`."""

from dataclasses import dataclass
from pathlib import Path

import yaml

STAMPS = Path(__file__).with_name("stamps.yaml")
SOLID, USE, OVER, UNDER = "#", "o", "^", "."
"""The characters of a footprint: impassable, where one uses it, drawn over people, drawn under feet."""

Offset = tuple[int, int]
"""Tiles right and tiles down from the footprint's top left corner."""


class StampError(ValueError):
    """An entry of stamps.yaml that cannot be a stamp."""


@dataclass(frozen=True)
class Stamp:
    """A placeable picture by name."""

    name: str
    footprint: tuple[str, ...]
    """Rows from north to south, one character a tile."""
    colour: str | None = None
    """The ramp it is painted in unless a town says otherwise; None for a picture with colours of its own."""
    variants: tuple[str, ...] = ()
    """What a town may choose from by name: variant 0, 1 and so on of its drawing. Empty where looks have no names."""

    @property
    def width(self) -> int:
        return len(self.footprint[0])

    @property
    def height(self) -> int:
        return len(self.footprint)

    def tiles(self, kind: str) -> tuple[Offset, ...]:
        """Where the footprint has this character, row by row."""
        return tuple((x, y) for y, row in enumerate(self.footprint) for x, mark in enumerate(row) if mark == kind)

    @property
    def solid(self) -> tuple[Offset, ...]:
        return self.tiles(SOLID)

    @property
    def use(self) -> tuple[Offset, ...]:
        return self.tiles(USE)

    @property
    def over(self) -> tuple[Offset, ...]:
        return self.tiles(OVER)


def load_stamps(path: Path = STAMPS) -> dict[str, Stamp]:
    """Every stamp by name, in the order of the file. Raises StampError with the name of the first bad entry."""
    entries: dict[str, dict[str, object]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {name: _stamp(name, entry, path.name) for name, entry in entries.items()}


def _stamp(name: str, entry: dict[str, object], source: str) -> Stamp:
    rows, colour = entry.get("footprint"), entry.get("colour")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, str) and row for row in rows):
        raise StampError(f'{source}: {name!r} needs a footprint, rows of text such as ["^", "#", "o"]')
    if len({len(row) for row in rows}) > 1:
        raise StampError(f"{source}: the footprint of {name!r} is ragged; give every row the same length")
    if strange := set("".join(rows)) - {SOLID, USE, OVER, UNDER}:
        raise StampError(f"{source}: the footprint of {name!r} has {min(strange)!r}; only # o ^ . mean something")
    if colour is not None and not isinstance(colour, str):
        raise StampError(f"{source}: the colour of {name!r} must be the name of a ramp, not {colour!r}")
    variants = entry.get("variants", [])
    if not isinstance(variants, list) or not all(isinstance(variant, str) for variant in variants):
        raise StampError(f"{source}: the variants of {name!r} must be a list of names such as [cup, loaf]")
    return Stamp(name, tuple(rows), colour, tuple(variants))
