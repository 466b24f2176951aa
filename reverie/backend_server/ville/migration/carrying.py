"""Carries out the plan of a migration: each thing is brought whole or not at all, and the old folder is only read."""

import asyncio
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from ville.assembly import model_choice
from ville.assembly.new_vectors import made_line, needed_vectors
from ville.errors import CannotWrite, ReverieError, SavedMeanwhile
from ville.migration.brought_note import key_of, write_note
from ville.migration.map_folder import MapFolder
from ville.migration.migration_plan import Transfer
from ville.migration.pool_files import pool_files, read_pool
from ville.migration.reading import reading
from ville.migration.recorded import Recorded
from ville.settings import Settings
from ville.simulation.re_embed import re_embed
from ville.storage.exchange.public_pool import (
    ACTIONS,
    EMBEDDINGS,
    OWN,
    SUBTASKS,
    PersonaPools,
    Pool,
    PublicFolder,
    PublicPools,
)
from ville.storage.files import flush, in_words_of, writing
from ville.storage.folder.copying import copy_files
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.new_folder import new_folder
from ville.storage.records.staging import FOLDER as SAVING
from ville.storage.records.staging import recover

ROOM_TO_WORK = 50_000_000
"""Bytes that should be free beside what is copied."""


def check_room(target: Path, size: int) -> None:
    """Raise CannotWrite if the disk of a folder has no room for this many bytes."""
    there = next(folder for folder in (target, *target.parents) if folder.exists())
    free = shutil.disk_usage(there).free
    if free < size + ROOM_TO_WORK:
        template = (
            "%(folder)s has %(free)s MB free, but %(size)s MB are to be copied. Make room, or set VILLE_FS_STORAGE."
        )
        raise CannotWrite(template, folder=target, free=free // 10**6, size=(size + ROOM_TO_WORK) // 10**6)


def carry(transfer: Transfer, settings: Settings) -> Sequence[str]:
    """Bring one thing. Return lines that are worth telling. Raises a ReverieError; there is nothing new then."""
    match transfer.kind:
        case "map":
            MapFolder(transfer.source).bring(transfer.target)
        case "history":
            _carry_file(transfer)
        case "pools":
            return _carry_pools(transfer, settings)
        case _:
            return _carry_recorded(transfer, settings)
    return ()


def _carry_file(transfer: Transfer) -> None:
    part = transfer.target.with_name(f".{transfer.target.name}.part")
    with writing(transfer.target):
        shutil.copyfile(transfer.source, part)
        part.replace(transfer.target)


def _carry_recorded(transfer: Transfer, settings: Settings) -> Sequence[str]:
    """Copy a simulation or a replay, byte for byte but for the name of its map, and add vectors that cost nothing."""
    source = Recorded(transfer.source)
    with new_folder(transfer.target) as folder, in_words_of(folder, transfer.source, written=transfer.target):
        _copy(source.root, folder, _files(source.root), transfer.target)
        if key_of(source) != transfer.key:
            template = "%(folder)s was saved by another program while it was copied. Leave it there, and try again."
            raise SavedMeanwhile(template, folder=source.root)
        recover(folder)
        copy = Recorded(folder)
        if copy.meta.maze_name != transfer.maze:
            copy.play_on(transfer.maze)
        write_note(copy, source, transfer.key)
        told = () if copy.is_replay else asyncio.run(_with_vectors(folder, transfer.target.name, settings))
    flush([transfer.target.parent] if settings.fsync else [])
    return told


def _copy(source: Path, folder: Path, files: Iterable[Path], target: Path) -> None:
    """Copy files. Raises CorruptFile for one that cannot be read, and CannotWrite."""
    with writing(target), reading(source):
        copy_files(source, folder, files)


def _files(root: Path) -> list[Path]:
    """Return the files of a simulation, relative to it; of hidden ones only a save that was cut off."""
    tops = (path for path in root.iterdir() if path.name == SAVING or not path.name.startswith("."))
    return [path.relative_to(root) for top in tops for path in (top, *top.rglob("*")) if path.is_file()]


async def _with_vectors(root: Path, name: str, settings: Settings) -> Sequence[str]:
    """Make vectors for memories that have none, if that costs nothing and replaces nothing: a fork makes its own."""
    with suppress(ReverieError):  # what is damaged says the proof
        folder = SimulationFolder(root)
        folder.name = name
        needed = needed_vectors(settings, folder)
        if needed is None:
            return ()
        if needed.needs_consent:
            return (f"{needed.notice} You are asked when you fork it.",)
        if not needed.missing.replaced:
            embedder = model_choice.local_embedder(settings)
            made = await re_embed(folder, embedder)
            return (made_line(name, embedder.name, made),) if made else ()
        return (f"{name} keeps its vectors of {needed.missing.replaced}; a fork gets those of {needed.embedder}, too.",)
    return ()


def _carry_pools(transfer: Transfer, settings: Settings) -> Sequence[str]:
    """Add to our pools what they lack."""
    files = [path for path in pool_files(transfer.source) if path.parent != transfer.source]
    personas = {path.stem: PersonaPools(*_pools_of(transfer.source, path.stem)) for path in files}
    ours = PublicFolder(settings.fs_storage)
    ours.add(PublicPools(personas, read_pool(transfer.source / EMBEDDINGS) or {}))
    return ours.notes


def _pools_of(root: Path, name: str) -> Iterator[Pool]:
    yield from (read_pool(root / folder / f"{name}.json") or {} for folder in (SUBTASKS, ACTIONS, OWN))
