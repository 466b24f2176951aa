"""Compressed simulations: one file that holds, for every step, only what changed."""

import json
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ville.errors import CorruptFile, SimulationExists
from ville.json_types import Json
from ville.storage.compressed.cast import CAST, CastEntry, Stay, read_cast
from ville.storage.files import LARGEST_SAVED, append_rows, pretty, read_members, read_parts, read_valid_rows, stamp_of
from ville.storage.flaws import Flaw, name_of, whole_file
from ville.storage.folder.branches import BRANCH
from ville.storage.new_folder import new_folder
from ville.storage.past.checkpoints import CHECKPOINTS
from ville.storage.records.ended_states import ENDED
from ville.storage.records.intervention_log import LOG, RUN_FILE
from ville.storage.records.memory_files import COMMON_SENSE, FACTS, FORMER, MUSINGS, PERSONAS, POLICY
from ville.storage.records.meta import read_meta
from ville.storage.records.own_files import OWN_FILES
from ville.storage.records.people_files import PeopleFiles
from ville.storage.shapes import EndedShape, InterventionShape
from ville.storage.steps.frames import Frame, FrameChange, changes, valid_frame
from ville.storage.steps.step_files import Position
from ville.storage.steps.step_store import StepStore

MASTER = "master_movement.json"
META_COPY = "meta.json"
TO_GO_ON = (
    CHECKPOINTS,
    f"reverie/{BRANCH}",
    "reverie/town.json",
    f"reverie/{POLICY}",
    f"reverie/{FACTS}",
    f"reverie/{MUSINGS}",
    f"reverie/{COMMON_SENSE}",
    "environment/0.json",
)
"""Files that only branches need, named as in a simulation."""
STEP = re.compile(r"[0-9]{1,9}")
_RECORDS = rb'\s*"(?:[^"\\]|\\.)*"\s*:\s*\{\s*"'
FILLED_STEP = re.compile(rb'(?<!\\)"([0-9]{1,9})"\s*:\s*\{' + _RECORDS)
ANY_STEP = re.compile(rb'(?<!\\)"([0-9]{1,9})"\s*:\s*\{(?:\s*\}|' + _RECORDS + rb")")
BEGINNING, END = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{"), re.compile(rb"[{}]\s*\}\s*\}\s*$")
MOVEMENT = re.compile(rb'(?<!\\)"movement"\s*:\s*\[\s*([0-9]{1,6})\s*,\s*([0-9]{1,6})\s*\]')
GLIMPSES, GLIMPSE = 100, 4096
"""Parts of MASTER in which tiles are looked for, and their bytes."""
ENDS = 2**20
"""Bytes of each end of MASTER that are looked at for its first and last step."""
ROW_FILES = {LOG: InterventionShape, ENDED: EndedShape}
"""Files below reverie/ that are beside meta.json in a compressed simulation, and the shape of their rows."""
MOST_STEPS = 2_000_000
"""More than half a year in steps of ten seconds; larger numbers are errors."""


def compress(simulation: Path, target: Path) -> None:
    """Write the compressed form of a simulation as a new folder. Raises StorageError and then leaves no folder."""
    if target.exists():
        raise SimulationExists("%(folder)s is already there. Choose another name, or remove it.", folder=target)
    recorded = recorded_steps(simulation)
    with new_folder(target) as folder:
        (folder / MASTER).write_bytes(recorded.master)
        if recorded.cast:
            (folder / CAST).write_bytes(recorded.cast)
        _copy_beside(simulation, folder, recorded.steps)


class CompressedForm(NamedTuple):
    """All steps of a simulation, as files that hold only what changed."""

    master: bytes
    """Content of MASTER."""
    cast: bytes
    """Content of CAST; empty if everyone is always there."""
    steps: int


def recorded_steps(simulation: Path) -> CompressedForm:
    """Return the steps of a simulation in their compressed form. Raises StorageError."""
    meta = read_meta(simulation / "reverie" / "meta.json")
    steps = StepStore(simulation)
    numbers = steps.shown()
    if not numbers:
        template = "%(folder)s holds no steps. Run the simulation before you compress it."
        raise CorruptFile(template, folder=steps.movement_file(0).parent)
    frames = (_frame(steps, step, meta.persona_names) for step in range(max(numbers) + 1))
    changed = list(changes(frames))
    master = {str(step): _records(change) for step, change in enumerate(changed)}
    cast = _cast(simulation, stays(changed), len(changed))
    return CompressedForm(json.dumps(master, indent=2).encode(), pretty(cast).encode() if cast else b"", len(changed))


def _copy_beside(simulation: Path, folder: Path, steps: int) -> None:
    """Copy what is not about single steps: memories, and with checkpoints what it takes to begin a branch."""
    shutil.copyfile(simulation / "reverie" / "meta.json", folder / META_COPY)
    for name in (RUN_FILE, *OWN_FILES):
        if (file := simulation / "reverie" / name).exists():
            shutil.copyfile(file, folder / name)
    for name in TO_GO_ON:
        copy_if_there(simulation / name, folder / name)
    for name, shape in ROW_FILES.items():
        _copy_rows(simulation / "reverie" / name, folder / name, shape, steps)
    PeopleFiles(simulation).copy_to(folder, _beside_others)


