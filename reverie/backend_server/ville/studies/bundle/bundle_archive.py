"""The archive of a bundle: a zip file whose bytes follow from its files, and which is read as if an enemy had sent it.

Its comment is a digest of all other bytes, so that no byte can be changed unnoticed, not even one of a header.
"""

import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from ville.errors import BadBundle
from ville.storage.files import writing

MARK = b"sha256:"
COMMENT = len(MARK) + sha256().digest_size * 2
"""Bytes of the comment of an archive."""
LENGTH = 2
"""Bytes of the length of a comment, before it."""
MOST_FILES = 1_000_000
LARGEST_FILE = 2**30
MOST_BYTES = 2**33
"""Of all files of a bundle, unpacked."""
MOST_SHRUNK = 400
"""How much smaller a file can have become: ours become fifty times smaller at most."""
FREE = 2**20
"""Bytes up to which a file may have shrunk as it likes."""
MODE = (stat.S_IFREG | 0o644) << 16
UNIX = 3
AS_WRITTEN = {"create_system": UNIX, "external_attr": MODE, "compress_type": zipfile.ZIP_DEFLATED}
"""Fields of each entry: the same on all systems."""
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time that all files have."""
UNREADABLE = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, EOFError, OSError, OverflowError, ValueError,
    NotImplementedError, RuntimeError,
)  # fmt: skip
"""Raised for damaged archives: by their directory, by an offset that no file has, by a method that is not there."""
RESERVED = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]|[. ]$')
"""Characters that some system does not have in names."""


def write_archive(path: Path, files: Iterable[tuple[str, bytes]]) -> str:
    """Write the files as an archive, as a whole or not at all; return its digest. Raises CannotWrite."""
    partial = path.with_name(f".{path.name}.partial")
    with writing(path):
        try:
            with partial.open("wb") as file, zipfile.ZipFile(file, "w") as archive:
                for name, content in files:
                    archive.writestr(_entry(name), content, zipfile.ZIP_DEFLATED, compresslevel=6)
            _seal(partial)
            digest = file_digest(partial)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    return digest


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file as a hexadecimal number."""
    state = sha256()
    with path.open("rb") as file:
        while piece := file.read(2**20):
            state.update(piece)
    return state.hexdigest()


def _entry(name: str) -> zipfile.ZipInfo:
    """Return an entry that says nothing of this machine."""
    entry = zipfile.ZipInfo(name, EARLIEST)
    for key, value in AS_WRITTEN.items():
        setattr(entry, key, value)
    return entry


def _seal(path: Path) -> None:
    """Add the digest of an archive as its comment."""
    with path.open("r+b") as file:
        size = file.seek(0, 2) - LENGTH
        mark = MARK + _digest_of(file, size)
        file.seek(size)
        file.write(struct.pack("<H", len(mark)) + mark)


def _digest_of(file: BinaryIO, size: int) -> bytes:
    """Return the digest of the first bytes of an open file."""
    state = sha256()
    file.seek(0)
    while size > 0:
        piece = file.read(min(size, 2**20))
        if not piece:
            break
        state.update(piece)
        size -= len(piece)
    return state.hexdigest().encode()


