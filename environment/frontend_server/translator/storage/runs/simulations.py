"""The simulations in both folders: listed, and found by name."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from translator.damage import message
from translator.errors import NotFound
from translator.forms import SimCode
from translator.storage.folder_names import folder_names
from translator.storage.runs.compressed_simulation import CompressedSimulation
from translator.storage.runs.live_state import BackendStatus, is_fresh, reported_status, temp_storage
from translator.storage.runs.saved_simulation import SavedSimulation
from translator.storage.runs.stored_simulation import Store, StoredSimulation
from translator.storage.runs.titles import title_of
from ville.command_lines import typed
from ville.errors import CorruptFile, StorageError
from ville.storage.compressed.cast import CAST, Cast
from ville.storage.compressed.compression import MASTER
from ville.storage.dates import time_text
from ville.storage.files import Stamp, stamp_of
from ville.storage.folder.storage import mend
from ville.storage.records.intervention_log import LOG
from ville.storage.records.meta import Meta
from ville.storage.records.notes import Notes, read_notes
from ville.storage.records.own_files import NOTES, TITLE
from ville.storage.steps.step_store import StepStore

MOST_ENTRIES = 2000
"""Entries of lists that are kept in memory."""


@dataclass(frozen=True)
class SimulationEntry:
    """A simulation in the list of the landing page."""

    code: SimCode
    title: str
    store: Store
    meta: Meta
    steps: int
    """Number of steps that can be shown; 0 if it has not been run yet."""
    changed: float
    """Seconds since the epoch when it was last saved."""
    cast: Cast
    notes: Notes
    root: Path


@dataclass(frozen=True)
class Listing:
    """All simulations."""

    entries: tuple[SimulationEntry, ...]
    damage: tuple[str, ...]
    """Why the others cannot be listed."""


def find(code: SimCode, store: Store | None = None) -> StoredSimulation:
    """Return a simulation; without a store, a saved one before a compressed one. Raises NotFound."""
    if store is None:
        store = Store.SAVED if code in folder_names(settings.STORAGE) else Store.COMPRESSED
    return find_saved(code) if store is Store.SAVED else find_compressed(code)


def find_saved(code: SimCode) -> SavedSimulation:
    """Return a saved simulation. Raises NotFound."""
    return SavedSimulation(_folder(settings.STORAGE, code))


def find_compressed(code: SimCode) -> CompressedSimulation:
    """Return a compressed simulation. Raises NotFound, which for a saved one tells how to compress it."""
    if code in folder_names(settings.STORAGE) - folder_names(settings.COMPRESSED_STORAGE):
        how = typed("compress", code)
        raise NotFound(_("%(name)s is not compressed yet. To compress it: %(how)s") % {"name": code, "how": how})
    return CompressedSimulation(_folder(settings.COMPRESSED_STORAGE, code))


def running() -> SavedSimulation | None:
    """Return the simulation that an engine has announced, if it exists."""
    code = temp_storage().running()
    return SavedSimulation(settings.STORAGE / code) if code in folder_names(settings.STORAGE) else None


def status() -> BackendStatus:
    """Return what the engine does. For older engines, which report nothing, the newest step file tells.

    Raises CorruptFile.
    """
    simulation = running()
    if simulation is None or temp_storage().reports(simulation.code):
        return reported_status()
    step = simulation.steps or simulation.meta.step
    at_work = is_fresh(StepStore(simulation.root).movement_file(step - 1))
    now = time_text(simulation.meta.time_of(step))
    return BackendStatus(simulation.code, "running" if at_work else "waiting", step=step, curr_time=now)


def listing() -> Listing:
    """Return every simulation, saved ones first, each folder by name."""
    with suppress(StorageError):  # then a later program does
        mend(settings.STORAGE)
    entries: list[SimulationEntry] = []
    damage: list[str] = []
    for simulation in _simulations():
        if not simulation.meta_file.exists():
            continue  # a folder of something else
        try:
            entries.append(_entry_as_of(simulation.root, simulation.store, _stamps(simulation), get_language() or ""))
        except CorruptFile as fault:
            damage.append(message(fault))
    return Listing(tuple(entries), tuple(damage))


def _simulations() -> Iterator[SavedSimulation | CompressedSimulation]:
    for code in sorted(folder_names(settings.STORAGE)):
        yield SavedSimulation(settings.STORAGE / code)
    for code in sorted(folder_names(settings.COMPRESSED_STORAGE)):
        yield CompressedSimulation(settings.COMPRESSED_STORAGE / code)


def _stamps(simulation: SavedSimulation | CompressedSimulation) -> tuple[Stamp, ...]:
    """Return what changes with any of the files that an entry is made of."""
    beside = simulation.meta_file.parent
    files = (simulation.meta_file, beside / TITLE, beside / NOTES, beside / LOG, beside / CAST, beside / MASTER)
    return tuple(map(stamp_of, files))


@lru_cache(maxsize=MOST_ENTRIES)
def _entry_as_of(
    root: Path, store: Store, stamps: tuple[Stamp, ...], _language: str
) -> SimulationEntry:  # fmt: skip
    """Return the entry of a simulation, again once one of its files has changed. Raises CorruptFile."""
    simulation = SavedSimulation(root) if store is Store.SAVED else CompressedSimulation(root)
    return SimulationEntry(
        code=simulation.code,
        title=title_of(root),
        store=store,
        meta=simulation.meta,
        steps=_shown_steps(simulation),
        changed=stamps[0][0] / 1e9,
        cast=simulation.cast,
        notes=read_notes(root),
        root=root,
    )


def _shown_steps(simulation: SavedSimulation | CompressedSimulation) -> int:
    """Return how many steps can be shown as last saved, so that the list reads neither folders of tens of thousands of
    files nor tens of megabytes.
    """
    if isinstance(simulation, CompressedSimulation):
        return simulation.listed_steps
    step = simulation.meta.step
    if step and simulation.shows(step - 1):
        return step
    return simulation.steps


def codes() -> set[str]:
    """Return the names of all simulations, saved and compressed."""
    return folder_names(settings.STORAGE) | folder_names(settings.COMPRESSED_STORAGE)


def _folder(storage: Path, code: SimCode) -> Path:
    if code not in folder_names(storage):
        raise NotFound(_("There is no simulation called %(name)s.") % {"name": code})
    return storage / code
