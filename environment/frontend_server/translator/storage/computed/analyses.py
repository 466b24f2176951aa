"""What commands of `ville` find out about one run, for its pages."""

from collections.abc import Sequence

from translator.storage.computed.computations import VILLE, Computation, Computations, folder_flags
from translator.storage.runs.stored_simulation import StoredSimulation

_computed = Computations()


def analysis(
    simulation: StoredSimulation, command: str, flags: Sequence[str] = (), *, may_act: bool
) -> Computation:  # fmt: skip
    """Return what `ville COMMAND NAME FLAGS… --json FILE` writes; begin it unless it was begun before.

    The command takes `--store`, too. Raises Unavailable, TooManyRequests and CorruptFile.
    """
    words = [command, simulation.code, *flags, "--store", simulation.store, *folder_flags()]
    return _computed.begin((str(simulation.root), command, *flags), [*VILLE, *words], [simulation], may_act=may_act)
