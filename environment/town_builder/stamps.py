"""Stamps: the placeable things of a town file, and their effect on the tiles they cover. `art` draws them."""

from dataclasses import dataclass
from pathlib import Path

import yaml

STAMPS = Path(__file__).with_name("stamps.yaml")
SOLID, USE, OVER, UNDER = "#", "o", "^", "."
"""Characters of a footprint: impassable; use tile (people stand there); drawn over people; drawn under them."""

Offset = tuple[int, int]
"""Tiles right and tiles down from the top left corner of the footprint."""


class StampError(ValueError):
    """Raised for an invalid entry of stamps.yaml."""


@dataclass(frozen=True)
class Stamp:
    """A named picture that can be placed on the map."""

    name: str
    footprint: tuple[str, ...]
    """Rows from north to south, one character per tile."""
    colour: str | None = None
    """Name of the default colour ramp; None for a picture with fixed colours."""
    variants: tuple[str, ...] = ()
    """Names of its looks: variant 0, 1 and so on of the drawing. Empty if its looks have no names."""

    @property
    def width(self) -> int:
        return len(self.footprint[0])

    @property
    def height(self) -> int:
        return len(self.footprint)

    def tiles(self, kind: str) -> tuple[Offset, ...]:
        """Return the offsets of the tiles with this character, row by row."""
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
    """Return all stamps by name, in file order. Raises StampError for the first invalid entry."""
    entries: dict[str, dict[str, object]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {name: _stamp(name, entry, path.name) for name, entry in entries.items()}


def _stamp(name: str, entry: dict[str, object], source: str) -> Stamp:
    rows, colour = entry.get("footprint"), entry.get("colour")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, str) and row for row in rows):
        raise StampError(f'{source}: {name!r} needs a footprint, rows of text such as ["^", "#", "o"]')
    if len({len(row) for row in rows}) > 1:
        raise StampError(f"{source}: the footprint of {name!r} is ragged; give every row the same length")
    if strange := set("".join(rows)) - {SOLID, USE, OVER, UNDER}:
        raise StampError(f"{source}: the footprint of {name!r} has {min(strange)!r}; use only # o ^ .")
    if colour is not None and not isinstance(colour, str):
        raise StampError(f"{source}: the colour of {name!r} must be the name of a ramp, not {colour!r}")
    variants = entry.get("variants", [])
    if not isinstance(variants, list) or not all(isinstance(variant, str) for variant in variants):
        raise StampError(f"{source}: the variants of {name!r} must be a list of names such as [cup, loaf]")
    return Stamp(name, tuple(rows), colour, tuple(variants))
