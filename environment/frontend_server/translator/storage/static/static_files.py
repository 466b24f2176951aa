"""All static files, and the version of their addresses, which changes with every change of a file."""

import hashlib
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders

INTERVAL = 1.0
"""Seconds for which a listing is used without looking at the folders again."""
VERSION_LENGTH = 12

_lock = threading.Lock()
_last: list[tuple[float, object, "StaticListing"]] = []


@dataclass(frozen=True)
class ListedFile:
    """A static file as it was when the folders were listed."""

    path: Path
    size: int
    changed: int
    """Nanoseconds since 1970."""

    @property
    def suffix(self) -> str:
        return self.path.suffix.lower()

    def read(self) -> bytes:
        return self.path.read_bytes()

    @property
    def is_unchanged(self) -> bool:
        try:
            state = self.path.stat()
        except OSError:
            return False
        return (state.st_size, state.st_mtime_ns) == (self.size, self.changed)


@dataclass(frozen=True)
class StaticListing:
    """The static files by name, for example `js/dom.js`. Of files with the same name, the first folder's is listed."""

    files: Mapping[str, ListedFile]

    @cached_property
    def version(self) -> str:
        lines = (f"{name}\0{file.size}\0{file.changed}\n" for name, file in sorted(self.files.items()))
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()[:VERSION_LENGTH]


def listing(*, fresh: bool = False) -> StaticListing:
    """Return the static files as of at most INTERVAL ago; `fresh`: as of now."""
    source = tuple(settings.STATICFILES_DIRS)
    with _lock:
        if _last and not fresh:
            listed, of, known = _last[0]
            if of == source and time.monotonic() - listed < INTERVAL:
                return known
        found = StaticListing(_list_files())
        _last[:] = [(time.monotonic(), source, found)]
        return found


def _list_files() -> dict[str, ListedFile]:
    """Return the files by name, without those to which links lead out of their folder: maps come from others, too."""
    files: dict[str, ListedFile] = {}
    inside: dict[Path, bool] = {}
    resolved = cache(lambda folder: Path(folder).resolve())
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            prefix = getattr(storage, "prefix", None)
            address = f"{prefix}/{name}" if prefix else name
            path, root = Path(storage.path(name)), resolved(storage.path(""))
            if path.parent not in inside:
                inside[path.parent] = path.parent.resolve().is_relative_to(root)
            if not inside[path.parent] or (path.is_symlink() and not path.resolve().is_relative_to(root)):
                continue
            try:
                state = path.stat()
            except OSError:  # deleted meanwhile
                continue
            files.setdefault(address.replace("\\", "/"), ListedFile(path, state.st_size, state.st_mtime_ns))
    return files