def _beside_others(name: str) -> str:
    """Return the name of a file of people in a compressed simulation: those who moved away are beside the others."""
    return name.replace(f"{FORMER}/", f"{PERSONAS}/", 1) if name.startswith(f"{FORMER}/") else name


def copy_if_there(source: Path, target: Path) -> None:
    """Copy a file or a folder that may be missing."""
    if source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target)
    elif source.exists():
        shutil.copyfile(source, target)


def _copy_rows(source: Path, target: Path, shape: object, steps: int) -> None:
    """Copy the rows of the steps that are shown. A file without any is not written."""
    rows, _ = read_valid_rows(source, source.parent, shape)
    if shown := [row for row in rows if row["step"] < steps]:
        append_rows(target, shown)


def _records(change: FrameChange) -> Frame:
    """Return a change as older readers know it: without those who are no longer in town."""
    return {name: record for name, record in change.items() if record is not None}


def stays(steps: Iterable[FrameChange]) -> dict[str, list[Stay]]:
    """Return when everyone is in town. Those of the first frame that is not empty were there from the beginning."""
    found: dict[str, list[Stay]] = {}
    here: dict[str, int] = {}
    last = 0
    for last, change in enumerate(steps):
        begin = last if found or here else 0
        for name, record in change.items():
            if record is not None:
                here.setdefault(name, begin)
            elif name in here:
                found.setdefault(name, []).append((here.pop(name), last - 1))
    for name, first in here.items():
        found.setdefault(name, []).append((first, last))
    return found


def _cast(simulation: Path, stays: Mapping[str, Sequence[Stay]], steps: int) -> dict[str, Json]:
    """Return the content of cast.json: who came or left, and when. Empty if everyone is always there."""
    known = read_cast(simulation)
    moving = [name for name, times in stays.items() if list(times) != [(0, steps - 1)]]
    names = dict.fromkeys([*known, *moving])
    return {name: {**known.get(name, CastEntry()).as_json(), "here": stays.get(name, [])} for name in names}


def read_master(folder: Path) -> tuple[dict[int, Frame], list[Flaw]]:
    """Read the valid records of a compressed simulation by step, and the flaws of the others.

    Steps without changes may be missing. Raises CorruptFile.
    """
    path = folder / MASTER
    found: list[Flaw] = []
    frames: dict[int, Frame] = {}
    try:
        for step, records in read_members(path, folder, most=LARGEST_SAVED):
            if not STEP.fullmatch(step) or int(step) >= MOST_STEPS:
                found.append(Flaw((step,), "is not a step"))
                continue
            frames[int(step)], wrong = valid_frame(records)
            found += [flaw.within(step) for flaw in wrong]
    except ValueError:
        frames, found = {}, [whole_file(path)]
    return frames, [flaw.of(name_of(path, folder)) for flaw in found]


def master_span(folder: Path) -> range | None:
    """Return the steps from the first with a record to the last, by both ends of the file; None if they do not tell.

    Steps stand there in their order. The quotes within a text are escaped, so that what looks like a step is one.
    Raises CorruptFile for a link.
    """
    try:
        head, tail = read_parts(folder / MASTER, folder, parts=2, length=ENDS)
    except OSError:
        return None
    first = FILLED_STEP.search(head) if BEGINNING.match(head) else None
    last = max(map(_number, ANY_STEP.finditer(tail)), default=-1) if END.search(tail) else -1
    return range(_number(first), last + 1) if first and _number(first) <= last < MOST_STEPS else None


def glimpsed_tiles(folder: Path) -> list[Position]:
    """Return where people stand in records from all over a large file; none if it is quickly read as a whole.

    Raises CorruptFile for a link.
    """
    path = folder / MASTER
    if stamp_of(path)[1] <= GLIMPSES * GLIMPSE:
        return []
    try:
        parts = read_parts(path, folder, parts=GLIMPSES, length=GLIMPSE)
    except OSError:
        return []
    return [(int(x), int(y)) for part in parts for x, y in MOVEMENT.findall(part)]


def _number(step: re.Match[bytes]) -> int:
    return int(step[1])


def _frame(steps: StepStore, step: int, roster: Sequence[str]) -> Frame:
    """Return the frame of a step in the order of the roster. Raises CorruptFile."""
    frame, found = steps.frame(step)
    if found:
        template = "%(what)s Remove the file: the step is then shown as the one before."
        raise CorruptFile(template, what=found[0].of(str(steps.movement_file(step))))
    order = {name: place for place, name in enumerate(roster)}
    return {name: frame[name] for name in sorted(frame, key=lambda name: order.get(name, len(order)))}
