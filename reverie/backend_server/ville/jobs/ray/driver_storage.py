"""The storage of the program that runs a study, for workers on machines that do not see it.

Such a worker is sent what its job begins with, and brings back what it has saved. A job belongs to the worker that was
given it last: what another one still brings, on a machine that was taken for lost, is refused.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Protocol

from ville.errors import SimulationInUse
from ville.jobs.job_run import PAUSE, TRIES
from ville.jobs.ray.carried_files import Change, check_names, files_below, packed, unpack, unpacked
from ville.llm.accounting.ledger import INTERVIEWS
from ville.storage.files import write_text, writing
from ville.storage.folder.branches import BRANCH, LEDGER, read_branch, with_ledger
from ville.storage.folder.storage import find, unchanged
from ville.storage.new_folder import new_folder
from ville.storage.past.moments import split_moment
from ville.storage.records.lock import Lock
from ville.storage.records.meta import META
from ville.storage.records.staging import Staging, recover

MARK = ".seen-"
"""Beginning of the name of a file that marks the storage."""
MARK_LASTS = 30 * 86400.0
"""Seconds after which such a file counts as left by a program that was killed."""
ANSWERS = (META, f"reverie/{BRANCH}", f"reverie/{LEDGER}")
"""Files to send of the origins of a simulation: a branch may take their answers."""
ASKED = (*ANSWERS, f"reverie/{INTERVIEWS}")
"""Those of runs whose answers are taken: also to questions of the study."""


@dataclass(frozen=True)
class SentJob:
    """Job as its worker reports it, to be sent its beginning."""

    worker: str
    simulation: str
    origin: str
    """With the step."""
    request: str


class Courier(Protocol):
    """Carries files between a worker and the program that runs the study."""

    async def send(self, job: SentJob) -> bytes:
        """Return an archive of what a job begins with."""
        ...

    async def take(self, job: SentJob, change: Change) -> None:
        """Put what a worker has saved into its place."""
        ...


class StorageMark:
    """A hidden file by which a machine recognizes the storage of the program that runs a study."""

    def __init__(self, storage: Path) -> None:
        """Write the file, and remove those that killed programs have left long ago. Raises CannotWrite."""
        for path in storage.glob(f"{MARK}*"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > MARK_LASTS:
                    path.unlink()
        self.name = f"{MARK}{token_hex(16)}"
        self._path = storage / self.name
        write_text(self._path, "")

    def remove(self) -> None:
        with suppress(OSError):
            self._path.unlink()


class DriverStorage:
    """Sends from the storage and writes into it. What is carried out on another machine is locked here meanwhile."""

    def __init__(self, storage: Path) -> None:
        self._storage = storage
        self._workers: dict[str, str] = {}
        """Simulation to the worker that has its job."""
        self._answering: dict[str, Sequence[str]] = {}
        """Simulation to those whose answers it takes, beside those of its origins."""
        self._locks: dict[str, Lock] = {}

    async def begin(self, simulation: str, worker: str, answering: Sequence[str] = ()) -> None:
        """Note who has a job from now on, and the simulations whose answers it takes."""
        self._workers[simulation] = worker
        self._answering[simulation] = answering

    async def end(self, simulation: str) -> None:
        """Note that no worker has a job any more."""
        self._workers.pop(simulation, None)
        if lock := self._locks.pop(simulation, None):
            lock.release()

    async def send(self, job: SentJob) -> bytes:
        """Return an archive of the simulation as far as it was brought back, or of its origin. Raises StorageError."""
        self._check(job)
        root = self._storage / job.simulation
        await self._lock(root)
        if root.exists():
            recover(root)
        name = job.simulation if root.exists() else split_moment(job.origin).name
        source = find(self._storage, name).root
        with unchanged(source):
            files = {f"{name}/{file}": path for file, path in files_below(source).items()}
            others = with_ledger(self._storage, self._answering.get(job.simulation, ()))
            for each, sent in (*((one, ANSWERS) for one in _ancestors(source)), *((one, ASKED) for one in others)):
                files |= {f"{each.name}/{file}": each / file for file in sent if (each / file).exists()}
            return packed(files)

    async def take(self, job: SentJob, change: Change) -> None:
        """Put what has changed into its place, all of it or nothing. Raises StorageError."""
        self._check(job)
        root = self._storage / job.simulation
        if root.exists():
            _put(root, change)
        else:
            with new_folder(root) as folder:
                unpack(change.archive, folder)

    async def _lock(self, root: Path) -> None:
        """Lock a simulation, which a worker of an earlier program may still have. Raises SimulationInUse."""
        for tries_left in reversed(range(TRIES)):
            try:
                self._locks[root.name] = self._locks.get(root.name) or Lock(root)
            except SimulationInUse:
                if not tries_left:
                    raise
                await asyncio.sleep(PAUSE)
            else:
                return

    def _check(self, job: SentJob) -> None:
        if self._workers.get(job.simulation) != job.worker:
            template = "'%(name)s' is carried out by another worker now. What this one has saved since is dropped."
            raise SimulationInUse(template, name=job.simulation)


def _put(root: Path, change: Change) -> None:
    """Change the files of a simulation atomically, then remove those that are no longer needed."""
    check_names(change.removed, root)
    with Staging(root) as staging:
        for name, content in unpacked(change.archive, root):
            staging.write_bytes(name, content)
        staging.commit()
    for name in change.removed:
        with writing(root / name):
            (root / name).unlink(missing_ok=True)


def _ancestors(simulation: Path) -> Iterator[Path]:
    """Yield what a simulation was forked from, as far as it is there."""
    known = {simulation}
    while branch := read_branch(simulation):
        simulation = simulation.with_name(branch.origin)
        if simulation in known or not (simulation / META).exists():
            return
        known.add(simulation)
        yield simulation
