"""The bin: deleted simulations lie for a day in the hidden folder `.bin` beside the others, and can be restored.

A deletion and a restoration are one renaming each, so that a kill leaves either the one or the other. Only plain
folders with the names that `put_in_bin` gives are looked at; links are never followed.
"""

import os
import re
import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ville.errors import SimulationNotFound
from ville.storage.files import check_no_links, writing

BIN = ".bin"
KEPT = timedelta(days=1)
MOST_OF_A_NAME = 3
"""Deleted simulations of one name that are kept: the newest."""
ENTRY = re.compile(r"(?P<name>[\w-]{1,100})\.(?P<time>\d{8}T\d{12})")
STAMP = "%Y%m%dT%H%M%S%f"
GOING = ".gone"
"""End of the name of an entry that is being removed for good: it cannot be restored any more."""


@dataclass(frozen=True)
class Binned:
    """A deleted simulation."""

    name: str
    deleted: datetime
    """UTC."""
    folder: Path

    @property
    def ends(self) -> datetime:
        """Time from which it is removed for good."""
        return self.deleted + KEPT


def binned(storage: Path) -> list[Binned]:
    """Return what can be restored, the last deleted first."""
    now = datetime.now(UTC)
    return [entry for entry in _entries(storage) if now < entry.ends]


def last_binned(storage: Path, name: str) -> Binned:
    """Return the last deleted simulation of a name. Raises SimulationNotFound with the names in the bin."""
    there = binned(storage)
    for entry in there:
        if entry.name == name:
            return entry
    template = "There is no '%(name)s' in the bin, where simulations are kept for a day. There are: %(known)s."
    known = ", ".join(dict.fromkeys(entry.name for entry in there)) or "none"
    raise SimulationNotFound(template, name=name, known=known)


def put_in_bin(folder: Path) -> Binned:
    """Move a folder into the bin beside it. For who holds its lock. Raises CannotWrite, and CorruptFile for links."""
    storage = folder.parent
    check_no_links(folder, storage)
    check_no_links(storage / BIN, storage)
    with writing(folder):
        (storage / BIN).mkdir(exist_ok=True)
        deleted = datetime.now(UTC)
        target = storage / BIN / f"{folder.name}.{deleted.strftime(STAMP)}"
        folder.replace(target)
    empty_bin(storage)
    return Binned(folder.name, deleted, target)


def take_from_bin(entry: Binned, target: Path) -> None:
    """Give a deleted simulation a name again, which is free. For who holds the lock of that name.

    Raises CannotWrite, also if it was removed meanwhile.
    """
    with writing(target):
        entry.folder.replace(target)


def empty_bin(storage: Path) -> None:
    """Remove for good what was deleted more than a day ago, or before the newest ones of its name."""
    now, seen = datetime.now(UTC), dict[str, int]()
    for entry in _entries(storage):
        seen[entry.name] = seen.get(entry.name, 0) + 1
        if now >= entry.ends or seen[entry.name] > MOST_OF_A_NAME:
            with suppress(OSError):
                entry.folder.replace(entry.folder.with_name(f".{entry.folder.name}{GOING}"))
    for path in _folders(storage):
        if path.name.startswith(".") and path.name.endswith(GOING):
            shutil.rmtree(path, ignore_errors=True)


def _entries(storage: Path) -> list[Binned]:
    """Return everything in the bin, the last deleted first."""
    found = []
    for path in _folders(storage):
        if named := ENTRY.fullmatch(path.name):
            with suppress(ValueError):
                deleted = datetime.strptime(named["time"], STAMP).replace(tzinfo=UTC)
                found.append(Binned(named["name"], deleted, path))
    return sorted(found, key=lambda entry: entry.deleted, reverse=True)


def _folders(storage: Path) -> list[Path]:
    """Return the folders in the bin, without links."""
    folder = storage / BIN
    if folder.is_symlink():
        return []
    with suppress(OSError), os.scandir(folder) as found:
        return [Path(each.path) for each in found if each.is_dir(follow_symlinks=False)]
    return []
