"""`.renamed.json` beside the simulations: which were renamed, so that what is left of a killed program is finished, and
who uses an earlier name is told the present one.

A renaming is noted, carried out, and noted as finished. Its branches name the new origin then, wherever they are.
"""

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ville.errors import CorruptFile, SimulationInUse, StorageError
from ville.storage.files import check_no_links, pretty, read_object_if_whole, write_text, writing
from ville.storage.folder.branches import BRANCH
from ville.storage.records.lock import Lock
from ville.storage.records.meta import META
from ville.storage.records.staging import Staging
from ville.storage.recycle_bin import BIN
from ville.storage.shapes import Text

FILE = ".renamed.json"
MOST_NAMES = 1000
"""Earlier names that are remembered, the last ones."""


class Renaming(BaseModel):
    """One renaming."""

    model_config = ConfigDict(frozen=True, strict=True, populate_by_name=True)

    old: Annotated[Text, Field(alias="from")]
    new: Annotated[Text, Field(alias="to")]
    recordings: Text = ""
    """Folder of the compressed simulations, until it is finished; empty afterwards."""
    finished: bool = False


class RenamesFile(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True)

    renamed: list[Renaming] = []


def present_name(storage: Path, name: str) -> str:
    """Return how a simulation is called now that once had a name; empty if it is not known."""
    later = {each.old: each.new for each in _read(storage)}
    seen = {name}
    while name := later.get(name, ""):
        if (storage / name / META).exists():
            return name
        if name in seen:
            break
        seen.add(name)
    return ""


def mend_renames(storage: Path) -> None:
    """Finish what killed programs have left of a renaming, unless a living one is at it, or has a branch open: then a
    later program does. Raises StorageError.
    """
    if not (storage / FILE).exists() or all(each.finished for each in _read(storage)):
        return
    with suppress(SimulationInUse), renaming_lock(storage):
        for each in _read(storage):
            if not each.finished:
                carry_out(storage, each)


def renaming_lock(storage: Path) -> Lock:
    """Return the lock of who renames a simulation: one at a time. Raises SimulationInUse."""
    return Lock(storage / FILE.removesuffix(".json"))


def carry_out(storage: Path, renaming: Renaming) -> None:
    """Rename a simulation, and let its branches name it. For who holds the lock above.

    Raises SimulationInUse if a program has one of them open, and CannotWrite; it can be carried out again then.
    """
    old, new = storage / renaming.old, storage / renaming.new
    with ExitStack() as held:
        for root in (old, new):
            held.enter_context(Lock(root))
        if old.exists() and new.exists():  # another program has made one of the two meanwhile
            _note(storage, renaming.model_copy(update={"finished": True}))
            return
        branches = [root for root in _branches(storage, renaming.old) if root != new]
        for root in branches:
            held.enter_context(_open_nowhere(root, renaming.old))
        _note(storage, renaming)
        if old.exists():
            with writing(new):
                old.replace(new)
        for root in (new, *branches):
            _name_origin(root, renaming)
        if renaming.recordings:
            for root in _children(Path(renaming.recordings), renaming.old, "meta.json"):
                _name_origin_of_recording(root, renaming)
        _note(storage, renaming.model_copy(update={"finished": True, "recordings": ""}))


def _open_nowhere(branch: Path, origin: str) -> Lock:
    """Return the lock of a branch. Raises SimulationInUse, which says why this matters."""
    try:
        return Lock(branch)
    except SimulationInUse:
        template = "'%(branch)s' is open, and notes that it comes from '%(name)s'. Close it first."
        raise SimulationInUse(template, branch=branch.name, name=origin) from None


def _branches(storage: Path, origin: str) -> Iterator[Path]:
    """Yield the simulations that name this origin, also deleted ones."""
    yield from _children(storage, origin, META)
    if not (storage / BIN).is_symlink():
        yield from _children(storage / BIN, origin, META)


def _children(parent: Path, origin: str, meta: str) -> Iterator[Path]:
    for path in sorted(parent.glob(f"[!.]*/{meta}")):
        root = path.parents[meta.count("/")]
        if not root.is_symlink() and origin != root.name and origin in _origins(root, path):
            yield root


def _origins(root: Path, meta: Path) -> set[object]:
    """Return the origins that the files of a simulation name."""
    with suppress(CorruptFile):
        files = (read_object_if_whole(meta, root) or {}, read_object_if_whole(root / "reverie" / BRANCH, root) or {})
        return {files[0].get("fork_sim_code"), files[1].get("from")}
    return set()


def _name_origin(root: Path, renaming: Renaming) -> None:
    """Replace the origin in the two files of a simulation, both at once. Raises CannotWrite."""
    with suppress(CorruptFile):
        changed = _changed(root, renaming, {META: "fork_sim_code", f"reverie/{BRANCH}": "from"})
        if changed:
            with Staging(root) as staging:
                for file, text in changed.items():
                    staging.write(file, text)
                staging.commit()


def _name_origin_of_recording(root: Path, renaming: Renaming) -> None:
    for file, text in _changed(root, renaming, {"meta.json": "fork_sim_code", f"reverie/{BRANCH}": "from"}).items():
        check_no_links(root / file, root)
        write_text(root / file, text)


def _changed(root: Path, renaming: Renaming, keys: dict[str, str]) -> dict[str, str]:
    """Return the new texts of the files that name the origin by its earlier name. Raises CorruptFile."""
    texts = {}
    for file, key in keys.items():
        values = read_object_if_whole(root / file, root) or {}
        if values.get(key) == renaming.old:
            texts[file] = pretty({**values, key: renaming.new})
    return texts


def _read(storage: Path) -> list[Renaming]:
    """Return all renamings, the oldest first; none if the file is damaged."""
    try:
        return RenamesFile.model_validate(read_object_if_whole(storage / FILE, storage) or {}).renamed
    except (StorageError, ValidationError):
        return []


def _note(storage: Path, renaming: Renaming) -> None:
    """Write the renaming as the last one, instead of earlier ones of the same name. Raises CannotWrite."""
    others = [each for each in _read(storage) if each.old != renaming.old]
    kept = [each.model_dump(mode="json", by_alias=True) for each in (*others, renaming)[-MOST_NAMES:]]
    write_text(storage / FILE, pretty({"renamed": kept}))
