"""Actors on the nodes of a Ray cluster: workers that carry out jobs, and keepers of the budget and of the storage.

Ray is not imported here: the engine makes actors of these classes.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from platform import node
from typing import Any

from ville.errors import BadStudy, BudgetSpent, Fault, ReverieError, StorageError
from ville.jobs.job_report import JobReport
from ville.jobs.job_run import JobRun, Report
from ville.jobs.ray.carried_files import Change, ChangedFiles, unpack
from ville.jobs.ray.driver_storage import Courier, DriverStorage, SentJob
from ville.jobs.run_spec import RunSpec
from ville.json_types import JsonObject
from ville.llm.accounting.common_budget import CommonBudget, Payment
from ville.llm.accounting.study_budget import StudyBudget
from ville.llm.gateway import Usage
from ville.settings import load_settings
from ville.simulation.running.run_loop import StopRequest
from ville.storage.temporary import temporary_folder

RayHandle = Any
"""An actor as others see it: Ray makes its methods, and may not be installed."""


class BudgetKeeper:
    """Keeps the budget on the node of the program that runs the study, for the workers of all nodes."""

    def __init__(self, description: JsonObject) -> None:
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

    def __init__(self, keeper: RayHandle, worker: str) -> None:
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

    async def begin(self, simulation: str, worker: str, answering: Sequence[str] = ()) -> None:
        await self._storage.begin(simulation, worker, answering)

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

    def __init__(self, keeper: RayHandle) -> None:
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
    """Carries out one job after the other; the other methods are called meanwhile, from another thread."""

    def __init__(self) -> None:
        self._stop = StopRequest(leaves=True)
        self._last: JobReport | None = None

    def carry_out(
        self, name: str, spec: JsonObject, budget: RayHandle, storage: RayHandle, *, mark: str, prices: str
    ) -> JsonObject:
        """Return the final report. `name` is that of the worker while it has this job, `budget` its keeper, if there is
        one; `storage` is that of the storage.
        """
        self._stop, self._last = StopRequest(leaves=True), None
        kept = KeptBudget(budget, name) if budget else None
        courier = KeptStorage(storage)
        run = FarRun(RunSpec.of(spec), self._note, self._stop, kept, courier=courier, worker=name)
        return asyncio.run(run.carry_out(mark, prices)).as_json()

    def progress(self) -> JsonObject | None:
        """Return the last report; None if there is none yet."""
        return self._last.as_json() if self._last else None

    def stop(self) -> None:
        """Save and stop after the current step."""
        self._stop.request()

    def _note(self, report: JobReport) -> None:
        self._last = report


PRICES = "prices.toml"


class FarRun:
    """One job on a machine of a cluster."""

    def __init__(
        self,
        spec: RunSpec,
        report: Report,
        stop: StopRequest,
        budget: CommonBudget | None = None,
        *,
        courier: Courier,
        worker: str,
    ) -> None:
        self._spec, self._report, self._stop, self._budget = spec, report, stop, budget
        self._courier = courier
        self._sent = SentJob(worker, spec.name, spec.origin, spec.request)
        self._bringing: asyncio.Future[None] | None = None

    async def carry_out(self, mark: str, prices: str) -> JobReport:
        """Return the final report, after all that was saved has been brought back.

        Args:
            mark: name of a file in the storage of the program that runs the study.
            prices: content of its price list.
        """
        with temporary_folder() as folder:
            list_of_prices = folder / PRICES
            list_of_prices.write_text(prices, "utf-8")
            try:
                here = {"prices": str(list_of_prices), **_folders(self._spec)}
                spec = replace(self._spec, settings={**self._spec.settings, **here})
                if storage := _storage_with(mark, spec):
                    spec = replace(spec, settings={**spec.settings, "fs_storage": str(storage)})
                    return await JobRun(spec, self._report, self._stop, self._budget).carry_out()
                return await self._carry_out_in(folder, spec)
            except ReverieError as error:
                return JobReport(self._spec.name, "failed", fault=str(error), host=node())

    async def _carry_out_in(self, folder: Path, spec: RunSpec) -> JobReport:
        """Carry out the job in a folder of this machine. Raises a ReverieError."""
        if load_settings(spec.settings).policy_store == "public":
            fault = f"policy_store = public: {node()} does not see the storage"
            raise BadStudy(Fault(fault, "set it to simulation"))
        places = {"fs_storage": str(folder / "storage"), "fs_temp_storage": str(folder / "temp")}
        unpack(await self._courier.send(self._sent), folder / "storage")
        files = ChangedFiles(folder / "storage" / spec.name)
        spec = replace(spec, settings={**spec.settings, **places})
        run = JobRun(spec, self._report, self._stop, self._budget, saved=lambda: self._bring(files))
        report = await run.carry_out()
        if self._bringing:
            await self._bringing
        if run.saved_step is not None:
            await self._courier.take(self._sent, files.change())
        return report

    def _bring(self, files: ChangedFiles) -> None:
        """Begin to bring back what was saved, unless an earlier save is still on its way. Raises a ReverieError."""
        if self._bringing is None or self._bringing.done():
            if self._bringing:
                self._bringing.result()
            self._bringing = asyncio.ensure_future(self._courier.take(self._sent, files.change()))


def _folders(spec: RunSpec) -> dict[str, str]:
    """Return the folder of maps of this machine, unless it has the one that the spec names."""
    own = load_settings().assets
    return {} if Path(str(spec.settings.get("assets") or own)).is_dir() else {"assets": str(own)}


def _storage_with(mark: str, spec: RunSpec) -> Path | None:
    """Return the storage in which a file is: where the spec says, or where this machine has its own."""
    storages = (load_settings(spec.settings).fs_storage, load_settings().fs_storage)
    return next((storage for storage in storages if (storage / mark).is_file()), None)
