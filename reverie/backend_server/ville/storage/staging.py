"""Many files changed at one instant.

New files are laid out in a hidden folder. When all are there, a marker is put beside them; from that instant the change
has happened, and whoever comes next carries it out to the end. Before it has not, and whoever comes next throws the
hidden folder away. This holds against the death of the process, and against that of the machine if `fsync` is set: then
files and folders are on disk before the marker is, and in their places before it goes.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from ville.errors import CannotWrite, CorruptFile
from ville.storage.files import compact, flush, read_json, write_text, writing

FOLDER = ".save"
MARKER = "commit.json"


class Staging:
    """One change to a folder: write, commit, and at the end of the `with` it has happened or has left no trace."""

    def __init__(self, root: Path, *, fsync: bool = False) -> None:
        self._root = root
        self._fsync = fsync
        self._folder = root / FOLDER
        self._files: list[str] = []

    def __enter__(self) -> Self:
        recover(self._root)
        return self

    def __exit__(self, *_: object) -> None:
        recover(self._root, fsync=self._fsync)

    def path(self, name: str) -> Path:
        """Where to write what shall become the file of this name (relative to the root, with slashes)."""
        staged = self._folder / name
        with writing(staged):
            staged.parent.mkdir(parents=True, exist_ok=True)
        self._files.append(name)
        return staged

    def write(self, name: str, text: str) -> None:
        staged = self.path(name)
        with writing(staged):
            staged.write_bytes(text.encode())

    def commit(self) -> None:
        """The instant at which the change happens. Raises CannotWrite if somebody has cleared what was laid out."""
        if self._files:
            self._check_complete()
            if self._fsync:
                files = [self._folder / name for name in self._files]
                flush([*files, *_folders_of(files, self._root)])
            write_text(self._folder / MARKER, compact(self._files), fsync=self._fsync)

    def _check_complete(self) -> None:
        """Another program that opens the same folder in spite of its lock takes a change for one of the dead."""
        if not all((self._folder / name).exists() for name in self._files):
            raise CannotWrite(
                f"{self._root} was opened by another program while it was being saved: the last save stands. "
                "Close it there, then save again."
            )


def under_way(root: Path) -> bool:
    """Whether somebody is changing a folder, or died doing so."""
    return (root / FOLDER).exists()


def recover(root: Path, *, fsync: bool = False) -> None:
    """Carry out a change that has its marker, throw away one that has not; nothing to do if there is none."""
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
    """The files of a change. Raises CorruptFile for one that lies elsewhere: nobody but us has to write there."""
    names = read_json(marker)
    if not isinstance(names, list) or not all(isinstance(name, str) and _inside(Path(name)) for name in names):
        raise CorruptFile(f"{marker} does not list files of this simulation: remove the folder {marker.parent}.")
    return names


def _inside(name: Path) -> bool:
    return not name.anchor and ".." not in name.parts


def _folders_of(files: Iterable[Path], root: Path) -> list[Path]:
    """Every folder from these files up to the root, which may have got a new name in it."""
    return sorted({folder for file in files for folder in file.parents if folder == root or root in folder.parents})


def _move(staged: Path, path: Path) -> None:
    """Put a staged file in its place, unless that was done before."""
    if staged.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        staged.replace(path)
