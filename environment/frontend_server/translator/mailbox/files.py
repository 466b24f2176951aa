"""One file at a time: read tolerantly, written whole or not at all, in the classic serialisation."""

import json
import math
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from translator.errors import Damaged


def pretty(value: Any) -> str:
    """How the classic server writes every file: ASCII, indented by two, no newline at the end (docs/storage.md)."""
    return json.dumps(value, indent=2)


def read_object(path: Path) -> dict[str, Any] | None:
    """What a JSON file says; None if there is none, or while it is being written. Raises Damaged if it cannot be read.

    The classic engine writes in place, so half a file is a file that is not there yet.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"), parse_constant=_no_number, parse_float=_finite)
    except (FileNotFoundError, NotADirectoryError, ValueError, RecursionError):
        return None
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise Damaged(_("%(file)s cannot be read: %(reason)s.") % {"file": path.name, "reason": reason}) from fault
    return value if isinstance(value, dict) else None


def _no_number(_text: str) -> None:
    """NaN and Infinity are not JSON: no browser would read what repeats them."""


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def write_text(path: Path, text: str) -> None:
    """Replace a file at one instant, whoever else replaces it at the same time. Raises Damaged."""
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
    """The numbers of the step files in a folder, in no order; none if there is no folder."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [int(name[:-5]) for name in names if name.endswith(".json") and name[:-5].isdecimal()]
