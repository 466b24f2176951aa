"""Which saved simulation came from which, and at which moment."""

from pathlib import Path
from typing import Any

from django.conf import settings

from translator.storage import simulations
from translator.storage.simulations import SimulationEntry
from translator.storage.stored_simulation import Store
from ville.errors import CorruptFile
from ville.storage.branches import Branch, read_branch
from ville.storage.files import read_object_if_whole
from ville.storage.intervention_log import LOG, RUN_FILE, read_rows


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
    root, seed = settings.STORAGE / entry.code, branch and _other_seed(branch)
    return {
        "name": entry.code,
        "title": entry.title,
        "origin": branch and branch.origin,
        "step": branch and branch.step,
        "moment": branch and entry.meta.time_of(branch.step).isoformat(),
        "seed": seed,
        "untouched": branch is not None and seed is None and _count_rows(root) <= branch.rows,
        "steps": entry.steps,
    }


def _other_seed(branch: Branch) -> int | None:
    """Return the seed of a branch, unless it is that of its origin."""
    try:
        run = read_object_if_whole(settings.STORAGE / branch.origin / "reverie" / RUN_FILE, settings.STORAGE) or {}
    except CorruptFile:
        return branch.seed
    return None if branch.seed == run.get("seed") else branch.seed


def _count_rows(root: Path) -> int:
    """Return the number of interventions in a simulation, those of its origin included."""
    try:
        return len(read_rows(root / "reverie" / LOG))
    except CorruptFile:
        return 0
