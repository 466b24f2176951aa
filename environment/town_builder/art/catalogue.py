"""Look up the picture of any stamp by name and colour. Drawings register themselves when imported."""

import pkgutil
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TypeVar

from town_builder import art
from town_builder.art.drawing import DRAWINGS, Picture
from town_builder.art.palette import RAMPS, WHITE, Ramp, mix
from town_builder.stamps import Stamp, load_stamps

Value = TypeVar("Value")

STEPS = 5
"""Minimum length of the ramp given to a drawing; lighter steps are appended to shorter ramps."""


class CatalogueError(LookupError):
    """Raised for an unknown stamp or colour; the message names the closest match."""


@cache
def stamps() -> Mapping[str, Stamp]:
    """Return the stamps of stamps.yaml after importing every module under `art`, so that DRAWINGS is complete."""
    for module in pkgutil.walk_packages(art.__path__, f"{art.__name__}."):
        import_module(module.name)
    return load_stamps()


def picture_of(name: str, colour: str | None = None, variant: int = 0) -> Picture:
    """Return the picture of a stamp in this colour, or in its default one. Raises CatalogueError for unknown names."""
    stamp = _known(name, stamps(), "stamp", "stamps.yaml")
    drawing = _known(name, DRAWINGS, "drawing", "the modules of town_builder.art")
    return drawing(ramp_of(colour or stamp.colour or "wood"), variant)


def ramp_of(colour: str) -> Ramp:
    """Return a colour ramp with at least five steps. Raises CatalogueError for an unknown name."""
    ramp = _known(colour, RAMPS, "colour", "art/palette.py")
    while len(ramp) < STEPS:
        ramp = (*ramp, mix(ramp[-1], WHITE[-1], 0.6))
    return ramp


def _known(name: str, values: Mapping[str, Value], kind: str, place: str) -> Value:
    if name not in values:
        near = get_close_matches(name, values, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose one of {place}"
        raise CatalogueError(f"no {kind} {name!r} in {place}; {hint}")
    return values[name]
