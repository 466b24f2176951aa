"""Recordings as files for others, made by `reverie/share.py`."""

from pathlib import Path

from django.conf import settings

from translator.storage.computed.computations import Computation, Computations, folder_flags
from translator.storage.runs.stored_simulation import StoredSimulation

SCRIPT = Path("reverie") / "share.py"
_computed = Computations("--out")


def shared_file(simulation: StoredSimulation, *, may_act: bool) -> Computation:
    """Return the file of a recording; begin to make it unless that was begun before.

    Raises Unavailable, TooManyRequests and CorruptFile.
    """
    command = [str(settings.ROOT / SCRIPT), *folder_flags(), simulation.code, "--store", simulation.store]
    return _computed.begin((str(simulation.root),), command, [simulation], may_act=may_act)
