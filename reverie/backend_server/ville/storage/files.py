"""Read and write single files: plain files only, written as a whole or not at all, in the format of docs/storage.md."""

import json
import math
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_native_id
from typing import Any, BinaryIO

from ville.errors import CannotWrite, CorruptFile, ReverieError, put_right
from ville.json_types import Json, JsonObject
from ville.storage.flaws import NO_OBJECT, Flaw, flaws, name_of
from ville.storage.json_members import members

TAIL = 4096
"""Bytes at the end of a file that are searched for its closing brace."""
LARGEST_FILE = 16 * 2**20
"""Bytes of a file that a user names (settings, prices, histories, maps), and of a file of a simulation that does not
grow with it."""
LARGEST_MEMORIES = 2**28
"""Bytes of the other memory files: half a million memories of one person."""
LARGEST_SAVED = 2**30
"""Bytes of a file of a simulation: the vectors of forty days with the largest embedders."""


def pretty(value: Json) -> str:
    """Return JSON as in meta, scratch, environment and movement files: ASCII, indented by two, no final newline."""
    return json.dumps(value, indent=2)


def compact(value: Json) -> str:
    """Return JSON as in memory files: ASCII, on one line."""
    return json.dumps(value)


_PLAIN_ONLY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags for opening a path that may be a link, or a pipe without a writer."""


MOST_NAMED = 20
"""Files that a message names."""
Stamp = tuple[int, int]
"""Time of the last change in nanoseconds and size of a file: what was read of it holds while they are the same."""


def stamp_of(path: Path) -> Stamp:
    """Return the stamp of a file; zeros if there is none."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def check_plain(root: Path) -> None:
    """Raise CorruptFile, which names all of them, if things below a folder are neither plain files nor folders."""
    wrong = sorted(_not_plain_below(root))
    if len(wrong) == 1:
        raise _not_plain(wrong[0], wrong[0].lstat().st_mode)
    if wrong:
        template = "%(files)s are links, devices or pipes. Put copies of what they lead to in their place."
        listed = ", ".join(map(str, wrong[:MOST_NAMED]))
        raise CorruptFile(template, files=f"{listed} …" if wrong[MOST_NAMED:] else listed)


def _not_plain_below(root: Path) -> Iterator[Path]:
    folders = [str(root)]
    while folders:
        with suppress(FileNotFoundError), os.scandir(folders.pop()) as entries:  # a running backend may remove some
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif not entry.is_file(follow_symlinks=False) and os.path.lexists(entry.path):
                    yield Path(entry.path)


def check_no_links(path: Path, root: Path) -> None:
    """Raise CorruptFile if a path below `root`, or a folder on the way to it, is a link."""
    for place in (path, *path.parents):
        if place == root:
            return
        if place.is_symlink():
            raise _not_plain(place, stat.S_IFLNK)


def check_plain_file(path: Path) -> None:
    """Raise CorruptFile if there is something at a path that is not a plain file."""
    with suppress(FileNotFoundError):
        mode = path.lstat().st_mode
        if not stat.S_ISREG(mode):
            raise _not_plain(path, mode)


def _not_plain(path: Path, mode: int) -> CorruptFile:
    """Return the error for what is there instead of a plain file; `mode` is its `st_mode`."""
    if stat.S_ISDIR(mode):
        return CorruptFile("%(file)s is a folder, not a plain file. Name a file, or put one in its place.", file=path)
    if stat.S_ISLNK(mode):
        return CorruptFile("%(file)s is a link. Put a copy of what it leads to in its place.", file=path)
    return CorruptFile("%(file)s is a device or a pipe, not a plain file. Put a file in its place.", file=path)


def read_bytes(path: Path, root: Path | None = None, *, most: int = LARGEST_SAVED) -> bytes:
    """Return the content of a plain file. With `root`, folders between the two may not be links either.

    Raises CorruptFile for links, pipes and devices, without waiting for them; for a file of more than `most` bytes,
    without reading it; and OSError.
    """
    check_no_links(path, root or path.parent)
    return _content(path, _PLAIN_ONLY, most)


def _content(path: Path, flags: int, most: int) -> bytes:
    with _opened(path, flags) as (file, size):
        check_size(path, size, most)
        content = file.read(most + 1)
    check_size(path, len(content), most)  # some files of the system have no size
    return content


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[tuple[BinaryIO, int]]:
    """Open a plain file, and tell its size."""
    descriptor = os.open(path, os.O_RDONLY | flags)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _not_plain(path, status.st_mode)
        with open(descriptor, "rb", closefd=False) as file:
            yield file, status.st_size
    finally:
        os.close(descriptor)


