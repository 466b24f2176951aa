"""Comparisons of simulations, computed by `reverie/compare.py`."""

from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

from translator.storage.computations import Computation, Computations, folder_flags
from translator.storage.stored_simulation import StoredSimulation

SCRIPT = Path("reverie") / "compare.py"
AGAINST = "--"
"""Separates the sides."""
_computed = Computations()


def comparison(a: StoredSimulation, b: StoredSimulation, *, may_act: bool = True) -> Computation:
    """Return the comparison of two simulations; begin it unless it was begun before.

    Raises Unavailable and TooManyRequests.
    """
    return _begin([[a], [b]], [a.code, b.code], may_act=may_act)


def repeats(a: Sequence[StoredSimulation], b: Sequence[StoredSimulation], *, may_act: bool = True) -> Computation:
    """Return the comparison of repeated runs of two sides, likewise."""
    return _begin([a, b], [*(each.code for each in a), AGAINST, *(each.code for each in b)], may_act=may_act)


def _begin(sides: Sequence[Sequence[StoredSimulation]], names: Sequence[str], *, may_act: bool) -> Computation:
    runs = [each for side in sides for each in side]
    key = (*names, *(str(each.root) for each in runs))
    command = [str(settings.ROOT / SCRIPT), *folder_flags(), *names]
    return _computed.begin(key, command, runs, may_act=may_act)
