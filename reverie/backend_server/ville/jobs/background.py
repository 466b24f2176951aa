"""Simulations in the background: each is made and run by a process of its own, as many at once as there are processors.

A process is asked to stop by closing its standard input, which the end of the engine does as well.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from ville.errors import BadArgument, CannotWrite, ReverieError, SimulationExists
from ville.jobs.background_job import BackgroundJob
from ville.jobs.pool import processors
from ville.settings import Settings
from ville.storage.exchange.background import BackgroundFiles
from ville.storage.folder.branches import read_branch
from ville.storage.folder.storage import check_name
from ville.storage.folders import PACKAGE

INTERVAL = 0.1
"""Seconds between two looks at a process."""
PROGRAM = (sys.executable, "-m", "ville.jobs.background_worker")


@dataclass
class _Started:
    """A job, the task that waits for it, and its process once there is one."""

    job: BackgroundJob
    task: asyncio.Task[None] | None = None
    process: "subprocess.Popen[bytes] | None" = None

    def stop(self) -> None:
        """Ask the process to stop after its current step, or do not begin it."""
        if self.process is None and self.task:
            self.task.cancel()
        elif self.process and self.process.stdin:
            self.process.stdin.close()


class BackgroundRuns:
    """Begins and stops simulations in the background."""

    def __init__(self, settings: Settings, say: Callable[[str], None]) -> None:
        """`say` shows a line."""
        self._storage, self._say = settings.fs_storage, say
        self._files = BackgroundFiles(settings.fs_temp_storage)
        self._places = asyncio.Semaphore(processors())
        self._started: dict[str, _Started] = {}

    def tidy(self) -> None:
        """Settle what an earlier engine has left behind. Raises StorageError."""
        self._files.tidy(self._storage)

    def has_done(self, request: str, name: str) -> bool:
        """Return whether a request was carried out already. Raises BadSimulationName or CorruptFile."""
        check_name(name)
        started = self._started.get(name)
        if started and started.job.request == request:
            return True
        branch = read_branch(self._storage / name)
        return branch is not None and branch.request == request

    def begin(self, job: BackgroundJob) -> None:
        """Begin a job as soon as a processor is free. Raises SimulationExists or CannotWrite."""
        if job.name in self._started:
            raise SimulationExists("'%(name)s' is already in the background. Choose another name.", name=job.name)
        self._files.write(job.status)
        started = self._started[job.name] = _Started(job)
        started.task = asyncio.create_task(self._run(started))
        started.task.add_done_callback(lambda _: self._started.pop(job.name, None))

    def stop(self, name: str) -> None:
        """Stop a job after its current step, or do not begin it. Raises BadArgument or CannotWrite."""
        if name not in self._started:
            raise BadArgument(f"'{name}' does not run in the background.")
        started = self._started[name]
        if started.process is None:
            self._files.write(started.job.status.model_copy(update={"state": "stopped"}))
        started.stop()

    async def close(self) -> None:
        """Stop all, and wait until they have saved."""
        everything = list(self._started.values())
        if everything:
            names = ", ".join(started.job.name for started in everything)
            self._say(f"Stopping and saving what runs in the background: {names}. Resume it later by its name.")
        for started in everything:
            if started.process is None:
                with suppress(CannotWrite):
                    self.stop(started.job.name)
            started.stop()
        await asyncio.gather(*(started.task for started in everything if started.task), return_exceptions=True)

    async def _run(self, started: _Started) -> None:
        async with self._places:
            try:
                process = started.process = _process(started.job)
            except OSError as fault:
                self._fail(started.job, f"No process could be started ({fault.strerror}).")
                return
            while process.poll() is None:  # noqa: ASYNC110 - it is another process
                await asyncio.sleep(INTERVAL)
        try:
            status = self._files.settle(self._storage, started.job.name)
        except ReverieError as fault:
            self._say(f"{started.job.name}: {fault}")
        else:
            for line in (status.notes, status.fault) if status else ():
                if line:
                    self._say(f"{started.job.name}: {line}")

    def _fail(self, job: BackgroundJob, fault: str) -> None:
        self._say(f"{job.name}: {fault}")
        with suppress(CannotWrite):
            self._files.write(job.status.model_copy(update={"state": "failed", "fault": fault}))


def _process(job: BackgroundJob) -> "subprocess.Popen[bytes]":
    """Start the program of a job, with the job in its standard input. Raises OSError."""
    package = str(PACKAGE.parent)
    paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(
        PROGRAM,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the engine, which stops it
    )
    if process.stdin:
        process.stdin.write(json.dumps(job.as_json()).encode() + b"\n")
        process.stdin.flush()
    return process
