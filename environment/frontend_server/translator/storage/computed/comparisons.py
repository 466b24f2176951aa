"""Comparisons of simulations, computed by `reverie/compare.py`."""

from collections.abc import Sequence
from typing import NamedTuple

from translator.storage.computed.computations import VILLE, Computation, Computations, folder_flags
from translator.storage.runs.stored_simulation import StoredSimulation

AGAINST = "--"
"""Separates the sides."""
_computed = Computations()


class NamedRun(NamedTuple):
    """A simulation, and how far it is compared: `NAME`, or `NAME@STEP`."""

    name: str
    simulation: StoredSimulation


def comparison(a: NamedRun, b: NamedRun, *, may_act: bool = True) -> Computation:
    """Return the comparison of two runs; begin it unless it was begun before.

    Raises Unavailable and TooManyRequests.
    """
    return _begin([[a], [b]], [a.name, b.name], may_act=may_act)


def repeats(a: Sequence[NamedRun], b: Sequence[NamedRun], *, may_act: bool = True) -> Computation:
    """Return the comparison of repeated runs of two sides, likewise."""
    return _begin([a, b], [*(each.name for each in a), AGAINST, *(each.name for each in b)], may_act=may_act)


def _begin(sides: Sequence[Sequence[NamedRun]], names: Sequence[str], *, may_act: bool) -> Computation:
    runs = [each.simulation for side in sides for each in side]
    key = (*names, *(str(each.root) for each in runs))
    command = [*VILLE, "compare", *folder_flags(), *names]
    return _computed.begin(key, command, runs, may_act=may_act)
