"""Scales of figures: from values to places, with a few round numbers beside them."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10

MOST_TICKS = 5
MARGIN = 0.06
"""Share of the span that stays free at both ends."""
NEAR_ZERO = 0.6
"""A scale begins at zero if the smallest value is below this share of the largest."""


@dataclass(frozen=True)
class FigureScale:
    """Maps values to heights: `low` to `bottom`, `high` to `top`."""

    low: float
    high: float
    bottom: float
    top: float
    step: float
    """Between two ticks."""

    @classmethod
    def around(
        cls, values: Iterable[float], bottom: float, top: float, *, whole: bool, signed: bool = False
    ) -> "FigureScale":
        """Return the scale that shows all values; `whole`: with whole numbers as ticks; `signed`: of differences."""
        known = list(values)
        low, high = min(known), max(known)
        if 0 < low < NEAR_ZERO * high:
            low = 0.0
        if high < 0 and high > NEAR_ZERO * low:
            high = 0.0
        if low == high:
            low, high = (0.0 if 0 <= low <= 1 and not signed else low - 1.0), high + 1.0
        margin = MARGIN * (high - low)
        step = _round_step(high - low, whole=whole)
        return cls(low - margin, high + margin, bottom, top, step)

    def at(self, value: float) -> float:
        """Return the height of a value."""
        return self.bottom + (self.top - self.bottom) * (value - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[float]:
        """Round values within the scale."""
        first, last = ceil(self.low / self.step - 1e-9), floor(self.high / self.step + 1e-9)
        return [number * self.step for number in range(first, last + 1)]

    @property
    def digits(self) -> int:
        """Decimals that tell two ticks apart."""
        return max(0, -floor(log10(self.step) + 1e-9))


def _round_step(span: float, *, whole: bool) -> float:
    """Return the smallest round step with which a span has only a few ticks."""
    least = span / MOST_TICKS
    power = 10.0 ** floor(log10(least))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
    return max(1.0, step) if whole else step


def swarm(heights: Iterable[float], *, apart: float, width: float) -> list[float]:
    """Return how far each dot is moved to the side, so that those of nearly the same height lie beside each other."""
    known = list(heights)
    order = sorted(range(len(known)), key=lambda place: known[place])
    breaks = [0, *(n for n, (a, b) in enumerate(pairwise(order), 1) if known[b] - known[a] >= apart), len(order)]
    moved = [0.0] * len(known)
    for begin, end in pairwise(breaks):
        group = sorted(order[begin:end])
        gap = min(apart, width / max(1, len(group) - 1))
        for place, which in enumerate(group):
            moved[which] = gap * (place - (len(group) - 1) / 2)
    return moved
