"""Carries out a job on a machine that may not see the storage of the program that runs the study.

Where it does not, the job has a storage of its own, in a temporary folder: what it begins with is sent there, and what
it saves is brought back, at each save what has changed since the last one.
"""

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from platform import node

from ville.errors import BadStudy, Fault, ReverieError
from ville.jobs.job_report import JobReport
from ville.jobs.job_run import JobRun, Report
from ville.jobs.ray.carried_files import ChangedFiles, unpack
from ville.jobs.ray.driver_storage import Courier, SentJob
from ville.jobs.run_spec import RunSpec
from ville.llm.accounting.common_budget import CommonBudget
from ville.settings import load_settings
from ville.simulation.running.run_loop import StopRequest

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
        with tempfile.TemporaryDirectory(prefix="ville-") as folder:
            list_of_prices = Path(folder) / PRICES
            list_of_prices.write_text(prices, "utf-8")
            try:
                here = {"prices": str(list_of_prices), **_folders(self._spec)}
                spec = replace(self._spec, settings={**self._spec.settings, **here})
                if storage := _storage_with(mark, spec):
                    spec = replace(spec, settings={**spec.settings, "fs_storage": str(storage)})
                    return await JobRun(spec, self._report, self._stop, self._budget).carry_out()
                return await self._carry_out_in(Path(folder), spec)
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
    return {} if Path(spec.settings.get("assets") or own).is_dir() else {"assets": str(own)}


def _storage_with(mark: str, spec: RunSpec) -> Path | None:
    """Return the storage in which a file is: where the spec says, or where this machine has its own."""
    storages = (load_settings(spec.settings).fs_storage, load_settings().fs_storage)
    return next((storage for storage in storages if (storage / mark).is_file()), None)
