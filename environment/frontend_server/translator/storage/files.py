"""One file at a time: read tolerantly, written whole or not at all, in the classic serialisation."""

import json
import math
import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from translator.errors import Damaged

NO_DETOUR = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""How a file is opened that may be a link, or a pipe that nobody writes to."""


def pretty(value: Any) -> str:
    """How the classic server writes every file: ASCII, indented by two, no newline at the end (docs/storage.md)."""
    return json.dumps(value, indent=2)


def read_object(path: Path) -> dict[str, Any] | None:
    """What a JSON file says; None if there is none, or while it is being written. Raises Damaged if it cannot be read.

    The classic engine writes in place, so half a file is a file that is not there yet.
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except (FileNotFoundError, NotADirectoryError, ValueError, RecursionError):
        return None
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise Damaged(_("%(file)s cannot be read: %(reason)s.") % {"file": path.name, "reason": reason}) from fault
    return value if isinstance(value, dict) else None


def read_bytes(path: Path) -> bytes:
    """Raises OSError, and Damaged for what is not a plain file: nothing from elsewhere is shown, nothing waited for."""
    check_way(path)
    descriptor = os.open(path, os.O_RDONLY | NO_DETOUR)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _not_plain(path)
        with open(descriptor, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(descriptor)


def check_way(path: Path) -> None:
    """Raises Damaged if a file of a simulation, or a folder on the way to it, is a link: an archive may bring some."""
    for shelf in (settings.STORAGE, settings.COMPRESSED_STORAGE):
        if path.is_relative_to(shelf):
            inside = path.relative_to(shelf).parts[1:]
            for place in (path, *path.parents)[: len(inside)]:
                if place.is_symlink():
                    raise _not_plain(place)


def _not_plain(path: Path) -> Damaged:
    reason = _("%(file)s cannot be read: it is a link, a folder or a device. Put a plain file or folder there.")
    return Damaged(reason % {"file": path.name})


def _no_number(_text: str) -> None:
    """NaN and Infinity are not JSON: no browser would read what repeats them."""


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def write_text(path: Path, text: str) -> None:
    """Replace a file at one instant, whoever else replaces it at the same time. Raises Damaged."""
    check_way(path.parent)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode())
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise Damaged(_("%(file)s cannot be written: %(reason)s.") % {"file": path.name, "reason": reason}) from fault


def numbers(folder: Path) -> Iterable[int]:
    """The numbers of the step files in a folder, in no order; none if there is no folder. Raises Damaged."""
    check_way(folder)
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [int(name[:-5]) for name in names if name.endswith(".json") and name[:-5].isdecimal()]
