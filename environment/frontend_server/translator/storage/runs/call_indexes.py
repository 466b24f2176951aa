"""Indexes of the ledgers that pages have asked for last."""

from functools import lru_cache
from pathlib import Path

from translator.storage.runs.stored_simulation import Store, StoredSimulation
from ville.analysis.calls.call_index import CallIndex
from ville.analysis.comparison.compared_run import LEDGER

MOST = 4
"""Ledgers whose indexes are kept in memory: a day of a thousand people takes some fifty megabytes."""


def ledger_folder(simulation: StoredSimulation) -> Path | None:
    """Return the folder with the ledger of a simulation; None if no call was recorded."""
    folder = simulation.root / "reverie"
    return folder if simulation.store is Store.SAVED and (folder / LEDGER).exists() else None


def call_index(folder: Path) -> CallIndex:
    """Return the index of a ledger, with the next calls read. Raises CorruptFile."""
    index = _index(folder)
    index.catch_up()
    return index


@lru_cache(maxsize=MOST)
def _index(folder: Path) -> CallIndex:
    return CallIndex(folder)
