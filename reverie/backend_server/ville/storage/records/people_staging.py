"""One change of a simulation with the files of its people: into the pack, if they are packed."""

from pathlib import Path
from typing import Self

from ville.storage.files import flush, writing
from ville.storage.records.people_files import PeopleFiles
from ville.storage.records.people_pack import PEOPLE, Grown, PackWriter, is_of_people
from ville.storage.records.staging import Staging
from ville.storage.records.vector_rows import beginning_of


class PeopleStaging(Staging):
    """Writes the files of people and others; all are in their places at the end of the `with` block, or none is."""

    def __init__(self, root: Path, grown: dict[str, Grown], *, fsync: bool = False, packs: bool = False) -> None:
        super().__init__(root, fsync=fsync)
        self._people = PeopleFiles(root)
        self._grown = grown
        """Knowledge of packed files from earlier saves."""
        self._packs = packs
        """Whether to pack the files of people that are not packed yet."""
        self._writer: PackWriter | None = None
        self._gone: list[str] = []
        """Beginnings of the names of files that are not packed, because they will be removed."""

    def __enter__(self) -> Self:
        super().__enter__()
        if self._packs or self._people.index:
            self._writer = PackWriter(self._root, self._grown)
        return self

    def __exit__(self, *fault: object) -> None:
        if self._writer:
            self._writer.close()
        super().__exit__(*fault)

    def write_bytes(self, name: str, content: bytes) -> None:
        """Stage the new content of a file."""
        if self._writer and is_of_people(name):
            self._writer.write(name, content)
        else:
            super().write_bytes(name, content)

    def append(self, name: str, length: int, added: bytes) -> None:
        """Append to the first bytes of a file, in the place of what follows.

        A file that no other simulation shares grows in place: what is beyond its length does not count before the
        change is committed.
        """
        path = self._people.path(name)
        if self._writer and name in self._writer.files and self._people.size(name) == length:
            self._writer.append(name, added)
        elif not self._writer and length and path.stat().st_nlink == 1:
            grow(path, length, added, fsync=self.fsync)
        else:
            there = beginning_of(self._people.content(name), length, path) if length else b""
            self.write_bytes(name, there + added)

    def read(self, name: str, start: int, end: int) -> bytes:
        """Return a part of a file as it will be. Raises CorruptFile."""
        if self._writer and name in self._writer.files:
            return self._writer.content(name, start)[: end - start]
        path = self.staged(name) or self._people.path(name)
        with path.open("rb") as file:
            file.seek(start)
            return file.read(end - start)

    def drop(self, name: str) -> None:
        """Leave a file out of the pack."""
        self._gone.append(name)
        if self._writer:
            self._writer.files.pop(name, None)

    def drop_folder(self, folder: str) -> None:
        """Leave the files of a person out of the pack."""
        self._gone.append(f"{folder}/")
        for name in [name for name in self._writer.files if name.startswith(f"{folder}/")] if self._writer else ():
            self.drop(name)

    def commit(self) -> None:
        """Commit the change, and carry it out. Raises CannotWrite."""
        if self._writer:
            self._people.adopt(self._writer, but=self._gone)
            if text := self._writer.finish(fsync=self.fsync):
                self.write(PEOPLE, text)
        super().commit()


def grow(path: Path, length: int, added: bytes, *, fsync: bool) -> None:
    """Append to the first bytes of a file, in the place of what follows. Raises CannotWrite."""
    with writing(path), path.open("r+b") as file:
        file.truncate(length)
        file.seek(length)
        file.write(added)
    flush([path] if fsync else [])
