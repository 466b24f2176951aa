"""The folder of all simulations: list, find, fork and delete them."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ville.errors import (
    BadMoment,
    BadSimulationName,
    SavedMeanwhile,
    SimulationExists,
    SimulationInUse,
    SimulationNotFound,
    StorageError,
)
from ville.storage.files import check_plain, writing
from ville.storage.folder.copying import copy_save
from ville.storage.folder.renames import mend_renames, present_name
from ville.storage.folder.replacements import mend_replacements
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.new_folder import deleted_folder, new_folder, partial_folder
from ville.storage.records.lock import Lock, between_saves, lock_file, remove_lock
from ville.storage.records.meta import META, Meta, read_meta
from ville.storage.records.staging import is_torn, recover_held
from ville.storage.steps.step_store import StepStore

NAME = re.compile(r"[\w-]+")
LONGEST_NAME = 100
"""Longest name of a simulation, in characters."""
BASES = "base_"
"""How names of bases begin."""
RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d", re.IGNORECASE)
"""Names of devices, which Windows does not allow for folders."""


def simulations(storage: Path) -> list[str]:
    """Return the names of all simulations, sorted."""
    return sorted(path.parent.parent.name for path in storage.glob(f"[!.]*/{META}"))


def is_simulation(storage: Path, name: str) -> bool:
    """Return whether there is a simulation of exactly this name, without a look into the others."""
    if name.startswith(".") or not storage.is_dir():
        return False
    with os.scandir(storage) as entries:  # some systems would find NAME by name
        is_there = any(entry.name == name for entry in entries)
    return is_there and (storage / name / META).exists()


def mend(storage: Path) -> None:
    """Finish what killed programs have left of renaming or replacing simulations. Raises StorageError."""
    mend_renames(storage)
    mend_replacements(storage)


def find(storage: Path, name: str) -> SimulationFolder:
    """Return a simulation as it is on disk. Raises SimulationNotFound with the known names, and CorruptFile.

    Links in its folder are refused: in a simulation from elsewhere, they may lead to files of the system.
    """
    mend(storage)
    if "@" in name:
        template = "'%(name)s' is a moment, but a whole simulation is needed here. Leave out what follows the name."
        raise BadMoment(template, name=name)
    if is_simulation(storage, name):
        check_plain(storage / name)
        return SimulationFolder(storage / name)
    if now := present_name(storage, name):
        template = "'%(name)s' was renamed: it is '%(now)s' now. Use that name, or rename it back."
        raise SimulationNotFound(template, name=name, now=now)
    template = "There is no simulation '%(name)s' in %(folder)s. There are: %(known)s."
    known = ", ".join(simulations(storage)) or "none"
    raise SimulationNotFound(template, name=name, folder=storage, known=known)


def resume(storage: Path, name: str) -> SimulationFolder:
    """Return a simulation as last saved, ready to run."""
    folder = find(storage, name)
    folder.recover()
    return folder


def check_name(name: str) -> None:
    """Raise BadSimulationName unless this can be the name of a simulation."""
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not NAME.fullmatch(name) or RESERVED.fullmatch(name):
        template = (
            "'%(name)s' cannot be the name of a simulation. Use letters, digits, '-' and '_' only, at most 100, and no "
            "name that Windows reserves, such as con."
        )
        raise BadSimulationName(template, name=name)


def check_new(storage: Path, name: str) -> None:
    """Raise BadSimulationName or SimulationExists unless a new simulation can have this name."""
    check_name(name)
    mend(storage)
    if (storage / name).exists():
        template = (
            "There is already a simulation '%(name)s' in %(folder)s. Choose another name, or continue it: give "
            "'%(name)s' twice, or in Python call ville.open('%(name)s')."
        )
        raise SimulationExists(template, name=name, folder=storage)


def ignore_folder(_folder: Path) -> None:
    """No-op: a fork needs nothing of its own."""


def fork(
    storage: Path, origin: str, name: str, complete: Callable[[Path], None] = ignore_folder
) -> SimulationFolder:  # fmt: skip
    """Create a simulation that begins where another was last saved: all of it, or nothing. Raises StorageError.

    `complete` adds what is its own, while it has no name yet.
    """
    check_new(storage, name)
    source = find(storage, origin).root
    with new_folder(storage / name) as folder:
        copy_whole(source, folder)
        complete(folder)
    return resume(storage, name)


def copy_whole(source: Path, target: Path, *, links: bool = False) -> None:
    """Copy a simulation as last saved. With `links`, what is only ever replaced is not copied but linked. Raises
    StorageError.
    """
    with unchanged(source):
        steps = copy_save(source, target, links=links)
    StepStore(source).copy(target, steps, links=links)


@contextmanager
def unchanged(source: Path) -> Iterator[None]:
    """Keep a simulation from being saved inside this context, in which it is read; a save waits until its end.

    An older engine does not wait: SavedMeanwhile is raised then.
    """
    with between_saves(source):
        if is_torn(source):
            with suppress(SimulationInUse), Lock(source):  # an older engine may be saving
                recover_held(source)
        saved = _last_save(source)
        try:
            yield
        except (StorageError, OSError):
            if _last_save(source) == saved:
                raise
        if _last_save(source) != saved:
            raise SavedMeanwhile("%(folder)s was saved by another program while it was read. Try again.", folder=source)


def _last_save(source: Path) -> Meta:
    """Return the meta file of the last save. Raises SavedMeanwhile while the next save is being written."""
    if is_torn(source):
        raise SavedMeanwhile("%(folder)s is being saved by another program. Try again.", folder=source)
    return read_meta(source / META)


def delete(folder: SimulationFolder) -> None:
    """Delete a simulation for good: it loses its name first, so that no part of it is left if the process is killed.

    What a user deletes goes into the bin instead (`storage/keeping`).
    """
    trash = deleted_folder(folder.root)
    with writing(folder.root):
        shutil.rmtree(trash, ignore_errors=True)
        folder.root.replace(trash)
        shutil.rmtree(trash)


def remove_unfinished(simulation: Path) -> None:
    """Remove what a killed program has left of a simulation that it was making. Only for who holds its lock."""
    partial = partial_folder(simulation)
    shutil.rmtree(partial, ignore_errors=True)
    with suppress(OSError):
        remove_lock(lock_file(partial))
