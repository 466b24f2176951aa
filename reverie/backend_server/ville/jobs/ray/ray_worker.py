"""Actors on the nodes of a Ray cluster: workers that carry out jobs, and keepers of the budget and of the storage.

Ray is not imported here: the engine makes actors of these classes.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ville.errors import BudgetSpent, StorageError
from ville.jobs.job_report import JobReport
from ville.jobs.ray.carried_files import Change
from ville.jobs.ray.driver_storage import DriverStorage, SentJob
from ville.jobs.ray.far_run import FarRun
from ville.jobs.run_spec import RunSpec
from ville.llm.accounting.common_budget import Payment
from ville.llm.accounting.study_budget import StudyBudget
from ville.llm.gateway import Usage
from ville.simulation.running.run_loop import StopRequest


class BudgetKeeper:
    """Keeps the budget on the node of the program that runs the study, for the workers of all nodes."""

    def __init__(self, description: Mapping[str, Any]) -> None:
        self._description = description
        self._budgets: dict[str, StudyBudget] = {}

    async def admit(self, worker: str, payment: Payment, most: Usage) -> tuple[int, str]:
        """Return the number of a call, or why it is refused."""
        budget = self._budgets.get(worker) or StudyBudget.of(self._description)
        self._budgets[worker] = budget
        try:
            return await budget.admit(payment, most), ""
        except BudgetSpent as refusal:
            return 0, str(refusal)

    async def settle(self, worker: str, number: int, used: Usage | None) -> None:
        await self._budgets[worker].settle(number, used)

    async def forget(self, worker: str) -> None:
        """Close the open calls of a worker that has ended; they keep their amounts."""
        if budget := self._budgets.pop(worker, None):
            budget.close()


class KeptBudget:
    """The budget of a study as a worker on another node sees it."""

    def __init__(self, keeper: Any, worker: str) -> None:
        self._keeper, self._worker = keeper, worker

    async def admit(self, payment: Payment, most: Usage) -> int:
        """Wait until a call may be sent, and return its number. Raises BudgetSpent if there is no room left."""
        number, refusal = await self._keeper.admit.remote(self._worker, payment, most)
        if refusal:
            raise BudgetSpent(refusal, fate="not_sent")
        return int(number)

    async def settle(self, number: int, used: Usage | None) -> None:
        """Note that a call has ended, and what it used; None: it was not sent."""
        await self._keeper.settle.remote(self._worker, number, used)


class StorageKeeper:
    """Reads and writes the storage on the node of the program that runs the study, for workers that do not see it."""

    def __init__(self, storage: str) -> None:
        self._storage = DriverStorage(Path(storage))

    async def begin(self, simulation: str, worker: str) -> None:
        await self._storage.begin(simulation, worker)

    async def end(self, simulation: str) -> None:
        await self._storage.end(simulation)

    async def send(self, job: SentJob) -> tuple[bytes, str]:
        """Return what a job begins with, or why it is not sent."""
        try:
            return await self._storage.send(job), ""
        except StorageError as refusal:
            return b"", str(refusal)

    async def take(self, job: SentJob, change: Change) -> str:
        """Put what was saved into its place, or return why not."""
        try:
            await self._storage.take(job, change)
        except StorageError as refusal:
            return str(refusal)
        return ""


class KeptStorage:
    """The storage of the program that runs the study as a worker on another node sees it."""

    def __init__(self, keeper: Any) -> None:
        self._keeper = keeper

    async def send(self, job: SentJob) -> bytes:
        """Return an archive of what a job begins with. Raises StorageError."""
        archive, refusal = await self._keeper.send.remote(job)
        _check(refusal)
        return bytes(archive)

    async def take(self, job: SentJob, change: Change) -> None:
        """Put what was saved into its place. Raises StorageError."""
        _check(await self._keeper.take.remote(job, change))


def _check(refusal: str) -> None:
    if refusal:
        raise StorageError("%(refusal)s", refusal=refusal)


class RayWorker:
    """Carries out one job; the other methods are called meanwhile, from another thread."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._stop = StopRequest()
        self._last: JobReport | None = None

    def carry_out(
        self, spec: Mapping[str, Any], budget: Any, storage: Any, *, mark: str, prices: str
    ) -> dict[str, Any]:
        """Return the final report. `budget` is its keeper, if there is one; `storage` is that of the storage."""
        kept = KeptBudget(budget, self._name) if budget else None
        courier = KeptStorage(storage)
        run = FarRun(RunSpec.of(spec), self._note, self._stop, kept, courier=courier, worker=self._name)
        return asyncio.run(run.carry_out(mark, prices)).as_json()

    def progress(self) -> dict[str, Any] | None:
        """Return the last report; None if there is none yet."""
        return self._last.as_json() if self._last else None

    def stop(self) -> None:
        """Save and stop after the current step."""
        self._stop.request()

    def _note(self, report: JobReport) -> None:
        self._last = report
