"""One file at a time: read tolerantly, written whole or not at all, in the classic serialisation."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from errors import CannotWrite, CorruptFile

TAIL = 4096
"""Bytes at the end of a file among which its closing brace is looked for."""


def pretty(value: Any) -> str:
    """How meta, scratch, environment and movement are written: ASCII, indented by two, no newline at the end."""
    return json.dumps(value, indent=2)


def compact(value: Any) -> str:
    """How memories are written: ASCII, on one line."""
    return json.dumps(value)


def read_json(path: Path) -> Any:
    """What a JSON file says. Raises CorruptFile naming file and line."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
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


def write_text(path: Path, text: str) -> None:
    """Replace a file at one instant; its folder must be there. Raises CannotWrite and leaves what was before."""
    temporary = path.with_name(f".{path.name}.tmp")
    with writing(path):
        try:
            temporary.write_bytes(text.encode())
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise


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