@contextmanager
def opened_plain(path: Path, root: Path) -> Iterator[BinaryIO]:
    """Open a plain file below a folder to read parts of it. Raises as `read_bytes` does."""
    check_no_links(path, root)
    with _opened(path, _PLAIN_ONLY) as (file, _):
        yield file


def read_parts(path: Path, root: Path, *, parts: int, length: int) -> list[bytes]:
    """Return so many parts of a plain file, evenly spaced from its beginning to its end; they overlap in a short one.

    Raises as `read_bytes` does.
    """
    check_no_links(path, root)
    with _opened(path, _PLAIN_ONLY) as (file, size):
        return [_part(file, max(0, size - length) * number // (parts - 1), length) for number in range(parts)]


def _part(file: BinaryIO, start: int, length: int) -> bytes:
    file.seek(start)
    return file.read(length)


def check_size(path: Path, size: int, most: int) -> None:
    """Raise CorruptFile if a file has more bytes than are allowed."""
    if size > most:
        template = "%(file)s has %(size)s bytes; at most %(most)s are allowed. Make it smaller."
        raise CorruptFile(template, file=path, size=f"{size:,}", most=f"{most:,}")


def read_file(path: Path, *, most: int = LARGEST_FILE) -> bytes:
    """Return the content of a file that a user has named. Links are followed.

    Raises OSError, and CorruptFile for folders, pipes and devices, without waiting for them, and for more than `most`
    bytes.
    """
    return _content(path, _PLAIN_ONLY & ~getattr(os, "O_NOFOLLOW", 0), most)


def read_text(path: Path, *, most: int = LARGEST_FILE) -> str:
    """Return its text, in UTF-8. Raises as `read_file` does, and UnicodeDecodeError."""
    return read_file(path, most=most).decode("utf-8-sig")


def read_saved(path: Path, *, most: int = LARGEST_SAVED) -> bytes:
    """Return the content of a file that belongs to a simulation. Raises CorruptFile, also if there is none."""
    try:
        return read_bytes(path, most=most)
    except FileNotFoundError:
        raise CorruptFile("%(file)s is missing. Restore it, or fork the simulation again.", file=path) from None
    except OSError as fault:
        raise unreadable(path, fault) from None


def read_json(path: Path, *, most: int = LARGEST_SAVED) -> Json:
    """Return the value of a JSON file. Raises CorruptFile naming file and line."""
    return json_in(read_saved(path, most=most), path)


def json_in(content: bytes, path: Path) -> Json:
    """Return the value of the content of a JSON file. Raises CorruptFile naming file and line."""
    try:
        value: Json = json.loads(content.decode("utf-8-sig"))
    except json.JSONDecodeError as fault:
        template = "%(file)s:%(line)s is not JSON (%(reason)s). Fix that line, or restore the file."
        raise CorruptFile(template, file=path, line=fault.lineno, reason=fault.msg) from None
    except (ValueError, RecursionError) as fault:
        raise unreadable(path, fault) from None
    return value


def read_object(path: Path, *, most: int = LARGEST_SAVED) -> dict[str, Json]:
    """Return the object of a JSON file. Raises CorruptFile."""
    return object_in(read_saved(path, most=most), path)


def object_in(content: bytes, path: Path) -> dict[str, Json]:
    """Return the object of the content of a JSON file. Raises CorruptFile."""
    value = json_in(content, path)
    if not isinstance(value, dict):
        raise CorruptFile("%(file)s:1 is not a JSON object. It should begin with a brace.", file=path)
    return value


def ends_with_brace(path: Path) -> bool:
    """Return whether a file ends as a JSON object does, without reading the rest of it. Raises OSError."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - TAIL))
        return file.read().rstrip().endswith(b"}")


def read_object_if_whole(path: Path, root: Path | None = None, *, most: int = LARGEST_FILE) -> dict[str, Json] | None:
    """Return the object of a JSON file; None if the file is missing, incomplete or holds something else.

    Older engines write in place, so that half a file may be on disk for a moment. NaN and Infinity are read as None,
    because browsers do not read them. Raises CorruptFile as `read_bytes` does, and if the system cannot read the file.
    """
    try:
        return object_if_whole(read_bytes(path, root, most=most))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as fault:
        raise unreadable(path, fault) from fault


def object_if_whole(content: bytes) -> dict[str, Json] | None:
    """Return the object of the content of a JSON file, as `read_object_if_whole` does."""
    try:
        value = _for_browsers().decode(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_members(path: Path, root: Path, *, most: int) -> Iterator[tuple[str, Json]]:
    """Yield the members of the object that `read_object_if_whole` returns, one after the other.

    Other threads go on meanwhile: they cannot while the json module reads a large value. Raises ValueError where the
    file turns out not to hold a JSON object, or is missing, and CorruptFile.
    """
    try:
        yield from members(read_bytes(path, root, most=most).decode("utf-8-sig"), _for_browsers())
    except (FileNotFoundError, NotADirectoryError, RecursionError) as fault:
        raise ValueError(str(fault)) from None
    except OSError as fault:
        raise unreadable(path, fault) from fault


def _for_browsers() -> json.JSONDecoder:
    """Return what reads JSON without the numbers that browsers do not read."""
    return json.JSONDecoder(parse_constant=lambda _: None, parse_float=_finite)


def unreadable(path: Path, fault: Exception) -> CorruptFile:
    """Return the error that a file cannot be read."""
    reason = fault.strerror if isinstance(fault, OSError) else fault
    return CorruptFile("%(file)s cannot be read (%(reason)s). Restore it from a copy.", file=path, reason=reason)


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn OSError into CannotWrite."""
    try:
        yield
    except OSError as fault:
        template = "%(file)s cannot be written (%(reason)s). Make room for it, or correct its folder or permissions."
        raise CannotWrite(template, file=path, reason=fault.strerror or fault) from fault


def write_text(path: Path, text: str, *, fsync: bool = False, mode: int = 0o666) -> None:
    """Replace a file atomically, also while others replace it. Its folder must exist. Raises CannotWrite.

    With `fsync`, content and name are on disk afterwards. `mode`: who may read and write it, less what the system keeps
    from all new files.
    """
    write_bytes(path, text.encode(), fsync=fsync, mode=mode)


def write_bytes(path: Path, content: bytes, *, fsync: bool = False, mode: int = 0o666) -> None:
    """Replace a file by bytes, as `write_text` does. Raises CannotWrite."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{get_native_id()}.tmp")
    with writing(path):
        try:
            temporary.unlink(missing_ok=True)  # left by a process that was killed, or a link
            with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
                file.write(content)
            flush([temporary] if fsync else [])
            temporary.replace(path)
            flush([path.parent] if fsync else [])
        except OSError:
            temporary.unlink(missing_ok=True)
            raise


def link_or_copy(source: Path, target: Path) -> None:
    """Give a file that is only ever replaced as a whole another name in another folder, without copying it. Where the
    file system has no such links, or no more of this file, it is copied. Raises OSError.
    """
    try:
        os.link(source, target)
    except (OSError, NotImplementedError):
        shutil.copyfile(source, target)


def flush(paths: Iterable[Path]) -> None:
    """Write files and folders to the disk itself (fsync). Raises CannotWrite. Skips folders on Windows."""
    for path in paths:
        if path.is_dir() and os.name == "nt":
            continue
        with writing(path):
            descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


@contextmanager
def in_words_of(hidden: Path, shown: Path, *, written: Path | None = None) -> Iterator[None]:
    """Let errors about a hidden or temporary folder name the one that it is a copy of: there they can be corrected.

    What cannot be written is named as in `written`.
    """
    try:
        yield
    except ReverieError as fault:
        known = written if written and isinstance(fault, CannotWrite) else shown
        put_right(fault, {str(hidden): str(known), hidden.name: known.name})
        raise


Row = dict[str, Any]
"""It fits the shape of its file."""


def read_valid_rows(path: Path, root: Path, shape: object) -> tuple[list[Row], list[Flaw]]:
    """Return the rows that fit a shape, and the flaws of the others; none if the file is missing.

    The last line may be incomplete: it is left out. Raises CorruptFile for a link.
    """
    try:
        lines = read_bytes(path, root).split(b"\n")[:-1]
    except OSError:
        return [], []
    rows: list[Row] = []
    found: list[Flaw] = []
    for number, line in enumerate(lines, 1):
        row, wrong = _row(line, shape)
        rows += [row] if row is not None else []
        found += [flaw.of(f"{name_of(path, root)}:{number}") for flaw in wrong[:1]]
    return rows, found


def _row(line: bytes, shape: object) -> tuple[Row | None, list[Flaw]]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None, [Flaw((), NO_OBJECT)]
    found = flaws(shape, row)
    return (None if found else row), found


def append_rows(path: Path, rows: Iterable[JsonObject]) -> None:
    """Append rows. An incomplete line at the end, left by a program that was killed, is ended first.

    Raises CannotWrite.
    """
    text = b"".join(compact(row).encode() + b"\n" for row in rows)
    with writing(path), path.open("ab+") as file:
        if file.tell():
            file.seek(-1, 2)
            text = text if file.read(1) == b"\n" else b"\n" + text
        file.write(text)
