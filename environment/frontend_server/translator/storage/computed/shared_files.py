"""Recordings as files for others, made by `reverie/share.py`."""

from translator.storage.computed.computations import VILLE, Computation, Computations, folder_flags
from translator.storage.runs.stored_simulation import StoredSimulation

_computed = Computations("--out")


def shared_file(simulation: StoredSimulation, *, may_act: bool) -> Computation:
    """Return the file of a recording; begin to make it unless that was begun before.

    Raises Unavailable, TooManyRequests and CorruptFile.
    """
    command = [*VILLE, "share", *folder_flags(), simulation.code, "--store", simulation.store]
    return _computed.begin((str(simulation.root),), command, [simulation], may_act=may_act)
