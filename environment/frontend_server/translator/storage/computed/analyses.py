"""Results of commands of `ville` about one run, for its pages."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from translator.storage.computed.computations import VILLE, Computation, Computations, folder_flags
from translator.storage.runs.stored_simulation import StoredSimulation

_computed = Computations()


def analysis(
    simulation: StoredSimulation, command: str, flags: Sequence[str] = (), *, may_act: bool, at: str = ""
) -> Computation:  # fmt: skip
    """Return what `ville COMMAND NAME FLAGS… --json FILE` writes, of `NAME@AT` if a moment is given; begin it unless it
    was begun before.

    The command takes `--store`, too. Raises Unavailable, TooManyRequests and CorruptFile.
    """
    name = f"{simulation.code}@{at}" if at else simulation.code
    words = [command, name, *flags, "--store", simulation.store, *folder_flags()]
    key = (str(simulation.root), command, at, *flags)
    return _computed.begin(key, [*VILLE, *words], [simulation], may_act=may_act)


@lru_cache(maxsize=4)
def read_once(found: bytes) -> Mapping[str, Any]:
    """Return the JSON of what was found; the same object for the same bytes, which pages ask for again and again."""
    values: Mapping[str, Any] = json.loads(found)
    return values
