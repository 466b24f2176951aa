"""Files of simulations on their way between machines that do not see the same storage: archives, checked when opened.

What comes from another machine is not trusted: an archive has plain files only, and none of them is hidden or outside
of the folder that it is unpacked into.
"""

import io
import sqlite3
import tarfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ville.errors import CorruptFile
from ville.storage.files import writing
from ville.storage.temporary import temporary_folder

DATABASE = ".sqlite3"
BESIDE_DATABASE = ("-wal", "-shm", "-journal")
"""Ends of names of files that belong to a database; a copy of it contains what is in them."""
UNFINISHED = ".tmp"
LEVEL = 1
"""Of compression: step files shrink to a tenth, and higher levels take longer than the network."""
Stamp = tuple[int, ...]
"""Changes whenever a file does."""


@dataclass(frozen=True)
class Change:
    """Change of a folder since the last look."""

    archive: bytes
    """New and changed files."""
    removed: tuple[str, ...]


class ChangedFiles:
    """Tells which files of a folder have changed."""

    def __init__(self, root: Path) -> None:
        """Take the present content as known."""
        self._root = root
        self._known = _stamps(root)

    def change(self) -> Change:
        """Return what has changed since the last call, or since this object was made."""
        now = _stamps(self._root)
        changed = [name for name, stamp in now.items() if self._known.get(name) != stamp]
        removed = tuple(sorted(self._known.keys() - now.keys()))
        self._known = now
        return Change(packed({name: self._root / name for name in changed}), removed)


def files_below(root: Path) -> dict[str, Path]:
    """Return the files of a simulation by their names below its folder; hidden and unfinished ones are left out."""
    found = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*")) if path.is_file()}
    return {name: path for name, path in found.items() if not _is_left_out(name)}


def packed(files: Mapping[str, Path]) -> bytes:
    """Return an archive of files by name. One that has been removed meanwhile is left out."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=LEVEL) as archive:
        for name, path in files.items():
            try:
                content = _database(path) if name.endswith(DATABASE) else path.read_bytes()
            except FileNotFoundError:
                continue
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def unpacked(archive: bytes, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of the files of an archive that is for a folder. Raises CorruptFile."""
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as opened:
            for member in opened:
                tarfile.data_filter(member, str(folder))
                check_names([member.name], folder)
                content = opened.extractfile(member) if member.isreg() else None
                if content is None:
                    raise _refused(member.name, folder)
                yield member.name, content.read()
    except tarfile.FilterError as fault:
        raise _refused(fault.tarinfo.name, folder) from None
    except (tarfile.TarError, EOFError, OSError, zlib.error) as fault:
        template = "What was sent for %(folder)s is damaged (%(fault)s). Run the study again."
        raise CorruptFile(template, folder=folder, fault=fault) from fault


def unpack(archive: bytes, folder: Path) -> None:
    """Write the files of an archive into a folder. Raises CorruptFile and CannotWrite."""
    for name, content in unpacked(archive, folder):
        path = folder / name
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def check_names(names: Iterable[str], folder: Path) -> None:
    """Raise CorruptFile if a file is hidden, or outside of the folder that it is for."""
    for name in names:
        path = PurePosixPath(name)
        if not path.parts or path.is_absolute() or "\\" in name or any(part.startswith(".") for part in path.parts):
            raise _refused(name, folder)


def _refused(name: str, folder: Path) -> CorruptFile:
    template = "'%(name)s' was sent for %(folder)s, and is not a file of a simulation. Nothing was written."
    return CorruptFile(template, name=name, folder=folder)


def _is_left_out(name: str) -> bool:
    hidden = any(part.startswith(".") for part in PurePosixPath(name).parts)
    return hidden or name.endswith((UNFINISHED, *(DATABASE + end for end in BESIDE_DATABASE)))


def _stamps(root: Path) -> dict[str, Stamp]:
    return {name: _stamp(path) for name, path in files_below(root).items()}


def _stamp(path: Path) -> Stamp:
    """Return what changes with a file, or with what belongs to it."""
    beside = (path.with_name(path.name + end) for end in BESIDE_DATABASE[:1])
    found = [each.stat() for each in (path, *beside) if each.exists()]
    return tuple(number for stat in found for number in (stat.st_size, stat.st_mtime_ns, stat.st_ino))


def _database(path: Path) -> bytes:
    """Return the content of a database that may be open, with what it has not yet moved to its main file."""
    with temporary_folder() as folder:
        copy = folder / path.name
        with (
            closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
        return copy.read_bytes()
