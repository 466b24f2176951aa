"""The pools of another project, which are only read: no lock is taken, and a torn file stays where it is."""

from pathlib import Path

from ville.errors import CorruptFile
from ville.storage.exchange.public_pool import ACTIONS, EMBEDDINGS, LARGEST, OWN, SUBTASKS, Pool
from ville.storage.files import read_object_if_whole


def pool_files(root: Path) -> list[Path]:
    """Return the files of the pools in a folder."""
    files = [
        root / EMBEDDINGS,
        *(path for name in (SUBTASKS, ACTIONS, OWN) for path in sorted((root / name).glob("*.json"))),
    ]
    return [path for path in files if path.is_file()]


def read_pool(path: Path) -> Pool | None:
    """Return the content of a file; None if it is missing, torn, far too large or a link."""
    try:
        return read_object_if_whole(path, path.parent.parent, most=LARGEST)
    except CorruptFile:
        return None
