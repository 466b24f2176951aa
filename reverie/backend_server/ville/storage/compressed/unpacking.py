"""A compressed simulation as a saved one again: what it shows, and who remembers what at its end."""

import shutil
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from ville.errors import CorruptFile, SimulationExists
from ville.storage.compressed.cast import Stay, read_compressed_cast
from ville.storage.compressed.compression import MASTER, META_COPY, ROW_FILES, TO_GO_ON, copy_if_there, read_master
from ville.storage.dates import time_text
from ville.storage.files import check_plain, pretty, read_object_if_whole
from ville.storage.new_folder import new_folder
from ville.storage.records.intervention_log import APPLIED, LOG, RUN_FILE, read_rows
from ville.storage.records.memory_files import FORMER, PERSONAS
from ville.storage.records.meta import META, Meta, read_meta
from ville.storage.records.own_files import OWN_FILES
from ville.storage.records.people_files import PeopleFiles
from ville.storage.steps.frames import Frame, changed, tile_of
from ville.storage.steps.hour_pack import HOUR
from ville.storage.steps.step_files import (
    EnvironmentWriter,
    MovementWriter,
    MoveRecord,
)
from ville.storage.steps.step_store import StepStore

BESIDE = (RUN_FILE, *OWN_FILES, *ROW_FILES)
"""Files below reverie/ that are beside meta.json in a compressed simulation."""


def unpack_once(compressed: Path, target: Path, *, packs: bool = False) -> None:
    """Make a compressed simulation a saved one, unless that was done before. Raises StorageError."""
    if not (target / META).exists():
        unpack(compressed, target, packs=packs)
        return
    recorded, saved = read_meta(compressed / META_COPY), read_meta(target / META)
    same = (recorded.fork_sim_code, recorded.start) == (saved.fork_sim_code, saved.start)
    if not same or saved.step < recorded.step:
        template = "%(name)s is also the name of another saved simulation. Rename one of the two folders."
        raise SimulationExists(template, name=target.name)


def unpack(compressed: Path, target: Path, *, packs: bool = False) -> None:
    """Write a compressed simulation as a new saved one, in the shapes of a run, with complete hours packed or not.

    If it does not have the positions before the first step, they are those after it. Raises StorageError, and then
    leaves no folder.
    """
    check_plain(compressed)
    meta = read_meta(compressed / META_COPY)
    with new_folder(target) as folder:
        (folder / META).parent.mkdir()
        shutil.copyfile(compressed / META_COPY, folder / META)
        for name in BESIDE:
            if (compressed / name).exists():
                shutil.copyfile(compressed / name, folder / "reverie" / name)
        _count_rows(folder)
        for name in TO_GO_ON:
            copy_if_there(compressed / name, folder / name)
        PeopleFiles(compressed).copy_to(folder, partial(_where, set(meta.persona_names)))
        _write_steps(compressed, folder, meta, packs=packs)


def _where(residents: Collection[str], name: str) -> str:
    """Return the name of a file of people in a simulation: those who moved away are in a folder of their own."""
    folder, person, *rest = name.split("/")
    return name if folder != PERSONAS or person in residents else "/".join((FORMER, person, *rest))


def _count_rows(folder: Path) -> None:
    """Take from the number of interventions those of the step that was to come: they are not in a compressed one."""
    path, rows = folder / "reverie" / RUN_FILE, read_rows(folder / "reverie" / LOG)
    run = read_object_if_whole(path, folder) or {}
    saved = run.get(APPLIED)
    if isinstance(saved, int) and saved > len(rows):
        path.write_bytes(pretty(run | {APPLIED: len(rows)}).encode())


def _write_steps(compressed: Path, folder: Path, meta: Meta, *, packs: bool) -> None:
    moves, places = MovementWriter(), EnvironmentWriter(meta.maze_name)
    steps = StepStore(folder)
    steps.prepare()
    begins = steps.places(0)
    for step, frame in enumerate(frames_of(compressed)):
        records = {name: _move(frame, name) for name in frame}
        text = moves.text(records, time_text(meta.time_of(step)))
        steps.write_movement(step, text)
        standing = places.text({name: move.movement for name, move in records.items()})
        steps.write_environment(step + 1, standing)
        if step == 0 and not begins:
            steps.write_environment(0, standing)
        if packs and (step + 1) % HOUR == 0:
            steps.pack(step + 1)


def _move(frame: Frame, name: str) -> MoveRecord:
    """Return the record of a person as the writer takes it."""
    record = frame[name]
    chat = None if record["chat"] is None else tuple((speaker, words) for speaker, words in record["chat"])
    return MoveRecord(tile_of(record), record["pronunciatio"], record["description"], chat)


def frames_of(compressed: Path) -> Iterator[Frame]:
    """Yield what everyone in town shows in each step. Raises CorruptFile."""
    known, flaws = read_master(compressed)
    if flaws or not known:
        template = "%(what)s Compress the simulation again."
        raise CorruptFile(template, what=flaws[0] if flaws else f"{compressed / MASTER} holds no steps.")
    _, stays, wrong = read_compressed_cast(compressed)
    if wrong:
        raise CorruptFile("%(what)s Compress the simulation again.", what=wrong[0])
    frame: Frame = {}
    for step in range(max(known) + 1):
        frame = changed(frame, dict(known.get(step, {})))
        yield {name: record for name, record in frame.items() if _is_here(step, stays.get(name))}


def _is_here(step: int, stays: Sequence[Stay] | None) -> bool:
    """Return whether a person is in town in a step. Those who neither came nor left have no stays."""
    return stays is None or any(first <= step <= last for first, last in stays)
