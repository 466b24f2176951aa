"""Content by which two simulations are the same, however they came about."""

from pathlib import Path

NAMING_ORIGIN = ("meta.json", "branch.json")
"""Files that say what a simulation was forked from."""


def content_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a simulation without those that name its origin, and checkpoints, which tell of its saves."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    same = (name for name, path in files.items() if path.name not in NAMING_ORIGIN and "/checkpoints/" not in name)
    return {name: files[name].read_bytes() for name in same}
