"""The files of people in a simulation: each on its own, or those of a large town in one pack."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeVar

from ville.errors import CorruptFile
from ville.json_types import Json
from ville.storage.files import (
    LARGEST_FILE,
    LARGEST_MEMORIES,
    LARGEST_SAVED,
    check_no_links,
    check_size,
    ends_with_brace,
    object_if_whole,
    object_in,
    read_bytes,
    read_object_if_whole,
    read_saved,
    stamp_of,
    unreadable,
    write_bytes,
    writing,
)
from ville.storage.records.memory_files import FORMER, PERSONAS
from ville.storage.records.people_pack import (
    OF_PEOPLE,
    PEOPLE,
    PackIndex,
    PackWriter,
    index_of,
    is_of_people,
    packs,
    read_pieces,
)

ReadT = TypeVar("ReadT")
Version = tuple[object, ...]


@dataclass(frozen=True)
class PeopleFiles:
    """Reads the files of people, by their names relative to the simulation.

    The index of a pack counts: a file that it names and that lies beside it was left by a program that was killed.
    Reading raises CorruptFile.
    """

    root: Path
    """Folder of the simulation."""

    @property
    def index(self) -> PackIndex | None:
        """Index of the pack; None if nothing is packed."""
        return index_of(self.root)

    def folder(self, name: str) -> str:
        """Return the folder of a resident, or of a former resident, relative to the simulation."""
        own, former = f"{PERSONAS}/{name}", f"{FORMER}/{name}"
        return former if self._has_folder(former) and not self._has_folder(own) else own

    def _has_folder(self, folder: str) -> bool:
        index = self.index
        return (index is not None and folder in index.folders) or (self.root / folder).exists()

    def names(self, folder: str) -> list[str]:
        """Return the names of those who have a folder below PERSONAS or FORMER, in order."""
        index = self.index
        packed = {PurePosixPath(each) for each in index.folders} if index else set()
        loose = {path.name for path in (self.root / folder).glob("[!.]*") if path.is_dir()}
        return sorted(loose | {each.name for each in packed if each.parent == PurePosixPath(folder)})

    def below(self, folder: str) -> list[str]:
        """Return the names of all files below a folder, in order, also of those that are never packed."""
        index = self.index
        packed = {name for name in index.files if name.startswith(f"{folder}/")} if index else set()
        return sorted({*packed, *self._loose(folder)}, key=PurePosixPath)

    def _loose(self, folder: str) -> Iterator[str]:
        found = (path for path in (self.root / folder).rglob("*") if path.is_file())
        return (path.relative_to(self.root).as_posix() for path in found)

    def path(self, name: str) -> Path:
        """Return where a file is if it is not packed, for messages."""
        return self.root / name

    def has(self, name: str) -> bool:
        """Return whether there is a file."""
        index = self.index
        return (index is not None and name in index.files) or self.path(name).exists()

    def size(self, name: str) -> int:
        """Return the bytes of a file; 0 if there is none."""
        index = self.index
        if index and name in index.files:
            return sum(piece.size for piece in index.files[name])
        return self.path(name).stat().st_size if self.path(name).exists() else 0

    def weight(self) -> int:
        """Return how many bytes the packed files have as files of their own."""
        index = self.index
        return sum(piece.size for pieces in index.files.values() for piece in pieces) if index else 0

    def version(self, name: str) -> Version:
        """Return what differs when a file has been changed; none if there is no file."""
        index = self.index
        if index and name in index.files:
            return index.files[name]
        stamp = stamp_of(self.path(name))
        return stamp if any(stamp) else ()

    def ends_with_brace(self, name: str) -> bool:
        """Return whether a file ends as a JSON object does. Raises OSError, too."""
        packed = self._packed(name, LARGEST_SAVED)
        return ends_with_brace(self.path(name)) if packed is None else packed.rstrip().endswith(b"}")

    def content(self, name: str, *, most: int = LARGEST_SAVED) -> bytes:
        """Return the content of a file. Raises CorruptFile, also if there is none."""
        packed = self._packed(name, most)
        return read_saved(self.path(name), most=most) if packed is None else packed

    def object(self, name: str, *, most: int = LARGEST_MEMORIES) -> dict[str, Json]:
        """Return the object of a JSON file. Raises CorruptFile, also if there is none."""
        return object_in(self.content(name, most=most), self.path(name))

    def memory(self, name: str, file: str) -> dict[str, Json]:
        """Return the object of a memory file of a person. Raises CorruptFile, also if there is none."""
        return self.object(f"{self.folder(name)}/{file}")

    def object_if_whole(self, name: str, *, most: int = LARGEST_FILE) -> dict[str, Json] | None:
        """Return the object of a JSON file; None if the file is missing, incomplete or holds something else."""
        packed = self._packed(name, most)
        if packed is not None:
            return object_if_whole(packed)
        return read_object_if_whole(self.path(name), self.root, most=most)

    def _packed(self, name: str, most: int) -> bytes | None:
        """Return the content of a packed file; None if it is not packed."""

        def read(index: PackIndex) -> bytes | None:
            if name not in index.files:
                return None
            check_size(self.path(name), sum(piece.size for piece in index.files[name]), most)
            return read_pieces(self.root, index.pack, index.files[name])

        return self._read(read)

    def _read(self, read: Callable[[PackIndex], ReadT]) -> ReadT | None:
        """Return what is read with the index, again if a save has put another pack into its place meanwhile."""
        while index := self.index:
            try:
                return read(index)
            except (CorruptFile, OSError) as fault:
                if (now := self.index) is not None and now.pack == index.pack:
                    raise (
                        unreadable(self.root / "reverie" / index.pack, fault) if isinstance(fault, OSError) else fault
                    ) from None
        return None

    def pack(self, *, fsync: bool = False) -> None:
        """Pack the files that are not. Raises CannotWrite. Killed meanwhile, it leaves what there was."""
        writer = PackWriter(self.root)
        self.adopt(writer)
        self._finish(writer, fsync=fsync)

    def put(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Pack further files. Raises CannotWrite."""
        writer = PackWriter(self.root)
        for name, content in files:
            writer.write(name, content)
        self._finish(writer, fsync=False)

    def _finish(self, writer: PackWriter, *, fsync: bool) -> None:
        if text := writer.finish(fsync=fsync):
            write_bytes(self.root / PEOPLE, text.encode(), fsync=fsync)
        self.tidy()

    def copy_to(self, root: Path, renamed: Callable[[str], str]) -> None:
        """Write all files to another folder, by other names there: in a pack if they are in one here.

        Raises CorruptFile and CannotWrite.
        """
        names = [name for folder in OF_PEOPLE for name in self.below(folder)]
        packed = {name for name in names if is_of_people(name)} if self.index else set()
        for name in names:
            if name not in packed:
                path, content = root / renamed(name), self.content(name)
                with writing(path):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
        if packed:
            PeopleFiles(root).put((renamed(name), self.content(name)) for name in names if name in packed)

    def adopt(self, writer: PackWriter, *, but: Sequence[str] = ()) -> None:
        """Give a pack the files that are not in it, but those whose names begin with one of these."""
        for name in self._own_files():
            if name not in writer.files and not name.startswith(tuple(but)):
                check_no_links(self.path(name), self.root)
                writer.write(name, read_bytes(self.path(name)))

    def _own_files(self) -> list[str]:
        return [name for folder in OF_PEOPLE for name in self._loose(folder) if is_of_people(name)]

    def unpack(self) -> None:
        """Write all packed files as files of their own, byte for byte as they were. Raises CannotWrite.

        Killed meanwhile, it leaves the pack, which counts.
        """
        index = self.index
        for name in index.files if index else ():
            path = self.path(name)
            check_no_links(path.parent, self.root)
            with writing(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.unlink(missing_ok=True)
                path.write_bytes(self.content(name))
        with writing(self.root):
            for path in (self.root / PEOPLE, *packs(self.root)):
                path.unlink(missing_ok=True)

    def tidy(self) -> None:
        """Remove what killed programs have left of a pack, or beside it. Raises CannotWrite."""
        index = self.index
        if index is None and not self.path(PERSONAS).exists():
            return  # an index was lost, and may be restored
        with writing(self.root):
            for path in packs(self.root):
                if index is None or path.name != index.pack:
                    path.unlink()
                elif path.stat().st_nlink == 1:
                    os.truncate(path, index.length)
            for name in [name for name in self._own_files() if index and name in index.files]:
                self.path(name).unlink()
            for folder in OF_PEOPLE if index else ():
                _remove_empty(self.root / folder)


def _remove_empty(folder: Path) -> None:
    """Remove a folder with the folders in it, as far as no file is in them."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            with suppress(OSError):
                path.rmdir()
    with suppress(OSError):
        folder.rmdir()
