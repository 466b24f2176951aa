"""Make a simulation smaller: drop its past moments, or vectors that it does not use, or keep only a recording of it.

What is lost is said before.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ville.errors import CorruptFile, SimulationNeeded
from ville.storage.compressed.compression import compress
from ville.storage.files import writing
from ville.storage.folder.branches import read_branch
from ville.storage.folder.storage import unchanged
from ville.storage.keeping.housekeeping import Form, Housekeeping
from ville.storage.keeping.needed import check_not_needed
from ville.storage.keeping.sizes import size_of
from ville.storage.past.checkpoints import CHECKPOINTS, stems
from ville.storage.records.kept_vectors import KEPT, kept_embedders, remove_kept
from ville.storage.records.lock import Lock
from ville.storage.records.memory_files import FORMER, PERSONAS
from ville.storage.records.meta import META, read_meta
from ville.storage.records.people_files import PeopleFiles
from ville.storage.steps.step_store import StepStore

Way = Literal["moments", "vectors", "recording"]
RECORDED = 0.1
"""Share of the movement files that a recording takes, about: it holds only what changes."""


@dataclass(frozen=True)
class Shrinking:
    """One way to make a simulation smaller."""

    way: Way
    saves: int
    """Bytes that become free; of a recording about so many, once the bin is emptied."""
    moments: int = 0
    """Checkpoints of earlier moments that are dropped, from which branches could begin."""
    embedders: tuple[str, ...] = ()
    """Embedders, not in use now, whose vectors are dropped: when one is used again, they have to be made again."""
    branches: tuple[str, ...] = ()
    """Its branches, of which a recording no longer tells what they have in common with it."""


def ways(house: Housekeeping, name: str, form: Form | None = None) -> list[Shrinking]:
    """Return how a simulation or recording can be made smaller. Raises StorageError."""
    form = house.form_of(name, form)
    root = house.root_of(name, form)
    found = []
    if moments := stems(root):
        found.append(Shrinking("moments", size_of(root / CHECKPOINTS), len(moments)))
    if embedders := kept_embedders(root):
        found.append(Shrinking("vectors", size_of(root / KEPT), embedders=tuple(embedders)))
    if form == "saved" and read_meta(root / META).step and not (house.recordings / name).exists():
        kept = sum(size_of(root / part) for part in (PERSONAS, FORMER, CHECKPOINTS)) + PeopleFiles(root).weight()
        saves = max(0, size_of(root) - kept - int(RECORDED * StepStore(root).weight()))
        found.append(Shrinking("recording", saves, branches=tuple(_branches(house.storage, name))))
    return found


def _branches(storage: Path, name: str) -> Iterator[str]:
    for path in sorted(storage.glob(f"[!.]*/{META}")):
        with suppress(CorruptFile):  # a damaged one is not the matter of this one
            branch = read_branch(path.parents[1])
            if branch and branch.origin == name:
                yield path.parents[1].name


def shrink(house: Housekeeping, name: str, way: Way, form: Form | None = None) -> None:
    """Make a simulation smaller that no program has open. Raises StorageError; nothing is lost then.

    One that becomes a recording lies in the bin for a day.
    """
    form = house.form_of(name, form)
    root = house.root_of(name, form)
    if way not in {each.way for each in ways(house, name, form)}:
        raise SimulationNeeded("'%(name)s' cannot be made smaller in this way.", name=name)
    check_not_needed(house.storage, house.studies, name)
    with Lock(root):
        if way == "moments":
            _drop_moments(root)
            return
        if way == "vectors":
            _drop_vectors(root)
            return
        with unchanged(root):
            compress(root, house.recordings / name)
    house.delete(name, "saved")


def drop_all_but_minds(root: Path) -> None:
    """Remove all of a simulation that nobody needs to ask its people as of its last save: its steps, and earlier
    moments. Whoever holds its lock may be killed meanwhile, and does it again. Raises CannotWrite.

    What says that there are steps goes last.
    """
    _drop_moments(root)
    _drop_vectors(root)
    StepStore(root).keep_only_positions(read_meta(root / META).step)


def _drop_moments(root: Path) -> None:
    """Remove the checkpoints, the last one first: each needs only those before it, so that the others stay whole."""
    for stem in reversed(stems(root)):
        with writing(root / stem.file):
            (root / stem.file).unlink(missing_ok=True)


def _drop_vectors(root: Path) -> None:
    """Remove the vectors that are not in use."""
    files = sorted((root / KEPT).glob("*/*"))
    remove_kept(root, [path.relative_to(root).as_posix() for path in files])
