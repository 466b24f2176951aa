"""The folder with all simulations: which there are, how one begins as a copy of another, how one ends."""

import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ville.errors import BadSimulationName, CannotWrite, SimulationExists, SimulationInUse, SimulationNotFound
from ville.storage.files import check_plain, new_folder, pretty, read_object, writing
from ville.storage.lock import Lock
from ville.storage.meta import Meta, read_meta
from ville.storage.simulation_folder import META, SimulationFolder
from ville.storage.staging import recover, under_way

NAME = re.compile(r"[\w-]+")
LEDGER = "ledger."


def simulations(storage: Path) -> list[str]:
    """Every simulation that can be forked or resumed, by name."""
    return sorted(path.parent.parent.name for path in storage.glob(f"[!.]*/{META}"))


def find(storage: Path, name: str) -> SimulationFolder:
    """A simulation as it stands on disk. Raises SimulationNotFound with the names there are, and CorruptFile.

    All of it must lie in its folder: one from elsewhere may hold links that lead to files of the system.
    """
    known = simulations(storage)
    if name not in known:
        raise SimulationNotFound(
            f"There is no simulation '{name}' in {storage}. There are: {', '.join(known) or 'none'}."
        )
    check_plain(storage / name)
    return SimulationFolder(storage / name)


def resume(storage: Path, name: str) -> SimulationFolder:
    """A simulation as it was last saved, ready to go on."""
    folder = find(storage, name)
    folder.recover()
    return folder


def check_name(name: str) -> None:
    """Raises BadSimulationName."""
    if not NAME.fullmatch(name):
        raise BadSimulationName(f"'{name}' cannot name a simulation: use letters, digits, '-' and '_' only.")


def check_new(storage: Path, name: str) -> None:
    """Raises BadSimulationName or SimulationExists if no new simulation can have this name."""
    check_name(name)
    if (storage / name).exists():
        raise SimulationExists(
            f"There is already a simulation '{name}' in {storage}: choose another name, or give '{name}' twice "
            "to go on with it."
        )


def fork(storage: Path, origin: str, name: str) -> SimulationFolder:
    """A new simulation that begins where another was last saved. It is there whole or not at all."""
    check_new(storage, name)
    source = find(storage, origin).root
    with suppress(SimulationInUse), Lock(source):  # what a living backend lays out is no unfinished save
        recover(source)
    begun = _last_save(source)
    with new_folder(storage / name) as folder:
        for file in _belongings(source):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / file, folder / file)
        if _last_save(source) != begun:
            raise CannotWrite(f"{source} was saved by another program while it was copied: fork it again.")
        meta = read_object(folder / META)
        (folder / META).write_bytes(pretty({**meta, "fork_sim_code": origin}).encode())
    return resume(storage, name)


def _last_save(source: Path) -> Meta:
    """Raises CannotWrite while there is no telling what is of it and what is of the next."""
    if under_way(source):
        raise CannotWrite(f"{source} is being saved by another program: fork it again.")
    return read_meta(source / META)


def _belongings(source: Path) -> Iterator[Path]:
    """The files that a fork takes along, relative to the simulation.

    Not the steps after the last save, not what the telephone answered, nothing hidden or half-written.
    """
    step = read_meta(source / META).step
    steps = {"movement": step, "environment": step + 1}
    for path in source.rglob("*"):
        file = path.relative_to(source)
        hidden = any(part.startswith(".") for part in file.parts)
        beyond = path.stem.isdecimal() and file.parts[0] in steps and int(path.stem) >= steps[file.parts[0]]
        if path.is_file() and not hidden and not beyond and not path.name.startswith(LEDGER):
            yield file


def delete(folder: SimulationFolder) -> None:
    """Take a simulation off the disk; at no instant is half of it left under its name."""
    trash = folder.root.with_name(f".{folder.name}.deleted")
    with writing(folder.root):
        shutil.rmtree(trash, ignore_errors=True)
        folder.root.replace(trash)
        shutil.rmtree(trash)
