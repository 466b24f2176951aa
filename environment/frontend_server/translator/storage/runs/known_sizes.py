"""Sizes of simulations, read once for each save: a long run has tens of thousands of files."""

from functools import lru_cache
from pathlib import Path

from translator.storage.runs.stored_simulation import StoredSimulation
from ville.storage.files import Stamp, stamp_of
from ville.storage.keeping.sizes import size_of
from ville.storage.past.checkpoints import CHECKPOINTS

MOST_KNOWN = 2000
"""Sizes that are kept in memory."""


def known_size(simulation: StoredSimulation) -> int:
    """Return the bytes of all files of a simulation, as it was last saved or made smaller."""
    root = simulation.root
    return _size(root, *map(stamp_of, (simulation.meta_file, root / CHECKPOINTS, root / "reverie")))


@lru_cache(maxsize=MOST_KNOWN)
def _size(root: Path, *_when: Stamp) -> int:
    return size_of(root)