class BundleArchive:
    """Reads one archive. Its names and sizes are checked before anything is unpacked."""

    def __init__(self, path: Path) -> None:
        """Raises BadBundle for what is no archive, and for one that would write elsewhere or fill the disk."""
        self._path = path
        try:
            self._archive = zipfile.ZipFile(path)
        except FileNotFoundError:
            raise BadBundle(f"There is no file {path}. Name an archive that 'study.py bundle' has written.") from None
        except UNREADABLE as fault:
            raise BadBundle(f"{path.name} cannot be read as an archive ({fault}). Get it again.") from None
        self._entries = self._archive.infolist()
        self._check()

    def close(self) -> None:
        self._archive.close()

    def _check(self) -> None:
        if len(self._entries) > MOST_FILES:
            raise self._refused(f"{len(self._entries):,} files, more than {MOST_FILES:,}")
        if sum(entry.file_size for entry in self._entries) > MOST_BYTES:
            raise self._refused(f"more than {MOST_BYTES:,} bytes when it is unpacked")
        known: set[str] = set()
        for entry in self._entries:
            if fault := _fault(entry):
                raise self._refused(fault)
            if entry.filename.casefold() in known:
                raise self._refused(f"the file '{entry.filename}' twice")
            known.add(entry.filename.casefold())

    def _refused(self, fault: str) -> BadBundle:
        return BadBundle(f"{self._path.name} is not opened: it has {fault}. No bundle of the Ville has that.")

    @property
    def names(self) -> list[str]:
        """Names of the files, in their order."""
        return [entry.filename for entry in self._entries]

    def read(self, name: str) -> bytes:
        """Return the content of a file. Raises BadBundle if it is damaged, or longer than it says."""
        entry = self._archive.getinfo(name)
        try:
            with self._archive.open(entry) as file:
                content = file.read(entry.file_size + 1)
        except UNREADABLE as e:
            raise BadBundle(f"{name}: cannot be unpacked ({e})") from None
        if len(content) != entry.file_size:
            raise BadBundle(f"{name}: has another length than the archive says")
        return content

    def faults(self) -> Iterator[str]:
        """Yield what was changed in the archive around its files: headers, directory, comment."""
        with self._path.open("rb") as file:
            size = file.seek(0, 2) - COMMENT - LENGTH
            digest = _digest_of(file, size)
            file.seek(max(0, size))
            end = file.read()
            if end == struct.pack("<H", COMMENT) + MARK + digest:
                return
            if end[: LENGTH + len(MARK)] != struct.pack("<H", COMMENT) + MARK:
                yield f"{self._path.name}: the digest at its end is missing or damaged"
                return
            wrong = [entry.filename for entry in self._entries if not self._has_its_header(file, entry)]
        yield from (f"{name}: its entry in the archive was changed" for name in wrong)
        if not wrong:
            yield f"{self._path.name}: it is not the archive that was written: its digest is another one"

    def _has_its_header(self, file: BinaryIO, entry: zipfile.ZipInfo) -> bool:
        """Return whether the header before a file, and its row of the directory, are as we write them."""
        mine = _entry(entry.filename)
        mine.CRC, mine.file_size, mine.compress_size = entry.CRC, entry.file_size, entry.compress_size
        mine.flag_bits = 0 if entry.filename.isascii() else entry.flag_bits
        try:
            expected = mine.FileHeader(zip64=False)
            file.seek(entry.header_offset)
            same = file.read(len(expected)) == expected
        except UNREADABLE:
            return False
        names = ("date_time", "create_system", "create_version", "extract_version", "external_attr", "internal_attr")
        written = _entry(entry.filename)
        return same and all(getattr(entry, name) == getattr(written, name) for name in names) and not entry.comment


def _fault(entry: zipfile.ZipInfo) -> str:
    """Return why an entry is refused; empty if it is not."""
    name, mode = entry.filename, entry.external_attr >> 16
    parts = name.split("/")
    odd_form = entry.flag_bits & 1 or entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
    growth = entry.file_size // max(1, entry.compress_size)
    faults = {
        f"the file {name!r}, which would lie elsewhere": any(not part or part.startswith(".") for part in parts),
        f"the file {name!r}, whose name not every system can have": any(RESERVED.search(part) for part in parts),
        f"{name!r}, which is not a plain file": bool(mode) and not stat.S_ISREG(mode),
        f"the file {name!r} in a form that is not ours": odd_form,
        f"the file {name!r} of {entry.file_size:,} bytes": entry.file_size > LARGEST_FILE,
        f"the file {name!r}, which grows {growth:,} times when unpacked": entry.file_size > FREE
        and growth > MOST_SHRUNK,
    }
    return next((fault for fault, is_so in faults.items() if is_so), "")
