"""Change single variables of a .env file. Its other lines and comments stay; only its owner can read it afterwards."""

import io
import os
import re
from collections.abc import Mapping
from pathlib import Path

from dotenv.parser import Binding, parse_stream
from filelock import FileLock, Timeout

from ville.errors import BadSetting, CannotWrite
from ville.storage.files import write_text, writing
from ville.storage.folders import env_text, env_variables

OWNER_ONLY = 0o600
PLAIN = re.compile(r"[\w./:@%+,~=-]*", re.ASCII)
"""A value that needs no quotes."""
WAITING = 10.0
"""Seconds to wait while another program changes the file."""


def change_env_file(path: Path, changes: Mapping[str, str]) -> None:
    """Set variables, and remove those whose value is empty. Names are told apart without regard to case, as by readers.

    The file is replaced as a whole, or stays as it was. A link is followed. Raises BadSetting, also for a value that
    would not be read as it is, and CannotWrite.
    """
    file = Path(os.path.realpath(path))
    lock = file.with_name(f"{file.name}.lock")
    with writing(lock):
        try:
            with FileLock(lock, timeout=WAITING):
                _remove_drafts(file)
                write_text(file, _changed(env_text(file), changes, path), fsync=True, mode=OWNER_ONLY)
        except Timeout:
            raise CannotWrite("%(file)s is being changed by another program. Try again.", file=path) from None


def _remove_drafts(file: Path) -> None:
    """Remove what a program that was killed while it wrote has left behind: there are keys in it."""
    for draft in file.parent.glob(f".{file.name}.*.tmp"):
        draft.unlink(missing_ok=True)


def _changed(text: str, changes: Mapping[str, str], path: Path) -> str:
    """Return the text of a .env file with other values. Raises BadSetting unless it says just that when it is read."""
    wanted = {name.upper(): value for name, value in changes.items()}
    before = env_variables(text, path)
    ending = "\r\n" if "\r\n" in text else "\n"
    lines, left = list[str](), dict(wanted)
    for binding in parse_stream(io.StringIO(text)):
        name = (binding.key or "").upper()
        if name not in wanted:
            lines.append(binding.original.string)
        elif name in left:
            value = left.pop(name)
            lines.append(_begin(binding) + _written(value) + ending if value else _unless_set(binding))
    kept = "".join(lines)
    added = [f"{name}={_written(value)}{ending}" for name, value in left.items() if value]
    apart = ending if added and kept and not kept.endswith(("\n", "\r")) else ""
    changed = "".join([kept, apart, *added])
    _check(env_variables(changed, path), before, wanted, path)
    return changed


def _unless_set(binding: Binding) -> str:
    """Return the line of a variable that is set to nothing, to be kept; nothing for another one."""
    return "" if binding.value else binding.original.string


def _begin(binding: Binding) -> str:
    """Return what stands before the value of a variable: empty lines, `export`, its name."""
    found = re.match(r"\s*(export\s+)?[^\s=]+\s*=", binding.original.string)
    return found[0] if found else f"{binding.key}="


def _written(value: str) -> str:
    """Return a value as it stands in the file."""
    if PLAIN.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _check(found: Mapping[str, str], before: Mapping[str, str], wanted: Mapping[str, str], path: Path) -> None:
    """Raise BadSetting unless the wanted variables have their values, and all others those of before."""
    others = {name: value for name, value in found.items() if name.upper() not in wanted}
    kept = others == {name: value for name, value in before.items() if name.upper() not in wanted}
    now = {name.upper(): value for name, value in found.items() if value}
    for name, value in wanted.items():
        if not kept or now.get(name, "") != value:
            raise BadSetting(f"{path}: {name} cannot be set here as its other lines are. Edit the file by hand.")
