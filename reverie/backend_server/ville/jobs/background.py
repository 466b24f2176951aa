"""Simulations in the background: each is made and run in a process of its own, as many at once as there are processors.

The processes are asked to stop by the end of their input, which the end of the engine brings as well.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from ville.errors import BadArgument, CannotWrite, ReverieError, SimulationExists
from ville.jobs.job_report import JobReport, RunState, branch_status
from ville.jobs.local_pool import LocalPool
from ville.jobs.run_spec import RunSpec
from ville.settings import Settings
from ville.storage.exchange.background_files import BackgroundFiles
from ville.storage.folder.branches import is_made_for
from ville.storage.folder.storage import check_name
from ville.storage.recycle_bin import empty_bin

INTERVAL = 0.1
"""Seconds between two looks at the processes."""


class BackgroundRuns:
    """Begins and stops simulations in the background."""

    def __init__(self, settings: Settings, say: Callable[[str], None]) -> None:
        """`say` shows a line."""
        self._storage, self._say = settings.fs_storage, say
        self._files = BackgroundFiles(settings.fs_temp_storage)
        self._pool = LocalPool()
        self._waiting: dict[str, RunSpec] = {}
        self._begun: dict[str, RunSpec] = {}
        self._attending: asyncio.Task[None] | None = None

    def tidy(self) -> None:
        """Settle what an earlier engine has left behind, and empty the bin. Raises StorageError."""
        empty_bin(self._storage)
        self._files.tidy(self._storage)

    @property
    def _all(self) -> dict[str, RunSpec]:
        return {**self._begun, **self._waiting}

    def has_done(self, request: str, name: str) -> bool:
        """Return whether a request was carried out already. Raises BadSimulationName or CorruptFile."""
        check_name(name)
        spec = self._all.get(name)
        return (spec is not None and spec.request == request) or is_made_for(self._storage / name, request)

    def begin(self, spec: RunSpec) -> None:
        """Begin a run as soon as a processor is free. Raises SimulationExists or CannotWrite."""
        if spec.name in self._all:
            raise SimulationExists("'%(name)s' is already in the background. Choose another name.", name=spec.name)
        self._note(spec, "waiting")
        self._waiting[spec.name] = spec
        if self._attending is None or self._attending.done():
            self._attending = asyncio.create_task(self._attend())

    def stop(self, name: str) -> None:
        """Stop a run after its current step, or do not begin it. Raises BadArgument or CannotWrite."""
        if spec := self._waiting.pop(name, None):
            self._note(spec, "stopped")
        elif name in self._begun:
            self._pool.stop(name)
        else:
            raise BadArgument(f"'{name}' does not run in the background.")

    async def close(self) -> None:
        """Stop all, and wait until they have saved."""
        if self._all:
            names = ", ".join(self._all)
            self._say(f"Stopping and saving what runs in the background: {names}. Resume it later by its name.")
        for name in self._all:
            with suppress(CannotWrite):
                self.stop(name)
        if self._attending:
            await self._attending
        await asyncio.to_thread(self._pool.close)

    async def _attend(self) -> None:
        """Begin what waits when there is room, until all has ended."""
        while self._all:
            while self._waiting and self._pool.free > 0:
                self._submit(self._waiting.pop(next(iter(self._waiting))))
            for report in self._pool.reports(0):
                if report.is_final:
                    self._end(report)
            await asyncio.sleep(INTERVAL)
        self._pool.end_idle()

    def _submit(self, spec: RunSpec) -> None:
        try:
            self._pool.submit(spec)
        except OSError as error:
            fault = f"No process could be started ({error.strerror})."
            self._say(f"{spec.name}: {fault}")
            with suppress(CannotWrite):
                self._note(spec, "failed", fault)
        else:
            self._begun[spec.name] = spec

    def _end(self, report: JobReport) -> None:
        """Say how a run has ended. Its process has written so, unless it was killed."""
        self._begun.pop(report.name)
        try:
            status = self._files.settle(self._storage, report.name)
        except ReverieError as fault:
            self._say(f"{report.name}: {fault}")
            return
        lines = [status.notes, status.fault, report.fault if status.fault else ""] if status else []
        for line in filter(None, dict.fromkeys(lines)):
            self._say(f"{report.name}: {line}")

    def _note(self, spec: RunSpec, state: RunState, fault: str = "") -> None:
        self._files.write(branch_status(spec, JobReport.unbegun(spec, state, fault)))
