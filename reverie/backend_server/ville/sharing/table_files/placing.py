"""Put what was written into its place: all of it, or nothing."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ville.errors import CannotWrite
from ville.storage.files import writing

DESCRIPTION = "tables.json"
"""File by which a folder of tables is known, with the meaning of all columns."""


@contextmanager
def placed(path: Path, *, replace: bool) -> Iterator[Path]:
    """Yield a path beside `path` to be written, a file or a folder, and move that there when all is well.

    `replace`: whether what is there may be replaced. Raises CannotWrite.
    """
    check_free(path, replace=replace)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            _remove(partial)
            yield partial
            _move(partial, path)
    finally:
        _remove(partial)


def check_free(path: Path, *, replace: bool) -> None:
    """Raise CannotWrite if something is there that must not be replaced."""
    if not os.path.lexists(path):
        return
    if not replace:
        raise CannotWrite("%(path)s is there already. Name another place with --out, or add --replace.", path=path)
    if path.is_symlink() or (path.is_dir() and not (path / DESCRIPTION).is_file()):
        template = "%(path)s is not a file or folder of tables, and stays as it is. Name another place with --out."
        raise CannotWrite(template, path=path)


def _move(partial: Path, path: Path) -> None:
    """Put a file or folder into its place. A folder cannot take the place of another one: that goes away first."""
    if path.is_dir():
        former = path.with_name(f".{path.name}.{os.getpid()}.former")
        path.replace(former)
        partial.replace(path)
        shutil.rmtree(former)
    else:
        partial.replace(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
