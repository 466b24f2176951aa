"""Change many files atomically.

New files are written to a hidden folder. When all are complete, a marker is written beside them: this commits the
change. The next program that opens the folder finishes a committed change, and removes an uncommitted one. So the
process may be killed at any moment. With `fsync` the machine may fail, too: then files and folders are on disk before
the marker is written, and again before it is removed.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from ville.errors import CannotWrite, CorruptFile
from ville.storage.files import compact, flush, read_json, write_text, writing
from ville.storage.records.lock import between_saves

FOLDER = ".save"
MARKER = "commit.json"


class Staging:
    """One change of a folder: write, commit, and at the end of the `with` block it is complete or undone."""

    def __init__(self, root: Path, *, fsync: bool = False) -> None:
        self._root = root
        self.fsync = fsync
        """Whether the change is on disk afterwards."""
        self._folder = root / FOLDER
        self._files: list[str] = []

    def __enter__(self) -> Self:
        recover(self._root)
        return self

    def __exit__(self, *_: object) -> None:
        recover(self._root, fsync=self.fsync)

    def path(self, name: str) -> Path:
        """Return where to write the new content of a file, named relative to the root and with slashes."""
        staged = self._folder / name
        with writing(staged):
            staged.parent.mkdir(parents=True, exist_ok=True)
        self._files.append(name)
        return staged

    def write(self, name: str, text: str) -> None:
        """Stage the new text of a file."""
        self.write_bytes(name, text.encode())

    def write_bytes(self, name: str, content: bytes) -> None:
        """Stage the new content of a file."""
        staged = self.path(name)
        with writing(staged):
            staged.write_bytes(content)

    def staged(self, name: str) -> Path | None:
        """Return where the new content of a file is; None if it stays as it is."""
        return self._folder / name if name in self._files else None

    def commit(self) -> None:
        """Commit the change, and carry it out. Raises CannotWrite, also if another program has removed staged files."""
        if not self._files:
            return
        self._check_complete()
        if self.fsync:
            files = [self._folder / name for name in self._files]
            flush([*files, *_folders_of(files, self._root)])
        with between_saves(self._root):
            write_text(self._folder / MARKER, compact(self._files), fsync=self.fsync)
            _carry_out(self._root, fsync=self.fsync)

    def _check_complete(self) -> None:
        # A program that opens the folder in spite of the lock takes the change for one that was interrupted.
        if not all((self._folder / name).exists() for name in self._files):
            template = (
                "%(folder)s was opened by another program while it was being saved, so the last save is unchanged. "
                "Close it there, then save again."
            )
            raise CannotWrite(template, folder=self._root)


def is_torn(root: Path) -> bool:
    """Return whether some files of a folder may be replaced already, and others not yet: it is being changed, or that
    was interrupted.
    """
    return (root / FOLDER / MARKER).exists()


def recover(root: Path, *, fsync: bool = False) -> None:
    """Finish a change that was committed, remove one that was not. Does nothing if there is none."""
    if (root / FOLDER).exists():
        with between_saves(root):
            _carry_out(root, fsync=fsync)


def recover_held(root: Path) -> None:
    """Do the same inside `between_saves`."""
    _carry_out(root)


def _carry_out(root: Path, *, fsync: bool = False) -> None:
    folder = root / FOLDER
    marker = folder / MARKER
    with writing(root):
        if marker.exists():
            names = _names(marker)
            for name in names:
                _move(folder / name, root / name)
            if fsync:
                flush(_folders_of([root / name for name in names], root))
            marker.unlink()
        if folder.exists():
            shutil.rmtree(folder)


def _names(marker: Path) -> list[str]:
    """Return the files of a change. Raises CorruptFile if one of them is outside of the folder."""
    names = read_json(marker)
    if not isinstance(names, list) or not all(isinstance(name, str) and _inside(Path(name)) for name in names):
        template = "%(file)s does not list files of this simulation. Remove the folder %(folder)s."
        raise CorruptFile(template, file=marker, folder=marker.parent)
    return names


def _inside(name: Path) -> bool:
    return not name.anchor and ".." not in name.parts


def _folders_of(files: Iterable[Path], root: Path) -> list[Path]:
    """Return the folders from these files up to the root: new names may have been added to them."""
    return sorted({folder for file in files for folder in file.parents if folder == root or root in folder.parents})


def _move(staged: Path, path: Path) -> None:
    """Move a staged file to its place, unless that was done before."""
    if staged.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        staged.replace(path)
