"""Temporary folders that outlive no program: the next one deletes those of programs that were killed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir, mkstemp

from filelock import FileLock, Timeout

from ville.storage.records.lock import LOCK, release

PREFIX = "ville-"


@contextmanager
def temporary_folder(parent: Path | None = None, prefix: str = PREFIX) -> Iterator[Path]:
    """Yield a new folder, and delete it afterwards; before, delete those that killed programs have left there.

    `parent`: where it is made, if not where the system keeps temporary files. A lock beside the folder says that its
    program runs. Raises OSError.
    """
    place = parent or Path(gettempdir())
    _delete_left(place, prefix)
    descriptor, name = mkstemp(prefix=prefix, suffix=LOCK, dir=place)
    os.close(descriptor)
    lock = FileLock(name)
    lock.acquire()
    folder = Path(name.removesuffix(LOCK))
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        release(lock, Path(name))


def _delete_left(place: Path, prefix: str) -> None:
    """Delete folders whose programs have ended without doing so. Those of other users stay."""
    for path in place.glob(f"{prefix}*{LOCK}"):
        lock = FileLock(path, timeout=0)
        with suppress(Timeout, OSError):
            lock.acquire()
            shutil.rmtree(path.with_name(path.name.removesuffix(LOCK)), ignore_errors=True)
            release(lock, path)
