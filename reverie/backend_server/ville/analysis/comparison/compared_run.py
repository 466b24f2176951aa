"""A saved or compressed simulation, as far as it is compared with another one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

from ville.analysis.measures import NodeData, SavedRun
from ville.errors import BadMoment, CannotWrite, SimulationNotFound
from ville.json_types import Json
from ville.storage.compressed.cast import read_compressed_cast
from ville.storage.compressed.compressed_folder import CompressedFolder, find_compressed
from ville.storage.compressed.compression import META_COPY, read_master
from ville.storage.dates import node_time_text, parse_node_time, time_text
from ville.storage.files import read_object_if_whole
from ville.storage.folder.branches import ancestors
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import find, is_simulation, simulations
from ville.storage.past.moments import NamedMoment, find_moment, split_moment
from ville.storage.records.intervention_log import LOG, RUN_FILE, Row, read_rows
from ville.storage.records.memory_files import PERSONAS, SCRATCH
from ville.storage.records.meta import META, Meta, read_meta
from ville.storage.steps.frames import Frame, FrameChange, changed
from ville.storage.steps.step_files import Position

LEDGER = "ledger.sqlite3"
RUN_KEYS = {"seed": "", "embedder": "", "language": "", "minds": "", "questions": "paper", "thinking": "at_once"}
"""Keys of run.json that decide how a run is computed, with what it means that there is none."""


class ComparedRun(SavedRun):
    """A run as last saved, or until an earlier moment. Its files are read on demand. Raises CorruptFile."""

    def __init__(self, folder: SimulationFolder, moment: NamedMoment | None = None) -> None:
        super().__init__(folder)
        self.folder = folder
        if moment and moment.at is not None:
            self.name = str(moment)
            self.steps = min(self.steps, find_moment(folder.root, moment.at).step)
            self.ends = folder.meta.time_of(self.steps)
        self.compressed = isinstance(folder, CompressedFolder)
        if self.compressed:
            self.people = tuple(dict.fromkeys((*folder.meta.persona_names, *folder.people.names(PERSONAS))))

    @property
    def meta(self) -> Meta:
        return self.folder.meta

    @cached_property
    def first(self) -> int:
        """The first step with a record: a branch begins where its origin was saved."""
        if self.compressed:
            return next((step for step, frame in enumerate(self._frames) if frame), 0)
        return min(self.folder.steps.shown(), default=self.steps)

    @cached_property
    def memories(self) -> dict[str, list[NodeData]]:
        """Memory nodes by persona, oldest first, without those after the moment."""
        every = {name: [_ordered(node) for node in nodes] for name, nodes in super().memories.items()}
        return every if self.steps == self.meta.step else _until(every, self.ends)

    def until(self, step: int) -> Self:
        """Return this run without what comes in a step or later. Those who live there stay the same."""
        cut = copy(self)
        for name in ("rows", "digest", "_frames"):
            vars(cut).pop(name, None)
        cut.steps, cut.ends = step, self.meta.time_of(step)
        vars(cut)["memories"] = _until(self.memories, cut.ends)  # which are not read again
        return cut

    def since(self, step: int) -> Self:
        """Return this run without memories and moves from before a step. Those who live there stay the same."""
        cut = copy(self)
        kept = {name: [node for node in nodes if self.step_of(node) >= step] for name, nodes in self.memories.items()}
        vars(cut).update(memories=kept, first=max(step, self.first))
        vars(cut).pop("digest", None)
        return cut

    @cached_property
    def rows(self) -> list[Row]:
        """Interventions before the last save."""
        return [row for row in read_rows(self.folder.side / LOG) if row["step"] < self.steps]

    @cached_property
    def run_file(self) -> dict[str, Any]:
        """Seed, embedder, language, minds, questions and rules of time."""
        return self.folder.read_side_file(RUN_FILE) or {}

    @cached_property
    def lineage(self) -> tuple[str, ...]:
        """Names of the simulation and what it came from, the nearest first. The last one is a base, was computed with
        another seed, embedder, language or mind, or is not there.
        """
        names, root = [self.folder.name], self.folder.root
        for root, _ in ancestors(self.folder.root):
            names.append(root.name)
            of_ancestor = read_object_if_whole(root / "reverie" / RUN_FILE) or {}
            if any(of_ancestor.get(key) != self.run_file.get(key) for key in RUN_KEYS):
                return tuple(names)
        meta = self.meta if root == self.folder.root else read_meta(root / META)
        return (*names, meta.fork_sim_code)

    @property
    def ledger(self) -> Path | None:
        """Folder of the ledger; None if the rules answered."""
        return self.folder.side if (self.folder.side / LEDGER).exists() else None

    def scratch(self, name: str) -> dict[str, Json]:
        """Return the state of a persona at the last save."""
        return self.folder.people.memory(name, SCRATCH)

    def doings(self, moment: datetime) -> dict[str, str]:
        """Return what each persona did at a time, as `activity @ place`."""
        return {name: record["description"] for name, record in self.frame(self.step_at(moment)).items()}

    def step_at(self, moment: datetime) -> int:
        """Return the step that a game time lies in."""
        return (moment - self.begins) // timedelta(seconds=self.meta.sec_per_step)

    def step_of(self, node: NodeData) -> int:
        """Return the step in which a memory was added."""
        return max(0, self.step_at(parse_node_time(node["created"])))

    def time(self, step: int) -> str:
        """Return the game time of a step, as in the files."""
        return time_text(self.meta.time_of(step))

    def frame(self, step: int) -> Frame:
        """Return what everyone shows in a step; empty if it is not recorded."""
        if self.compressed:
            return self._frames[step] if step < len(self._frames) else {}
        return self.folder.steps.frame(step)[0]

    def movement(self, step: int) -> bytes:
        """Return a movement file as it is, to be compared without being read; empty if there is none."""
        return b"" if self.compressed else self.folder.steps.movement_bytes(step)

    def environment(self, step: int) -> bytes:
        """Return an environment file as it is; empty if there is none, as in compressed simulations."""
        return b"" if self.compressed else self.folder.steps.environment_bytes(step)

    def positions(self, step: int) -> Mapping[str, Position]:
        """Return where everyone stands before a step, as far as it can be read."""
        return self.folder.steps.positions(step)[0]

    @cached_property
    def _frames(self) -> Sequence[Frame]:
        master, _ = read_master(self.folder.root)
        _, stays, _ = read_compressed_cast(self.folder.root)
        changes: dict[int, FrameChange] = {step: dict(change) for step, change in master.items()}
        for name, times in stays.items():
            for _, last in times:
                changes.setdefault(last + 1, {})[name] = None
        return list(_whole_frames(changes, min(self.steps, max(master, default=-1) + 1)))

    @cached_property
    def digest(self) -> str:
        """Short digest of all memory streams until the moment, to be cited."""
        lines = (json.dumps([name, self.memories[name]], sort_keys=True) for name in sorted(self.people))
        return blake2b("\n".join(lines).encode(), digest_size=6).hexdigest()

    def check_unchanged(self) -> None:
        """Raise CannotWrite if the simulation was saved while it was read."""
        if read_meta(self.folder.root / (META_COPY if self.compressed else META)) != self.meta:
            template = "%(folder)s was saved by another program while it was read. Try again."
            raise CannotWrite(template, folder=self.folder.root)


def _ordered(node: NodeData) -> NodeData:
    """Return a memory with its keywords in order: they are a set, which the original engine saves in any order."""
    return {**node, "keywords": sorted(node.get("keywords", ()), key=str)}


def _until(memories: Mapping[str, Sequence[NodeData]], end: datetime) -> dict[str, list[NodeData]]:
    """Return the memories from before a time."""
    last = node_time_text(end)
    return {name: [node for node in nodes if node["created"] < last] for name, nodes in memories.items()}


def _whole_frames(changes: dict[int, FrameChange], steps: int) -> Iterator[Frame]:
    """Yield the frame of each step; the same object while nothing changes."""
    frame: Frame = {}
    for step in range(steps):
        if change := changes.get(step):
            frame = changed(frame, change)
        yield frame


def find_run(storage: Path, compressed: Path, text: str) -> ComparedRun:
    """Return a saved simulation, or else a compressed one; a saved one also until a moment (`two_days@18:00`).

    Raises SimulationNotFound with the known names, BadMoment and CorruptFile.
    """
    moment = split_moment(text)
    name = moment.name
    if is_simulation(storage, name):
        return ComparedRun(find(storage, name), moment)
    replays = sorted(path.parent.name for path in compressed.glob(f"[!.]*/{META_COPY}"))
    if name in replays and moment.at is not None:
        raise BadMoment("%(name)s is compressed: it can only be compared as a whole.", name=name)
    if name in replays:
        return ComparedRun(find_compressed(compressed, name))
    template = "There is no simulation '%(name)s' in %(folder)s. There are: %(known)s."
    known = ", ".join(dict.fromkeys([*simulations(storage), *replays])) or "none"
    raise SimulationNotFound(template, name=name, folder=storage, known=known)
