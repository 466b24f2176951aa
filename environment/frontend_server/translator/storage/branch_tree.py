"""Which saved simulation came from which, and at which moment."""

from typing import Any

from django.conf import settings

from translator.storage import simulations
from translator.storage.simulations import SimulationEntry
from translator.storage.stored_simulation import Store
from ville.errors import CorruptFile
from ville.storage.branches import Branch, read_branch


def branch_tree() -> list[dict[str, Any]]:
    """Return every saved simulation that has been run, or was branched, with where it came from."""
    entries = [entry for entry in simulations.listing().entries if entry.store is Store.SAVED]
    return [_node(entry, _branch(entry)) for entry in entries if entry.steps or _branch(entry)]


def _branch(entry: SimulationEntry) -> Branch | None:
    """Return where a simulation came from; None if it does not say, or not readably."""
    try:
        return read_branch(settings.STORAGE / entry.code)
    except CorruptFile:
        return None


def _node(entry: SimulationEntry, branch: Branch | None) -> dict[str, Any]:
    return {
        "name": entry.code,
        "title": entry.title,
        "origin": branch and branch.origin,
        "step": branch and branch.step,
        "moment": branch and entry.meta.time_of(branch.step).isoformat(),
        "seed": branch and branch.seed,
        "steps": entry.steps,
    }
