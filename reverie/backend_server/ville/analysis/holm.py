"""Adjusts the p of several tests, so that of all that find something without cause there are as few as of one."""

from collections.abc import Sequence
from itertools import accumulate


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """Return each p as adjusted by Holm (1979): the smallest times their number, the next times one less, and so on.

    None is smaller than one that was smaller before, and none is above 1.
    """
    order = sorted(range(len(ps)), key=lambda place: ps[place])
    raised = accumulate((ps[place] * (len(ps) - rank) for rank, place in enumerate(order)), max)
    by_place = dict(zip(order, raised, strict=True))
    return tuple(min(1.0, by_place[place]) for place in range(len(ps)))
