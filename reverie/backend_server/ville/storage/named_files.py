"""Files and folders of results that a user names: written as a whole or not at all, and nothing is replaced unasked."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ville.errors import CannotWrite
from ville.storage.files import writing
from ville.storage.temporary import temporary_folder


def check_free(path: Path, *, replace: bool) -> None:
    """Raise CannotWrite if a file must not be written to a path.

    `replace`: whether a file that is there already may be replaced. A pipe or a device is not replaced: it takes what
    is written.
    """
    if path.is_dir():
        raise CannotWrite("%(path)s is a folder. Name a file.", path=path)
    if not _is_stream(path):
        check_place(path, replace=replace)


def check_place(path: Path, *, replace: bool) -> None:
    """Raise CannotWrite if something is there that must not be replaced, or a file where a folder has to be."""
    if os.path.lexists(path) and not replace:
        raise CannotWrite("%(path)s is there already. Add --replace, or choose another name.", path=path)
    there = next(place for place in path.absolute().parents if os.path.lexists(place))
    if not there.is_dir():
        raise CannotWrite("%(path)s is a file, so nothing can be put into it. Name another place.", path=there)


def _is_stream(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def placed(path: Path) -> Iterator[Path]:
    """Yield a path to be written, a file or a folder, and move that to `path` when all is well.

    Missing folders on the way are made. What killed programs have left beside it is deleted. Raises CannotWrite.
    """
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary_folder(path.parent, f".{path.name}.") as beside:
            partial = beside / "written"
            yield partial
            if path.is_dir():  # a folder cannot take the place of another one: that goes away first
                path.replace(beside / "former")
            partial.replace(path)


def write_named(path: Path, pieces: Iterable[str], *, replace: bool) -> None:
    """Write text to a file that a user has named, or into a pipe. Raises CannotWrite."""
    check_free(path, replace=replace)
    if _is_stream(path):
        with writing(path), path.open("w", encoding="utf-8", newline="") as stream:
            stream.writelines(pieces)
    else:
        with placed(path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
