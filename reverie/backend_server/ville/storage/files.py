"""One file at a time: read tolerantly, written whole or not at all, in the classic serialisation."""

import json
import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ville.errors import CannotWrite, CorruptFile

TAIL = 4096
"""Bytes at the end of a file among which its closing brace is looked for."""


def pretty(value: Any) -> str:
    """How meta, scratch, environment and movement are written: ASCII, indented by two, no newline at the end."""
    return json.dumps(value, indent=2)


def compact(value: Any) -> str:
    """How memories are written: ASCII, on one line."""
    return json.dumps(value)


NO_DETOUR = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""How a file is opened that may be a link, or a pipe that nobody writes to."""


def check_plain(root: Path) -> None:
    """Raises CorruptFile for the first thing below a folder that is neither a plain file nor a folder."""
    folders = [str(root)]
    while folders:
        with suppress(FileNotFoundError), os.scandir(folders.pop()) as entries:  # a running backend may remove some
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif not entry.is_file(follow_symlinks=False) and os.path.lexists(entry.path):
                    raise _not_plain(Path(entry.path))


def _not_plain(path: Path) -> CorruptFile:
    return CorruptFile(
        f"{path} is a link, a folder or a device, not a plain file: put a copy of the file in its place."
    )


def _read_plain(path: Path) -> str:
    """Raises CorruptFile for a link or a device: nothing from elsewhere is read, nothing waited for. Raises OSError."""
    if path.is_symlink():
        raise _not_plain(path)
    descriptor = os.open(path, os.O_RDONLY | NO_DETOUR)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _not_plain(path)
        with open(descriptor, encoding="utf-8-sig", closefd=False) as file:
            return file.read()
    finally:
        os.close(descriptor)


def read_json(path: Path) -> Any:
    """What a JSON file says. Raises CorruptFile naming file and line."""
    try:
        return json.loads(_read_plain(path))
    except FileNotFoundError:
        raise CorruptFile(f"{path} is missing: restore it, or fork the simulation again.") from None
    except json.JSONDecodeError as fault:
        raise CorruptFile(f"{path}:{fault.lineno} is no JSON ({fault.msg}): mend that line or restore it.") from None
    except (OSError, ValueError, RecursionError) as fault:
        raise CorruptFile(f"{path} cannot be read ({fault}): restore it from a copy.") from None


def read_object(path: Path) -> dict[str, Any]:
    """As read_json, for the files that hold one object."""
    value = read_json(path)
    if not isinstance(value, dict):
        raise CorruptFile(f"{path}:1 is no JSON object: it should begin with a brace.")
    return value


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns the disk's refusals into CannotWrite."""
    try:
        yield
    except OSError as fault:
        reason = fault.strerror or fault
        raise CannotWrite(f"{path} cannot be written ({reason}): make room for it or mend its permissions.") from fault


def write_text(path: Path, text: str, *, fsync: bool = False) -> None:
    """Replace a file at one instant; its folder must be there. Raises CannotWrite and leaves what was before.

    With `fsync` it is on disk before it has its name, and has its name on disk afterwards.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    with writing(path):
        try:
            temporary.unlink(missing_ok=True)  # or a link of that name would be followed
            with temporary.open("xb") as file:
                file.write(text.encode())
            flush([temporary] if fsync else [])
            temporary.replace(path)
            flush([path.parent] if fsync else [])
        except OSError:
            temporary.unlink(missing_ok=True)
            raise


def flush(paths: Iterable[Path]) -> None:
    """Make sure that these files and folders outlast a loss of power. Raises CannotWrite.

    A folder is flushed for the names in it, where the system can: Windows keeps them by itself.
    """
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
def new_folder(target: Path) -> Iterator[Path]:
    """A folder to fill that appears whole under its name at the end, or not at all."""
    partial = target.with_name(f".{target.name}.partial")
    with writing(target):
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        try:
            yield partial
            partial.replace(target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def append_members(path: Path, members: Mapping[str, Any]) -> None:
    """Add members to a one-line JSON object without reading all of it: the bytes are those of writing it anew.

    Not atomic: meant for staged copies. Raises CorruptFile if the file does not end as an object does.
    """
    if not members:
        return
    with writing(path), path.open("r+b") as file:
        start = max(0, file.seek(0, 2) - TAIL)
        file.seek(start)
        tail = file.read().rstrip()
        body = tail[:-1].rstrip()
        if not tail.endswith(b"}") or not body:
            raise CorruptFile(f"{path} does not end with a brace: restore it, or fork the simulation again.")
        file.seek(start + len(body))
        file.truncate()
        separator = b"" if body.endswith(b"{") else b", "
        file.write(separator + compact(members)[1:].encode())
