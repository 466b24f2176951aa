"""Which simulations there are, on both shelves, and how one is found by its name."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from translator.errors import Damaged, NotThere
from translator.forms import CODE, SimCode
from translator.meta import TIME, Meta
from translator.storage import live_state
from translator.storage.compressed_simulation import CompressedSimulation
from translator.storage.live_state import Status
from translator.storage.saved_simulation import SavedSimulation
from translator.storage.stored_simulation import Store, StoredSimulation


@dataclass(frozen=True)
class Entry:
    """A line of the list on the landing page."""

    code: SimCode
    store: Store
    meta: Meta
    steps: int
    """How many can be shown; 0 for one that has not been run yet."""
    changed: float
    """When it was last saved; seconds of the real clock."""


@dataclass(frozen=True)
class Listing:
    entries: tuple[Entry, ...]
    damage: tuple[str, ...]
    """Why the others cannot be shown."""


def find(code: SimCode, store: Store | None = None) -> StoredSimulation:
    """Without a store both are looked through, saved simulations first. Raises NotThere."""
    if store is None:
        store = Store.SAVED if code in _names(settings.STORAGE) else Store.COMPRESSED
    return find_saved(code) if store is Store.SAVED else find_compressed(code)


def find_saved(code: SimCode) -> SavedSimulation:
    """One that can be running. Raises NotThere."""
    return SavedSimulation(_folder(settings.STORAGE, code))


def find_compressed(code: SimCode) -> CompressedSimulation:
    """Raises NotThere, and tells apart what is not compressed from what is not there at all."""
    if code in _names(settings.STORAGE) - _names(settings.COMPRESSED_STORAGE):
        how = f"python reverie/compress_sim_storage.py {code}"
        raise NotThere(_("%(name)s is not compressed yet; this does it: %(how)s") % {"name": code, "how": how})
    return CompressedSimulation(_folder(settings.COMPRESSED_STORAGE, code))


def running() -> SavedSimulation | None:
    """The simulation that an engine has announced, if it is there."""
    code = live_state.running()
    return SavedSimulation(settings.STORAGE / code) if code in _names(settings.STORAGE) else None


def status() -> Status:
    """What the engine does. An older one writes no status file: the steps it leaves in storage tell instead."""
    simulation = running()
    if simulation is None or live_state.reports(simulation.code):
        return live_state.status()
    step = simulation.steps or simulation.meta.step
    at_work = live_state.is_fresh(simulation.root / "movement" / f"{step - 1}.json")
    now = simulation.meta.time_of(step).strftime(TIME)
    return Status(simulation.code, "running" if at_work else "waiting", step=step, curr_time=now)


def listing() -> Listing:
    """Every simulation, saved ones first, each shelf by name."""
    entries: list[Entry] = []
    damage: list[str] = []
    for simulation in _simulations():
        if not simulation.meta_file.exists():
            continue  # a folder of something else
        try:
            entries.append(_entry(simulation))
        except Damaged as fault:
            damage.append(str(fault))
    return Listing(tuple(entries), tuple(damage))


def _simulations() -> Iterator[SavedSimulation | CompressedSimulation]:
    for code in sorted(_names(settings.STORAGE)):
        yield SavedSimulation(settings.STORAGE / code)
    for code in sorted(_names(settings.COMPRESSED_STORAGE)):
        yield CompressedSimulation(settings.COMPRESSED_STORAGE / code)


def _entry(simulation: SavedSimulation | CompressedSimulation) -> Entry:
    """Of a compressed one the steps are taken from its meta file: the list must not read tens of megabytes."""
    meta = simulation.meta
    steps = simulation.steps if isinstance(simulation, SavedSimulation) else meta.step
    return Entry(simulation.code, simulation.store, meta, steps, simulation.meta_file.stat().st_mtime)


def _folder(shelf: Path, code: SimCode) -> Path:
    if code not in _names(shelf):
        raise NotThere(_("There is no simulation called %(name)s.") % {"name": code})
    return shelf / code


def _names(shelf: Path) -> set[str]:
    """Simulations that really lie on a shelf; what a link leads away to is not ours to show."""
    try:
        with os.scandir(shelf) as found:
            return {entry.name for entry in found if entry.is_dir(follow_symlinks=False) and CODE.fullmatch(entry.name)}
    except (FileNotFoundError, NotADirectoryError):
        return set()
