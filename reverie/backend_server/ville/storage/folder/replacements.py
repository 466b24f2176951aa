"""One simulation takes the place of another of its name, which goes into the bin.

The new one is there as a whole, in a hidden folder, before the other leaves. A kill in between is mended by the next
program that looks: the name is never without a simulation for long.
"""

import shutil
from contextlib import suppress
from pathlib import Path

from ville.errors import SimulationInUse
from ville.storage.files import writing
from ville.storage.new_folder import deleted_folder
from ville.storage.records.lock import Lock, is_locked
from ville.storage.recycle_bin import put_in_bin

READY = ".ready"
"""End of the name of a hidden folder that is about to take the place of another."""


def replacement_of(root: Path) -> Path:
    """Return the hidden folder in which what takes the place of a simulation is made."""
    return root.with_name(f".{root.name}{READY}")


def replace_simulation(root: Path) -> None:
    """Put a simulation into the bin, and what was made to replace it into its place. For who holds its lock.

    Raises CannotWrite.
    """
    put_in_bin(root)
    with writing(root):
        replacement_of(root).replace(root)


def mend_replacements(storage: Path) -> None:
    """Finish what killed programs have begun to replace, or remove what they have not. Raises CannotWrite."""
    for ready in storage.glob(f".*{READY}"):
        root = storage / ready.name.removeprefix(".").removesuffix(READY)
        if ready.is_symlink() or is_locked(root):
            continue
        with suppress(SimulationInUse), Lock(root), writing(root):
            if not root.exists():
                ready.replace(root)
                continue
            trash = deleted_folder(root)
            shutil.rmtree(trash, ignore_errors=True)
            ready.replace(trash)
            shutil.rmtree(trash, ignore_errors=True)
