"""Make a folder whole or not at all, and clear away what killed programs have left of theirs."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ville.errors import StorageError
from ville.storage.files import in_words_of, writing
from ville.storage.records.lock import LOCK, SAVING, Lock, is_locked, remove_lock
from ville.storage.recycle_bin import empty_bin

PARTIAL = ".partial"
"""End of the name of a folder that is being filled."""
DELETED = ".deleted"
"""End of the name of a folder that is being deleted."""
CHOSEN_LASTS = 3600.0
"""Seconds for which an empty lock says that `start.py` has chosen a name for a program that is about to begin."""


def partial_folder(target: Path) -> Path:
    """Return the hidden folder in which a folder is filled. Who fills it holds its lock."""
    return target.with_name(f".{target.name}{PARTIAL}")


def name_of(folder: Path) -> str:
    """Return the name of a folder, also while it is being filled."""
    return folder.name.removeprefix(".").removesuffix(PARTIAL) if folder.name.endswith(PARTIAL) else folder.name


def deleted_folder(target: Path) -> Path:
    """Return the hidden folder that a folder becomes when it is deleted, by who holds the lock of the folder."""
    return target.with_name(f".{target.name}{DELETED}")


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Yield a folder to fill. It gets its name when the block ends, or is removed if the block raises.

    What killed programs have left beside it is removed. Raises SimulationInUse if another program is filling it.
    """
    partial = partial_folder(target)
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
    remove_left(target.parent)
    with in_words_of(partial, target):
        lock = Lock(partial)
    with lock, writing(target):
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
        try:
            yield partial
            partial.replace(target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def remove_left(parent: Path) -> None:
    """Remove what killed programs have left unfinished in a folder, and their locks, and what is too old in its bin.
    What a living program fills, deletes or is about to begin stays: it holds the lock.
    """
    empty_bin(parent)
    for folder in parent.glob(f".*{PARTIAL}"):
        if not is_locked(folder):
            _remove_partial(folder, parent / name_of(folder))
    for folder in parent.glob(f".*{DELETED}"):
        if not is_locked(parent / folder.name.removeprefix(".").removesuffix(DELETED)):
            shutil.rmtree(folder, ignore_errors=True)
    for path in (*parent.glob(f".*{LOCK}"), *parent.glob(f".*{SAVING}")):
        with suppress(OSError):
            status = path.lstat()
            if status.st_size or path.suffix != LOCK or time.time() - status.st_mtime > CHOSEN_LASTS:
                remove_lock(path)


def _remove_partial(folder: Path, target: Path) -> None:
    """Rename a folder that is no longer being filled, which takes no time, and then remove it."""
    trash = deleted_folder(folder.with_name(f"{target.name}.{os.getpid()}"))
    with suppress(StorageError, OSError), Lock(folder):
        if not is_locked(target):
            folder.replace(trash)
    shutil.rmtree(trash, ignore_errors=True)
